/**
 * A PostgreSQL with pgvector for tests. Debian 12 has no pgvector, so both come from Debian 13, with the libraries they
 * need. The packages are downloaded once and kept; each server unpacks them into a folder of its own, and runs them
 * with their own C library.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from '../../src/host/home.ts';
import { archivesIn, downloadPackages, unpack } from './debian-packages.ts';
import { type OwnPostgres, ownPostgres } from './own-postgres.ts';
import { postgresIsMissing } from './postgres.ts';

const RELEASE = 'trixie';
const PACKAGES = [
  'postgresql-17 postgresql-17-pgvector libc6',
  'libaudit1 libcap-ng0 libcap2 libcom-err2 libgcc-s1 libgssapi-krb5-2 libicu76 libk5crypto3 libkeyutils1 libkrb5-3',
  'libkrb5support0 libldap2 liblz4-1 liblzma5 libpam0g libpq5 libsasl2-2 libssl3t64 libstdc++6 libsystemd0 libxml2',
  'libxxhash0 libzstd1 zlib1g',
].flatMap((names) => names.split(' '));

const folder = join(cacheDirectory(process.env), 'test', `pgvector-17-${RELEASE}-${process.arch}`);

/** Downloads it if it is not there. */
export function needPgvector(): void {
  if (existsSync(folder)) return;
  // Several suites may download it at once. The first one is kept.
  const own = `${folder}-${process.pid}-${Date.now()}`;
  try {
    mkdirSync(own, { recursive: true });
    const archives = downloadPackages(own, PACKAGES, () => RELEASE);
    if (archives.length < PACKAGES.length) throw new Error(`Debian gave only ${archives.length} packages.`);
    renameSync(own, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** For `describe.skipIf`: why there is none. Under CI a missing one is a failure. */
export function pgvectorIsMissing(): string | undefined {
  if (process.platform !== 'linux') return 'the packages are for Linux';
  if (postgresIsMissing !== undefined) return postgresIsMissing;
  try {
    needPgvector();
    return undefined;
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    return `PostgreSQL with pgvector could not be downloaded: ${(error as Error).message.split('\n')[0]}`;
  }
}

/** A server of its own, not started yet. The extension is there to be created. */
export async function ownPgvector(): Promise<OwnPostgres> {
  needPgvector();
  const root = await mkdtemp(join(tmpdir(), 'sluice-pgvector-'));
  // PostgreSQL runs as another user than root.
  chmodSync(root, 0o755);
  unpack(archivesIn(folder), root);
  const bin = join(root, 'usr', 'lib', 'postgresql', '17', 'bin');
  for (const name of ['postgres', 'initdb']) runWithOwnLibraries(root, join(bin, name));
  const server = await ownPostgres(bin);
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** The machine's C library may be older. A program finds its other files by the place it believes it is at. */
function runWithOwnLibraries(root: string, program: string): void {
  const lib = join(root, 'usr', 'lib');
  const libraries = join(lib, readdirSync(lib).find((name) => name.endsWith('-linux-gnu')) ?? '');
  const loader = join(libraries, readdirSync(libraries).find((name) => name.startsWith('ld-linux')) ?? '');
  renameSync(program, `${program}.real`);
  writeFileSync(
    program,
    `#!/bin/sh\nexec '${loader}' --library-path '${libraries}' --argv0 '${program}' '${program}.real' "$@"\n`,
    { mode: 0o755 },
  );
  execFileSync(program, ['--version'], { stdio: 'pipe' });
}
