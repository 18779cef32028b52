import { lstat, open, readdir } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';

/** Folders of a restore and of an unfinished backup, in the data directory: they are in no backup. */
export const ASIDE = 'before-restore-';
export const STAGING = '.backup-';

export interface HomeFile {
  /** Relative to the data directory, with `/`. */
  readonly path: string;
  readonly isDatabase: boolean;
  readonly isProgram: boolean;
}

export interface HomeContents {
  readonly files: readonly HomeFile[];
  /** What is there and in no backup, and why. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

const KEY = 'sluice.key';
const STORE = 'sluice.db';

/** What of the data directory must survive. What Sluice makes again, or needs only while it runs, is left out. */
export async function contentsOf(
  home: string,
  { cache, withKey, usesDatabase }: { cache: string; withKey: boolean; usesDatabase: boolean },
): Promise<HomeContents> {
  const files: HomeFile[] = [];
  const leftOut: { path: string; why: string }[] = [];
  const cached = resolve(cache);

  function whyNot(path: string): string | undefined {
    if (path === 'nodes') return 'the node catalogue, which Sluice builds again';
    if (resolve(home, path) === cached) return 'the cache';
    if (path.startsWith(ASIDE) && !path.includes('/')) return 'what a restore has replaced';
    if (path === KEY && !withKey) return 'the key (--without-key)';
    if (path === STORE && !usesDatabase) return 'an embedded store that is not used';
    return undefined;
  }

  async function walk(folder: string): Promise<void> {
    for (const entry of await readdir(join(home, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isPassing(path)) continue;
      const why = whyNot(path) ?? (entry.isSymbolicLink() ? 'a link' : undefined);
      if (why !== undefined) leftOut.push({ path, why });
      else if (entry.isDirectory()) await walk(path);
      else if (entry.isFile()) files.push(await lookAt(home, path));
    }
  }

  await walk('');
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), leftOut };
}

/** Names of what belongs to running processes, of drafts that one is writing, and of what SQLite keeps beside its files. */
export const isPassing = (path: string): boolean =>
  (!path.includes('/') && path.startsWith(STAGING)) ||
  /\.(?:lock|sock|log)$|-(?:wal|shm|journal|reserve)$|^n8n\/[^/]+\/(?:state\.json$|data\/\.cache(?:\/|$))/.test(path);

const MAGIC = 'SQLite format 3\0';

async function lookAt(home: string, path: string): Promise<HomeFile> {
  const whole = join(home, path);
  await using file = await open(whole);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
  const isDatabase = bytesRead === MAGIC.length && buffer.toString('latin1') === MAGIC;
  return { path, isDatabase, isProgram: ((await lstat(whole)).mode & 0o100) !== 0 };
}

/** Whether this path is the folder, or in it. */
export const isWithin = (folder: string, path: string): boolean =>
  resolve(path) === resolve(folder) || resolve(path).startsWith(resolve(folder) + sep);
