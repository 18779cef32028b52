import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig, problemLines } from '../host/config/load.ts';
import { storePart } from './part.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sluice-store-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const POSTGRES = 'postgres://ana:pw@db/sluice';
const LONG = 'a text of more than thirty-two characters';

const load = (env: Record<string, string>, only?: string[]) =>
  loadConfig({ store: storePart }, { cwd: home, home, env, ...(only && { only }) });
const problemsOf = async (env: Record<string, string>) =>
  load(env).then(
    () => [],
    (error: unknown) => problemLines(error),
  );

test('with PostgreSQL, a secret key that is short or cannot be read is a problem of the configuration', async () => {
  const store = { SLUICE_STORE: POSTGRES };
  const [short] = await problemsOf({ ...store, SLUICE_SECRET_KEY: 'short' });
  expect(short).toContain('SLUICE_SECRET_KEY');
  expect(short).toContain('openssl rand -hex 32');
  const [unreadable] = await problemsOf({ ...store, SLUICE_SECRET_KEY_FILE: join(home, 'none') });
  expect(unreadable).toContain('does not exist');
  expect(await problemsOf({ ...store, SLUICE_SECRET_KEY: LONG })).toEqual([]);
});

test('the embedded store does not look at the secret key', async () => {
  expect(await problemsOf({ SLUICE_SECRET_KEY: 'short' })).toEqual([]);
});

test('the secret key is redacted, also if it is in a file', async () => {
  writeFileSync(join(home, 'key'), `${LONG}\n`);
  const fromFile = await load({ SLUICE_STORE: POSTGRES, SLUICE_SECRET_KEY_FILE: join(home, 'key') });
  expect(fromFile.secrets).toContain(LONG);
  const fromEnvironment = await load({ SLUICE_STORE: POSTGRES, SLUICE_SECRET_KEY: LONG });
  expect(fromEnvironment.secrets).toContain(LONG);
});

test('the store can be read from a file whose other keys have problems', async () => {
  writeFileSync(
    join(home, 'sluice.yaml'),
    'store: "postgres://ana:${PW}@db/sluice"\nredis: ${NOT_SET}\nmcpServers: { a: { url: "${TOKEN}" } }\nnonsense: 1\n',
  );
  writeFileSync(join(home, '.env'), 'PW=secret\n');
  await expect(load({})).rejects.toThrow('problem');
  const { config } = await load({}, ['store']);
  expect(config.store).toEqual({ kind: 'postgres', url: 'postgres://ana:secret@db/sluice', connections: 6 });
});
