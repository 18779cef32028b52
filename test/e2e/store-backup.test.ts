import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtempDisposable,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textOf } from '../integration/harness.ts';
import { createPlace, type Place, reference } from '../support/command-line.ts';
import { call } from '../support/plain-calls.ts';

const config = { gateway: { allowCommands: true } };

async function urlOf(place: Place): Promise<string> {
  const { stdout } = await place.run(['status', '--json']);
  return new URL((JSON.parse(stdout) as { url: string }).url).origin;
}

const memory = async (url: string, tool: string, params: object) =>
  textOf(await call(url, 'memory_call', { tool: `memory_${tool}`, params }));

describe('a data directory with something of everything', () => {
  let place: Place;
  let archive: string;
  let told: string;

  beforeAll(async () => {
    place = await createPlace(config);
    archive = join(place.project, 'kept.tar.gz');
    await place.run(['keys', 'create', '--name', 'kept', '--scopes', 'tools:read']);
    await using _serving = await place.serve();
    const url = await urlOf(place);
    await call(url, 'gateway_add_server', { name: 'added', server: reference });
    await memory(url, 'store', { text: 'The backup server is called Otter.' });
    await mkdir(join(place.home, 'backups', 'default'), { recursive: true });
    await writeFile(join(place.home, 'backups', 'default', 'a.json'), '{"name":"a workflow"}');
    await mkdir(join(place.home, 'n8n', 'default', 'data', '.n8n'), { recursive: true });
    await writeFile(join(place.home, 'n8n', 'default.json'), '{"owner":"x"}');
    await writeFile(join(place.home, 'n8n', 'default', 'n8n.log'), 'a line');
    // An n8n that writes while it is copied.
    using n8n = new DatabaseSync(join(place.home, 'n8n', 'default', 'data', '.n8n', 'database.sqlite'));
    n8n.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (42)');
    await writeFile(join(place.home, 'tool.sh'), '#!/bin/sh\n');
    await chmod(join(place.home, 'tool.sh'), 0o755);
    await mkdir(join(place.home, 'nodes'), { recursive: true });
    await writeFile(join(place.home, 'nodes', 'x.sqlite'), 'built again');
    await symlink('/etc', join(place.home, 'elsewhere'));

    const made = await place.run(['store', 'backup', archive]);
    told = made.stderr;
  }, 60_000);
  afterAll(() => place[Symbol.asyncDispose]());

  test('is written while the gateway runs, for its owner only, and says what is left out', async () => {
    expect((await stat(archive)).mode & 0o777).toBe(0o600);
    expect(told).toContain('Left out nodes: the node catalogue, which Sluice builds again.');
    expect(told).toContain('Left out elsewhere: a link.');
    expect(told).toContain('keep it where nobody else can read it');
    const names = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n');
    expect(names[0]).toBe('manifest.json');
    expect(names.filter((name) => /lock|sock|wal|shm|\.log|nodes|elsewhere/.test(name))).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining([
        'home/sluice.db',
        'home/sluice.key',
        'home/backups/default/a.json',
        'home/n8n/default.json',
        'home/n8n/default/data/.n8n/database.sqlite',
      ]),
    );
    expect((await readdir(place.home)).filter((name) => name.startsWith('.backup-'))).toEqual([]);
  });

  test('comes back in an empty one, and everything is there', async () => {
    await rm(place.home, { recursive: true });
    const restored = await place.run(['store', 'restore', archive]);
    expect(restored.code, restored.stderr).toBe(0);
    expect((await stat(join(place.home, 'sluice.db'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(place.home, 'sluice.key'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(place.home, 'backups'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(place.home, 'tool.sh'))).mode & 0o777).toBe(0o700);
    using n8n = new DatabaseSync(join(place.home, 'n8n', 'default', 'data', '.n8n', 'database.sqlite'));
    expect(n8n.prepare('SELECT x FROM t').get()).toEqual({ x: 42 });
    expect((await place.run(['keys', 'list'])).stdout).toContain('kept');

    await using _serving = await place.serve();
    const url = await urlOf(place);
    expect(await memory(url, 'search', { query: 'the name of the backup server' })).toContain('Otter');
    expect(textOf(await call(url, 'added__echo', { text: 'opened with its key' }))).toContain('opened with its key');
    expect((await place.run(['events', '--type', 'gateway.started'])).stdout).not.toBe('');
    const busy = await place.run(['store', 'restore', archive, '--force']);
    expect(busy).toMatchObject({ code: 1, stderr: expect.stringContaining('A gateway runs with') });
  }, 60_000);

  test('is kept aside when another one replaces it', async () => {
    const refused = await place.run(['store', 'restore', archive]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/is not empty: it has .*With --force/) });
    await writeFile(join(place.home, 'newer'), 'written after the backup');
    const { code, stdout } = await place.run(['store', 'restore', archive, '--force', '--json']);
    expect(code).toBe(0);
    const { aside } = JSON.parse(stdout) as { aside: string };
    expect(existsSync(join(place.home, 'newer'))).toBe(false);
    expect(await readFile(join(aside, 'newer'), 'utf8')).toBe('written after the backup');
    expect(existsSync(join(aside, 'sluice.db'))).toBe(true);
    expect((await stat(aside)).mode & 0o777).toBe(0o700);
    // It is in no later backup.
    const { stderr } = await place.run(['store', 'backup', join(place.project, 'later.tar.gz'), '--without-key']);
    expect(stderr).toContain('what a restore has replaced');
    expect(stderr).toContain('Left out sluice.key');
    expect(stderr).toContain('added servers and logins are lost');
  });

  test('to stdout, and refusals', async () => {
    const piped = execFileSync(
      'sh',
      [
        '-c',
        `"$0" "$1" store backup - | tar -tzf -`,
        process.execPath,
        join(import.meta.dirname, '../../bin/sluice.js'),
      ],
      {
        cwd: place.project,
        env: { PATH: process.env.PATH, HOME: place.user, SLUICE_HOME: place.home },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    expect(piped).toContain('home/sluice.db');
    expect((await place.run(['store', 'backup', archive])).stderr).toContain('already exists');
    expect((await place.run(['store', 'backup', join(place.home, 'x.tar.gz')])).stderr).toContain(
      'data directory itself',
    );
    expect((await place.run(['store', 'backup', '/nowhere/x.tar.gz'])).stderr).toContain('/nowhere does not exist');
    expect((await place.run(['store', 'restore', 'nope', '--force'])).stderr).toContain('nope does not exist');
  });

  test('the key in another place: without it the backup says what is missing', async () => {
    const without = join(place.project, 'later.tar.gz');
    expect(execFileSync('tar', ['-tzf', without], { encoding: 'utf8' })).not.toContain('sluice.key');
    const { stderr } = await place.run(['store', 'restore', without, '--force']);
    expect(stderr).toContain('The backup has no key. Copy your sluice.key');
  });
});

describe('an archive that is not what Sluice wrote changes nothing', () => {
  let folder: { path: string } & AsyncDisposable;
  let place: Place;
  beforeAll(async () => {
    folder = await mkdtempDisposable(join(tmpdir(), 'sluice-tampered-'));
    place = await createPlace(config);
    await place.run(['keys', 'list']);
    await place.run(['store', 'backup', join(folder.path, 'good.tar.gz')]);
    await rm(place.home, { recursive: true });
  });
  afterAll(async () => {
    await place[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const good = () => join(folder.path, 'good.tar.gz');

  /** Unpacks the good one, changes it, and packs it again. */
  async function altered(
    name: string,
    change: (inside: string) => Promise<void>,
    args: string[] = [],
  ): Promise<string> {
    const inside = join(folder.path, name);
    await mkdir(inside);
    execFileSync('tar', ['-xzf', good(), '-C', inside]);
    await change(inside);
    const archive = join(folder.path, `${name}.tar.gz`);
    execFileSync('tar', ['-czf', archive, '-C', inside, ...args, 'manifest.json', 'home']);
    return archive;
  }

  const manifest = async (inside: string, change: (all: { format: number; files: { path: string }[] }) => void) => {
    const all = JSON.parse(await readFile(join(inside, 'manifest.json'), 'utf8')) as {
      format: number;
      files: { path: string }[];
    };
    change(all);
    await writeFile(join(inside, 'manifest.json'), JSON.stringify(all));
  };

  test.each<[string, RegExp, () => Promise<string>]>([
    [
      'truncated',
      /is not a whole backup of Sluice/,
      async () => {
        const archive = join(folder.path, 'short.tar.gz');
        await writeFile(archive, await readFile(good()));
        await truncate(archive, Math.floor((await stat(archive)).size / 2));
        return archive;
      },
    ],
    [
      'cut in the tar, but compressed well',
      /is not a whole backup|is missing/,
      async () => {
        const archive = join(folder.path, 'cut.tar.gz');
        const whole = gunzipSync(await readFile(good()));
        await writeFile(archive, gzipSync(whole.subarray(0, 4096)));
        return archive;
      },
    ],
    [
      'something else',
      /is not a whole backup/,
      async () => {
        const archive = join(folder.path, 'else');
        await writeFile(archive, 'no archive at all');
        return archive;
      },
    ],
    [
      'with a changed file',
      /sluice\.key has another checksum/,
      () =>
        altered('changed', async (inside) => writeFile(join(inside, 'home/sluice.key'), `${'0'.repeat(64)}\n`), [
          '--no-recursion',
          'manifest.json',
          'home/sluice.key',
        ]),
    ],
    [
      'with a link',
      /which is not a file/,
      () =>
        altered(
          'link',
          async (inside) => {
            await rm(join(inside, 'home/sluice.key'));
            await symlink('/etc/passwd', join(inside, 'home/sluice.key'));
          },
          ['--no-recursion', 'manifest.json', 'home/sluice.key'],
        ),
    ],
    [
      'with a path that leads out',
      /its manifest is damaged/,
      () =>
        altered('out', (inside) =>
          manifest(inside, ({ files }) => ((files[0] as { path: string }).path = '../../evil')),
        ),
    ],
    [
      'with a socket of a gateway',
      /its manifest names sluice\.sock\.lock/,
      () =>
        altered('lock', (inside) =>
          manifest(inside, ({ files }) => ((files[0] as { path: string }).path = 'sluice.sock.lock')),
        ),
    ],
    [
      'without a manifest',
      /does not begin with a manifest/,
      () => altered('bare', async () => {}, ['--no-recursion', 'home/sluice.key']),
    ],
    [
      'of a newer format',
      /was written by Sluice .*Restore it with that version or a newer one/,
      () => altered('format', (inside) => manifest(inside, (all) => (all.format = 2))),
    ],
    [
      'of a newer schema',
      /was written by a newer Sluice \(schema/,
      async () => {
        const newer = await createPlace(config);
        await using _ = newer;
        await newer.run(['keys', 'list']);
        {
          using store = new DatabaseSync(join(newer.home, 'sluice.db'));
          store.exec('PRAGMA user_version = 9999');
        }
        const archive = join(folder.path, 'newer.tar.gz');
        expect((await newer.run(['store', 'backup', archive])).code).toBe(0);
        return archive;
      },
    ],
  ])('%s', async (_, said, make) => {
    const { code, stderr } = await place.run(['store', 'restore', await make()]);
    expect(stderr).toMatch(said);
    expect(code).toBe(1);
    const left = existsSync(place.home) ? await readdir(place.home) : [];
    expect(left.filter((name) => !/\.lock/.test(name))).toEqual([]);
    expect(existsSync(join(place.home, '../evil'))).toBe(false);
  });
});

test('with PostgreSQL: the files of the home, and how to dump the rest', async () => {
  await using place = await createPlace({ store: 'postgres://sluice:top-secret-pw@db.internal:5433/tools' });
  await writeFile(join(place.home, 'sluice.key'), `${'a'.repeat(64)}\n`);
  const { code, stderr } = await place.run(['store', 'backup', 'out.tar.gz']);
  expect(code).toBe(0);
  expect(stderr).toContain(
    'pg_dump -h db.internal -p 5433 -U sluice -n sluice -n sluice_runs -Fc -f sluice.dump tools',
  );
  expect(stderr).not.toContain('top-secret-pw');
});
