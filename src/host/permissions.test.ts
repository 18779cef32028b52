import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeOwn, findExposed } from './permissions.ts';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-permissions-'));
});

afterEach(() => rm(home, { recursive: true, force: true }));

async function file(name: string, mode: number, text = ''): Promise<string> {
  const path = join(home, name);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

test('a closed directory protects what is in it', async () => {
  await file('sluice.db', 0o644);
  expect(await findExposed({ home, secrets: [] })).toEqual([]);
});

test('an open directory is reported, with the database in it', async () => {
  const database = await file('sluice.db', 0o640);
  await chmod(home, 0o755);
  expect(await findExposed({ home, secrets: [] })).toEqual([
    { path: home, problem: 'is open to other users of this machine', fix: `chmod 700 ${home}` },
    { path: database, problem: 'can be read by other users of this machine', fix: `chmod 600 ${database}` },
  ]);
});

test('a .env that others can read is reported, a missing one is not', async () => {
  const dotenv = join(home, '.env');
  expect(await findExposed({ home, dotenv, secrets: [] })).toEqual([]);
  await file('.env', 0o600);
  expect(await findExposed({ home, dotenv, secrets: [] })).toEqual([]);
  await chmod(dotenv, 0o604);
  expect(await findExposed({ home, dotenv, secrets: [] })).toMatchObject([{ fix: `chmod 600 ${dotenv}` }]);
});

test('a configuration that everyone can read is fine until it contains a secret', async () => {
  const path = await file('sluice.yaml', 0o644, 'n8n: { default: { apiKey: "${N8N_API_KEY}" } }');
  expect(await findExposed({ home, file: path, secrets: ['key-from-env'] })).toEqual([]);
  await writeFile(path, 'n8n: { default: { apiKey: written-down } }');
  expect(await findExposed({ home, file: path, secrets: ['written-down'] })).toMatchObject([
    { path, problem: expect.stringContaining('contains a secret') as string, fix: `chmod 600 ${path}` },
  ]);
});

test('the command can be pasted for any path', async () => {
  const dotenv = await file(`it's a file`, 0o644);
  const [found] = await findExposed({ home, dotenv, secrets: [] });
  expect(found?.fix).toBe(`chmod 600 '${home}/it'\\''s a file'`);
});

test('what Sluice has in the data directory is taken from other users, and nothing else', async () => {
  const modeOf = async (path: string) => ((await stat(join(home, path))).mode & 0o777).toString(8);
  for (const name of ['backups', 'n8n', 'src']) await mkdir(join(home, name), { mode: 0o755 });
  const theirs = await file('theirs', 0o644);
  await symlink(theirs, join(home, 'sluice.key'));
  for (const name of ['sluice.db', 'runs.db', 'runs.db-wal', 'runs.lock', 'sluice.sock.lock']) await file(name, 0o644);
  await closeOwn(home);
  for (const name of ['backups', 'n8n']) expect(await modeOf(name)).toBe('700');
  for (const name of ['sluice.db', 'runs.db', 'runs.db-wal', 'runs.lock', 'sluice.sock.lock'])
    expect(await modeOf(name)).toBe('600');
  expect([await modeOf('src'), await modeOf('theirs')]).toEqual(['755', '644']);
});
