/**
 * Keeps what a version of Sluice leaves behind, for test/e2e/upgrade.test.ts. Run it with each release, before the next
 * change of a schema:
 *
 *   npx node scripts/keep-home.ts            this checkout
 *   npx node scripts/keep-home.ts DIRECTORY  another one, with its node_modules
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { fillHome, type Kept, keptConfig, SECRET_KEY } from '../test/support/kept-home.ts';
import { ownPostgres } from '../test/support/own-postgres.ts';
import { programs } from '../test/support/postgres.ts';
import { serve } from '../test/support/serve-process.ts';

const here = fileURLToPath(new URL('../', import.meta.url));
const [
  checkout = here,
  commit = execFileSync('git', ['-C', checkout, 'rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim(),
] = process.argv.slice(2);
const bin = join(checkout, 'bin/sluice.js');
const { version } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as { version: string };
const target = join(here, 'test/fixtures/homes', `${version}-${commit}`);

async function fill(directory: string, env: Record<string, string>): Promise<Kept> {
  await using gateway = await serve(directory, keptConfig, { bin, env });
  const kept = await fillHome(gateway, bin, env);
  await gateway.end('SIGTERM');
  return kept;
}

const directory = await mkdtemp(join(tmpdir(), 'sluice-keep-'));
try {
  await rm(target, { recursive: true, force: true });
  await mkdir(join(target, 'home'), { recursive: true });

  const sqlite = await fill(join(directory, 'sqlite'), {});
  const home = join(directory, 'sqlite', 'home');
  // What else is there, such as the socket, belongs to the gateway that ran.
  for (const file of await readdir(home))
    if (/\.(?:db|key)$/.test(file))
      await writeFile(join(target, 'home', `${file}.gz`), gzipSync(await readFile(join(home, file)), { level: 9 }));

  await using postgres = await ownPostgres();
  await postgres.start();
  const onPostgres = await fill(join(directory, 'postgres'), {
    SLUICE_STORE: postgres.url(),
    SLUICE_SECRET_KEY: SECRET_KEY,
  });
  const options = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=100'];
  const { stdout } = await promisify(execFile)(join(programs(), 'pg_dump'), [...options, postgres.url()], {
    maxBuffer: 2 ** 26,
  });
  await writeFile(join(target, 'postgres.sql'), stdout.replaceAll(/^(?:--|\\).*\n/gm, '').replaceAll(/\n{2,}/g, '\n'));

  await writeFile(join(target, 'kept.json'), `${JSON.stringify({ sqlite, postgres: onPostgres }, null, 2)}\n`);
  console.log(target);
} finally {
  await rm(directory, { recursive: true, force: true });
}
