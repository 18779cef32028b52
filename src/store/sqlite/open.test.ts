import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { openSqlite } from './open.ts';
import { durableStoreContract, storeContract } from '../store.contract.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-store-'));
let places = 0;
const newFile = () => join(root, `home-${++places}`, 'data', 'sluice.db');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const audit = ['gateway.server_added', 'key.revoked'];
storeContract('sqlite in a file', () => openSqlite(newFile(), { audit }));
storeContract('sqlite in memory', () => openSqlite(':memory:', { audit }));
durableStoreContract('sqlite in a file', async () => {
  const file = newFile();
  return () => openSqlite(file);
});

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const anEvent = {
  timestamp: new Date(0).toISOString(),
  trace_id: 't',
  event_type: 'x',
  status: 'success' as const,
  data: {},
};

describe('the file', () => {
  test('only its owner can read it and list its directories', async () => {
    const file = newFile();
    await using store = await openSqlite(file);
    await store.settings.put('k', 1);
    expect([file, `${file}-wal`, `${file}-shm`].map(mode)).toEqual(['600', '600', '600']);
    expect([join(file, '..'), join(file, '../..')].map(mode)).toEqual(['700', '700']);
  });

  test('is one file again when the last handle is closed, including the reader thread', async () => {
    const file = newFile();
    {
      await using store = await openSqlite(file);
      await store.events.append([anEvent]);
      expect(await store.events.count()).toBe(1);
      expect(existsSync(`${file}-wal`)).toBe(true);
    }
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  test('a batch that fails half-way leaves nothing behind', async () => {
    await using store = await openSqlite(newFile());
    const odd = { ...anEvent, trace_id: {} as string };
    await expect(store.events.append([anEvent, odd])).rejects.toMatchObject({ name: 'AppError' });
    expect(await store.events.count()).toBe(0);
    await store.events.append([anEvent]);
    expect(await store.events.count()).toBe(1);
  });

  test('a scan over many events does not block this thread', async () => {
    await using store = await openSqlite(newFile());
    const data = { tool: 'some__tool', note: 'n'.repeat(300) };
    for (let i = 0; i < 60; i++) await store.events.append(Array.from({ length: 1000 }, () => ({ ...anEvent, data })));
    await store.events.count();
    const before = performance.eventLoopUtilization();
    // A text that occurs in keys only, so that every row is examined.
    expect((await store.events.query({ text: 'note' })).events).toEqual([]);
    const { active, idle } = performance.eventLoopUtilization(before);
    expect(active).toBeLessThan(idle);
  });
});

describe('a file that cannot be used', () => {
  const refusal = async (file: string) => {
    const error = await openSqlite(file).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: 'AppError', message: expect.stringContaining(file) as string });
    return error as { code: string; message: string };
  };
  const written = (content: string | Buffer) => {
    const file = newFile();
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
    return file;
  };

  test('not a database', async () => {
    const file = written('mcpServers: {}\n'.repeat(100));
    const error = await refusal(file);
    expect(error).toMatchObject({
      code: 'internal',
      message: expect.stringMatching(/damaged.*move the file away/) as string,
    });
    expect(readFileSync(file, 'utf8')).toContain('mcpServers');
  });

  test('a damaged file, when opened or when used', async () => {
    const file = newFile();
    {
      await using store = await openSqlite(file);
      for (let i = 0; i < 20; i++) await store.events.append(Array.from({ length: 100 }, () => anEvent));
    }
    const { size } = statSync(file);
    truncateSync(file, size / 2);
    const failed = await (async () => {
      await using store = await openSqlite(file);
      await store.events.query({ text: 'nothing like it', limit: 1000 });
    })().catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'internal', message: expect.stringMatching(/damaged/) as string });
    expect((failed as Error).message).toContain(file);
  });

  test('a newer schema', async () => {
    const file = newFile();
    await (await openSqlite(file))[Symbol.asyncDispose]();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 999');
    db.close();
    const error = await refusal(file);
    expect(error).toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/newer Sluice \(schema 999/) as string,
    });
  });

  test("another program's database, which is left alone", async () => {
    const file = written('');
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE workflow_entity (id TEXT); PRAGMA user_version = 1');
    db.close();
    expect(await refusal(file)).toMatchObject({ code: 'conflict' });
    const after = new DatabaseSync(file);
    expect(after.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'workflow_entity' }]);
    after.close();
  });

  test('a directory', async () => {
    const file = newFile();
    mkdirSync(file, { recursive: true });
    expect(await refusal(file)).toMatchObject({ code: 'unavailable' });
  });

  test('a path below a file', async () => {
    const file = join(written('x'), 'sluice.db');
    expect(await refusal(file)).toMatchObject({ code: 'unavailable' });
  });

  test.skipIf(process.getuid?.() === 0)('a directory without write permission', async () => {
    const file = newFile();
    mkdirSync(join(file, '..'), { recursive: true });
    chmodSync(join(file, '..'), 0o500);
    expect(await refusal(file)).toMatchObject({ code: 'unavailable' });
    chmodSync(join(file, '..'), 0o700);
  });
});

