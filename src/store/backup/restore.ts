import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../kernel/errors.ts';
import { isBusy, storeError } from '../sqlite/errors.ts';
import { refuseNewerSchema } from '../sqlite/migrations.ts';
import type { Migrations } from '../store.ts';
import { ASIDE, isPassing, STAGING } from './contents.ts';
import type { Manifest } from './manifest.ts';
import { unpackBackup } from './read.ts';

export interface RestoreWish {
  readonly home: string;
  readonly cache: string;
  readonly archive: string;
  /** Replaces what is there, and keeps it aside. */
  readonly force: boolean;
  readonly migrations: ReadonlyMap<string, Migrations>;
  readonly now: Date;
  progress(text: string): void;
}

export interface Restored {
  readonly manifest: Manifest;
  /** Where everything is that was there before. */
  readonly aside?: string;
}

const STORE = 'sluice.db';

/** Puts a backup into the data directory, which the caller has locked. Nothing there changes before the whole backup is unpacked and checked. */
export async function restoreBackup(wish: RestoreWish): Promise<Restored> {
  const { home, archive, force, now } = wish;
  refuseUsedStore(join(home, STORE));
  const there = await present(wish);
  if (there.length > 0 && !force)
    throw new AppError(
      'conflict',
      `${home} is not empty: it has ${there.slice(0, 5).join(', ')}${there.length > 5 ? ', …' : ''}. With --force, what is there moves to a folder ${ASIDE}… in it.`,
    );

  const staging = await mkdtemp(join(home, STAGING));
  try {
    const manifest = await unpackBackup(archive, staging, wish.progress);
    checkStore(join(staging, STORE), archive, wish.migrations);
    const aside = there.length > 0 ? join(home, `${ASIDE}${stamp(now)}`) : undefined;
    await swap({ home, staging, there, aside });
    return { manifest, ...(aside !== undefined && { aside }) };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** A process without a socket, such as `sluice stdio`, uses the store, too. SQLite leaves this mode only if nobody else does. */
function refuseUsedStore(file: string): void {
  if (!existsSync(file)) return;
  using database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (isBusy(error)) throw new AppError('conflict', `Another process uses ${file}. Stop it, and try again.`);
    // Damaged: that is why somebody restores a backup.
  }
}

/** What would be replaced. The cache stays. */
async function present({ home, cache }: RestoreWish): Promise<string[]> {
  const names = await readdir(home);
  return names.filter(
    (name) =>
      resolve(home, name) !== resolve(cache) &&
      !name.startsWith(ASIDE) &&
      (!isPassing(name) || /-(?:wal|shm)$/.test(name)) &&
      !(name === 'lost+found'),
  );
}

function checkStore(file: string, archive: string, migrations: RestoreWish['migrations']): void {
  if (!existsSync(file)) return;
  try {
    using database = new DatabaseSync(file, { readOnly: true });
    refuseNewerSchema(database, `The store in ${archive}`, migrations);
    const [found] = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
    if (found?.quick_check !== 'ok')
      throw new AppError('invalid_input', `The store in ${archive} is damaged: ${found?.quick_check}.`);
  } catch (thrown) {
    throw storeError(file, thrown);
  }
}

/** Renames on one file system: each is done or not. If one fails, all is as it was. */
async function swap(given: {
  home: string;
  staging: string;
  there: string[];
  aside: string | undefined;
}): Promise<void> {
  const { home, staging, there, aside } = given;
  const done: [from: string, to: string][] = [];
  const move = async (from: string, to: string) => {
    await rename(from, to);
    done.push([from, to]);
  };
  if (aside !== undefined) await mkdir(aside, { mode: 0o700 });
  try {
    if (aside !== undefined) for (const name of there) await move(join(home, name), join(aside, name));
    for (const name of await readdir(staging)) await move(join(staging, name), join(home, name));
  } catch (error) {
    for (const [from, to] of done.toReversed()) await rename(to, from);
    if (aside !== undefined) await rm(aside, { recursive: true, force: true });
    throw error;
  }
}

const stamp = (now: Date): string => now.toISOString().slice(0, 19).replace(/[-:]/g, '');
