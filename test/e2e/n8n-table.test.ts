import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createN8nClient, type N8nClient } from '../../src/n8n/client/client.ts';
import { withoutCatalogue } from '../support/catalogue.ts';
import { createPlace, type Place, type Started } from '../support/command-line.ts';
import { N8N_START_MS, n8nIsMissing } from '../support/n8n.ts';
import { reachN8n } from '../support/workbench.ts';

const ROWS = 6000;

describe.skipIf(n8nIsMissing)('sluice n8n table', () => {
  let place: Place;
  let gateway: Started & AsyncDisposable;
  let client: N8nClient;
  let target: string;
  /** How many inserts n8n still accepts. */
  let inserts = Number.POSITIVE_INFINITY;
  /** Happens after the next insert. `lost`: its answer does not arrive. */
  let afterInsert: ((url: string) => Promise<'lost' | void>) | undefined;
  const prefix = `cli-table-${Math.random().toString(36).slice(2, 8)}`;

  // n8n behind a proxy that refuses inserts from some point on.
  const proxy = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '' } = request;
      const body = await buffer(request);
      if (method === 'POST' && url.endsWith('/rows') && inserts-- <= 0) {
        response
          .writeHead(400, { 'content-type': 'application/json' })
          .end('{"message":"Data table size limit exceeded"}');
        return;
      }
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers as Record<string, string>;
      const answer = await fetch(`${target}${url}`, { method, headers, ...(body.length > 0 && { body }) });
      const type = answer.headers.get('content-type') ?? 'text/plain';
      const happens = method === 'POST' && url.endsWith('/rows') ? afterInsert : undefined;
      if (happens) afterInsert = undefined;
      if ((await happens?.(url)) === 'lost') return void response.destroy();
      response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
    })();
  });

  const line = (n: number) =>
    `${n},"Person ""${n}"", the ${n}th",${n / 4},${n % 2 === 0},2026-01-${String((n % 28) + 1).padStart(2, '0')}T10:00:00.000Z,${'note '.repeat(100)}${n}\n`;
  const table = (args: readonly string[]) => place.run(['n8n', 'table', ...args]);
  const counted = async (name: string) => {
    const found = await Array.fromAsync(client.dataTables.all());
    const id = found.find((one) => one.name === name)?.id;
    if (id === undefined) return undefined;
    const { items } = await client.dataTables.page(id, { sortBy: 'id:desc', limit: 1 });
    return Number(items[0]?.id ?? 0);
  };

  beforeAll(async () => {
    const { url, apiKey } = await reachN8n();
    target = url;
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    const through = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    place = await createPlace({ n8n: { default: { url: through, apiKey } }, nodes: withoutCatalogue });
    client = createN8nClient('default', { url, apiKey, timeoutMs: 30_000 });
    gateway = await place.serve();
    const rows = Array.from({ length: ROWS }, (_, n) => line(n + 1));
    await writeFile(join(place.project, 'big.csv'), `no,name,share,even,since,note\n${rows.join('')}`);
  }, N8N_START_MS);

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    for await (const { id, name } of client.dataTables.all())
      if (name.startsWith(prefix)) await client.dataTables.delete(id);
    await place[Symbol.asyncDispose]();
    proxy.close();
  });

  it('restores a table from a backup', async () => {
    const name = `${prefix}-kept`;
    await writeFile(join(place.project, 'kept.csv'), 'a\n1\n2\n');
    expect(await table(['import', name, 'kept.csv', '--create'])).toMatchObject({ code: 0 });
    const [backup = ''] = (await place.run(['backup', 'create'])).stdout.trim().split('\n');
    const restored = await table(['restore', backup, name, '--as', `${name}-2`]);
    expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining('2 rows') as string });
    expect((await table(['export', `${name}-2`])).stdout).toBe('a\n1\n2\n');
  });

  it('imports a file of 3 MB into a new table, and exports the same again', async () => {
    const name = `${prefix}-big`;
    const made = await table(['import', name, 'big.csv', '--create']);
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('6,000 inserted') as string });
    expect(await table(['export', name, 'copy.csv'])).toMatchObject({ code: 0, stdout: '' });
    const [given, copy] = await Promise.all(
      ['big.csv', 'copy.csv'].map((file) => readFile(join(place.project, file), 'utf8')),
    );
    expect(given?.length).toBeGreaterThan(3_000_000);
    expect(copy === given).toBe(true);
    const again = await table(['import', name, 'copy.csv', '--create']);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('Leave --create out') as string });
    const listed = await table(['list', '--part', name, '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { id: made.stdout.trim(), columns: [{ type: 'number' }, {}, {}, { type: 'boolean' }, { type: 'date' }, {}] },
    ]);
  });

  it('updates and inserts by a column', async () => {
    const name = `${prefix}-upsert`;
    await writeFile(join(place.project, 'first.csv'), 'mail;n\na@x;1\nb@x;2\n');
    await writeFile(join(place.project, 'second.csv'), 'mail;n\nb@x;3\nc@x;4\na@x;1\n');
    expect(await table(['import', name, 'first.csv', '--create'])).toMatchObject({ code: 0 });
    const upsert = ['import', name, 'second.csv', '--mode', 'upsert', '--match-on', 'mail'];
    const dry = await table([...upsert, '--dry-run']);
    expect(dry.stderr).toContain('would be 1 inserted, 1 updated, 1 unchanged');
    expect(await table(upsert)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 inserted, 1 updated') as string,
    });
    expect(await table(['export', name])).toMatchObject({ code: 0, stdout: 'mail,n\na@x,1\nb@x,3\nc@x,4\n' });
  });

  it('takes long numbers that are exact', async () => {
    const name = `${prefix}-long`;
    await client.dataTables.create({ name, columns: [{ name: 'n', type: 'number' }] });
    await writeFile(join(place.project, 'long.csv'), 'n\n9007199254740992\n1e300\n-0.5\n');
    expect(await table(['import', name, 'long.csv'])).toMatchObject({ code: 0 });
    expect((await table(['export', name])).stdout).toBe('n\n9007199254740992\n1e+300\n-0.5\n');
  });

  it('writes nothing if a line near the end is bad, and says which', async () => {
    const name = `${prefix}-bad`;
    const rows = Array.from({ length: 12_000 }, (_, n) => (n === 11_990 ? 'x,1\n' : `${n},1\n`));
    await writeFile(join(place.project, 'bad.csv'), `a,b\n${rows.join('')}`);
    await client.dataTables.create({
      name,
      columns: [
        { name: 'a', type: 'number' },
        { name: 'b', type: 'number' },
      ],
    });
    const refused = await table(['import', name, 'bad.csv']);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('line 11992, column a: "x" is not a number') as string,
    });
    expect(await counted(name)).toBe(0);
  });

  it('says how many rows were written if n8n refuses the others, and goes on from there', async () => {
    const name = `${prefix}-half`;
    const columns = ['no', 'share'].map((column) => ({ name: column, type: 'number' as const }));
    await client.dataTables.create({ name, columns });
    const rows = Array.from({ length: 6000 }, (_, n) => `${n},${n / 2}\n`);
    await writeFile(join(place.project, 'half.csv'), `no,share\n${rows.join('')}`);
    inserts = 1;
    const stopped = await table(['import', name, 'half.csv']);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toContain('size limit exceeded');
    expect(stopped.stderr).toContain(
      '5,000 of 6,000 rows were written (5,000 inserted, 0 updated). It stopped at row 5,001.',
    );
    expect(stopped.stderr).toContain('--from-row 5001');
    expect(stopped.stderr).toContain('"condition":"gt","value":0');
    expect(await counted(name)).toBe(5000);
    inserts = Number.POSITIVE_INFINITY;
    expect(await table(['import', name, 'half.csv', '--from-row', '5001'])).toMatchObject({ code: 0 });
    expect((await table(['export', name])).stdout).toBe(await readFile(join(place.project, 'half.csv'), 'utf8'));
  });

  it('does not say that nothing was written if n8n may have stored the rows', async () => {
    const name = `${prefix}-unsure`;
    const { id } = await client.dataTables.create({ name, columns: [{ name: 'a', type: 'number' }] });
    await writeFile(join(place.project, 'unsure.csv'), 'a\n1\n2\n');
    // Somebody else adds a row meanwhile, so that the rows cannot be counted.
    afterInsert = async () => {
      await client.dataTables.insert(id, [{ a: 3 }]);
      return 'lost';
    };
    const stopped = await table(['import', name, 'unsure.csv']);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toContain('It is not known whether n8n stored the 2 rows');
    expect(stopped.stderr).not.toContain('Nothing was written');
    expect(stopped.stderr).toContain('Look at the newest rows first');
    expect(stopped.stderr).toContain('--from-row 1');
    expect(stopped.stderr).toContain('"condition":"gt","value":0');
  });

  it('stops before the next rows if the file was changed since it was checked', async () => {
    const name = `${prefix}-edited`;
    await client.dataTables.create({ name, columns: [{ name: 'a', type: 'number' }] });
    const rows = Array.from({ length: 6000 }, (_, n) => `${n}\n`);
    const path = join(place.project, 'edited.csv');
    await writeFile(path, `a\n${rows.join('')}`);
    afterInsert = () => appendFile(path, '6000\n');
    const stopped = await table(['import', name, 'edited.csv']);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toContain('edited.csv was changed while it was read');
    expect(stopped.stderr).toContain('5,000 of 6,000 rows were written');
    expect(stopped.stderr).toContain('may have other numbers now');
    expect(await counted(name)).toBe(5000);
  });

  it('removes the table that it created if n8n refuses the rows', async () => {
    const name = `${prefix}-gone`;
    inserts = 1;
    const failed = await table(['import', name, 'big.csv', '--create']);
    inserts = Number.POSITIVE_INFINITY;
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was removed again, so nothing has changed') as string,
    });
    expect(await counted(name)).toBeUndefined();
  });

  it.each([
    [['import', 'x', 'missing.csv'], 1, 'does not exist'],
    [['import', 'x', '.'], 1, 'is not a file'],
    [['import', 'nothing-of-that-name', 'latin.csv'], 1, 'There is no data table'],
    [['import', `${prefix}-latin`, 'latin.csv', '--create'], 1, 'iconv -f WINDOWS-1252'],
    [['import', `${prefix}-wide`, 'wide.csv', '--create'], 1, 'iconv -f UTF-16'],
    [['import', 'x', 'latin.csv', '--create', '--mode', 'upsert'], 2, '--create'],
    [['import', 'x', 'latin.csv', '--mode', 'upsert'], 2, '--match-on'],
    [['import', 'x', 'latin.csv', '--delimiter', 'ab'], 2, '--delimiter'],
    [['import', 'x', 'latin.csv', '--from-row', '0'], 2, '--from-row'],
    [['export', 'x', '--delimiter', 'ab'], 2, '--delimiter'],
    [['export', 'nothing-of-that-name'], 1, 'There is no data table'],
    [['restore', 'a/b/c'], 1, 'not a backup'],
  ])('with %j ends with %i', async (words, code, said) => {
    await writeFile(join(place.project, 'latin.csv'), Buffer.from('name\nM\xfcller\n', 'latin1'));
    await writeFile(join(place.project, 'wide.csv'), Buffer.from('\u{FEFF}name\nMüller\n', 'utf16le'));
    expect(await table(words)).toMatchObject({ code, stderr: expect.stringContaining(said) as string });
  });
});