describe('several processes', () => {
  test('while another holds the file, writing events fails soon: calls must not wait for it', async () => {
    const file = newFile();
    await using store = await openSqlite(file);
    using other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const started = performance.now();
    await expect(store.events.append([anEvent])).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - started).toBeLessThan(4500);
    other.exec('ROLLBACK');
    await store.events.append([anEvent]);
    expect(await store.events.count()).toBe(1);
  });

  const sqlite = JSON.stringify(new URL('./open.ts', import.meta.url).href);
  const child = (code: string, ...args: string[]) =>
    spawn(
      process.execPath,
      ['--input-type=module', '-e', `import { openSqlite } from ${sqlite};\n${code}`, '--', ...args],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );

  test('that open a new file at the same time agree on its secrets', async () => {
    const file = newFile();
    const children = Array.from({ length: 4 }, () =>
      child(
        `console.log('ready');
         const start = Number(await new Promise((go) => process.stdin.once('data', go)));
         const secrets = [];
         for (let round = 0; round < 10; round++) {
           while (Date.now() < start + round * 50);
           await using store = await openSqlite(process.argv[1] + round);
           for (let i = 0; i < 50; i++) secrets.push((await store.settings.secret('k' + i)).toString('hex'));
         }
         console.log(secrets.join());
         process.stdin.destroy();`,
        file,
      ),
    );
    const outputs = children.map((one) => createInterface({ input: one.stdout })[Symbol.asyncIterator]());
    for (const lines of outputs) expect((await lines.next()).value).toBe('ready');
    for (const one of children) one.stdin.write(`${Date.now() + 50}\n`);
    const told = await Promise.all(outputs.map(async (lines) => (await lines.next()).value as string));
    expect(told[0]?.split(',')[0]).toMatch(/^[\da-f]{64}$/);
    expect(new Set(told).size).toBe(1);
  });

  test('one that is killed while writing leaves complete batches and an intact file', async () => {
    const file = newFile();
    const writer = child(
      `const store = await openSqlite(process.argv[1]);
       const event = { timestamp: new Date().toISOString(), trace_id: 't', event_type: 'x', status: 'success', data: { pad: 'x'.repeat(50) } };
       for (let n = 1; ; n++) {
         await store.events.append(Array.from({ length: 500 }, () => event));
         process.stdout.write(n + '\\n');
         await new Promise(setImmediate);
       }`,
      file,
    );
    const ended = once(writer, 'exit');
    let told = 0;
    for await (const line of createInterface({ input: writer.stdout })) {
      told = Number(line);
      if (told === 20) writer.kill('SIGKILL');
    }
    expect((await ended)[1]).toBe('SIGKILL');
    expect(told).toBeGreaterThanOrEqual(20);

    await using store = await openSqlite(file);
    const count = await store.events.count();
    expect(count).toBeGreaterThanOrEqual(told * 500);
    expect(count % 500).toBe(0);
    await store.events.append([anEvent]);
    expect(await store.events.count()).toBe(count + 1);
    const db = new DatabaseSync(file);
    expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    db.close();
  });

  test('one that only waits for the thread gets its answers, then ends', async () => {
    const reader = child(
      `const store = await openSqlite(process.argv[1]);
       for (let i = 0; i < 2; i++) console.log(await store.events.count());`,
      newFile(),
    );
    const ended = once(reader, 'exit');
    const lines: string[] = [];
    for await (const line of createInterface({ input: reader.stdout })) lines.push(line);
    expect(lines).toEqual(['0', '0']);
    expect(await ended).toEqual([0, null]);
  });
});
