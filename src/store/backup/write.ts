import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { constants, copyFile, mkdir, mkdtemp, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import type { Writable } from 'node:stream';
import { AppError } from '../../kernel/errors.ts';
import { fileTrouble } from '../../kernel/file-errors.ts';
import { createPrivately } from '../private-file.ts';
import { contentsOf, type HomeContents, type HomeFile, isWithin, STAGING } from './contents.ts';
import { FORMAT, MANIFEST, type Manifest, PREFIX } from './manifest.ts';

export interface BackupWish {
  readonly home: string;
  readonly cache: string;
  readonly version: string;
  readonly engine: Manifest['engine'];
  readonly withKey: boolean;
  /** A path, or a stream. */
  readonly to: string | Writable;
  readonly now: Date;
  progress(text: string): void;
  readonly signal: AbortSignal;
}

export interface Written extends Pick<HomeContents, 'leftOut'> {
  readonly manifest: Manifest;
  /** Of the archive; undefined for a stream. */
  readonly bytes?: number;
}

/** SQLite copies all in one step: then a gateway that writes meanwhile cannot make it begin anew. */
const ALL_PAGES = 0x7fff_ffff;

/**
 * Writes the data directory as one compressed archive, also while a gateway runs. Everything is copied first: what is in
 * the archive is what its checksums say.
 */
export async function writeBackup(wish: BackupWish): Promise<Written> {
  const { home, to, signal } = wish;
  if (typeof to === 'string') await checkTarget(home, to);
  const contents = await contentsOf(home, { ...wish, usesDatabase: wish.engine === 'sqlite' });
  if (contents.files.length === 0) throw new AppError('not_found', `There is nothing in ${home} to back up.`);
  await using staging = await privateFolder(home);
  const files: Manifest['files'] = [];
  for (const [index, file] of contents.files.entries()) {
    signal.throwIfAborted();
    wish.progress(`Copying ${index + 1} of ${contents.files.length}: ${file.path}`);
    const copied = await copy(home, file, join(staging.path, PREFIX));
    if (copied) files.push(copied);
  }
  const hasKey = files.some(({ path }) => path === 'sluice.key');
  const manifest: Manifest = {
    format: FORMAT,
    sluice: wish.version,
    createdAt: wish.now.toISOString(),
    engine: wish.engine,
    key: hasKey ? 'included' : contents.leftOut.some(({ path }) => path === 'sluice.key') ? 'left out' : 'none',
    files,
  };
  await writeFile(join(staging.path, MANIFEST), JSON.stringify(manifest, null, 1), { mode: 0o600 });
  wish.progress('Packing');
  const names = [MANIFEST, ...files.map(({ path }) => PREFIX + path)];
  if (typeof to !== 'string') {
    await pack(staging.path, names, to, signal);
    return { manifest, leftOut: contents.leftOut };
  }
  const draft = join(dirname(to), `.${basename(to)}.${process.pid}`);
  try {
    await pack(staging.path, names, createWriteStream(draft, { mode: 0o600, flags: 'wx' }), signal);
    await durable(draft);
    await rename(draft, to);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return { manifest, leftOut: contents.leftOut, bytes: (await stat(to)).size };
}

async function checkTarget(home: string, to: string): Promise<void> {
  if (isWithin(home, to))
    throw new AppError(
      'invalid_input',
      `${to} is in the data directory itself. Name a file elsewhere, or - for stdout.`,
    );
  if (await stat(to).catch(() => undefined))
    throw new AppError('conflict', `${to} already exists. Name another file, or delete it.`);
  const folder = dirname(to);
  try {
    await using _folder = await open(folder);
  } catch (error) {
    throw new AppError(
      'invalid_input',
      `The directory ${folder} ${fileTrouble(error)}. Name a file elsewhere, or - for stdout.`,
    );
  }
}

/** Beside the files, where there is room for them and nobody else can read them. */
async function privateFolder(home: string): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(home, STAGING));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Undefined if the file has gone meanwhile. */
async function copy(home: string, file: HomeFile, into: string): Promise<Manifest['files'][number] | undefined> {
  const { path, isDatabase, isProgram } = file;
  const [from, to] = [join(home, path), join(into, path)];
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    if (isDatabase) await copyDatabase(from, to);
    else await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new AppError('unavailable', `${from} cannot be copied: ${(error as Error).message}`, { cause: error });
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(to), hash);
  return { path, size: (await stat(to)).size, sha256: hash.digest('hex'), ...(isProgram && { program: true }) };
}

async function copyDatabase(from: string, to: string): Promise<void> {
  createPrivately(to);
  using source = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
  await backup(source, to, { rate: ALL_PAGES });
}

async function pack(folder: string, names: string[], into: Writable, signal: AbortSignal): Promise<void> {
  const { create } = await import('tar');
  // Whose the files were, and when they changed, is nobody's business.
  const packed = create({ cwd: folder, gzip: true, portable: true, noDirRecurse: true }, names);
  await pipeline(packed as unknown as NodeJS.ReadableStream, into, { signal, end: into !== process.stdout });
}

/** A backup that is only in the memory of the system is none. */
async function durable(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.sync();
}
