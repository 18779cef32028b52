import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError, messageOf } from '../../kernel/errors.ts';

/*
 * A JSON file of three parts, each on lines of its own: what it is, what is in it, and the checksum of all before it.
 * The first line alone tells what a list shows; a file without its last line was cut off.
 */

export type OpenFile = (path: string, flags: string, mode?: number) => Promise<FileHandle>;

const SEAL = '\n"sha256":"';
const HEAD_BYTES = 4096;

/** Unfinished files are called so; nobody takes them for a backup. */
export const DRAFT = '.tmp';

/** Writes `{...head, <members>, sha256}`. There is the whole file afterwards, or none. */
export async function writeSealed(
  path: string,
  head: object,
  members: Iterable<string> | AsyncIterable<string>,
  openFile: OpenFile = open,
): Promise<number> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* parts() {
    yield `${JSON.stringify(head).slice(0, -1)},\n`;
    yield* members;
    yield ',';
  }
  await writeWhole(
    path,
    async (write) => {
      const put = async (text: string) => {
        const chunk = Buffer.from(text);
        bytes += chunk.length;
        await write(chunk);
        return chunk;
      };
      for await (const part of parts()) hash.update(await put(part));
      await put(`${SEAL}${hash.digest('hex')}"}\n`);
    },
    openFile,
  );
  return bytes;
}

/** Writes beside the place, makes sure that it is on the disk, and only then puts it there. */
export async function writeWhole(
  path: string,
  fill: (write: (chunk: Buffer) => Promise<void>) => Promise<void>,
  openFile: OpenFile = open,
): Promise<void> {
  const folder = dirname(path);
  const draft = join(folder, `.${basename(path)}.${randomBytes(4).toString('hex')}${DRAFT}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await openFile(draft, 'wx', 0o600);
    try {
      await fill(async (chunk) => file.writeFile(chunk));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    await syncFolder(folder);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw unwritten(folder, error);
  }
}

/** So that the new name, too, outlives a power cut. Not every system lets a folder be opened. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/** What the disk says, in words that tell what to do; what else went wrong is told by others. */
function unwritten(folder: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (error instanceof AppError || !/^E[A-Z]+$/.test(code)) return error;
  const why = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)
    ? 'the disk is full. Free some space, or let backups.directory name another place'
    : ['EACCES', 'EPERM', 'EROFS'].includes(code)
      ? 'it may not be written to. Allow it, or let backups.directory name another place'
      : messageOf(error);
  return new AppError(
    'unavailable',
    `No backup could be written into ${folder}: ${why}. Without one nothing else was done.`,
    {
      cause: error,
    },
  );
}

/** The first part of it. Undefined where the file is none of these. */
export async function readHead(path: string): Promise<{ head: Record<string, unknown>; bytes: number } | undefined> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    for (let length = HEAD_BYTES; ; length *= 16) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
      const end = buffer.subarray(0, bytesRead).indexOf(',\n');
      if (end >= 0) {
        const head = parsed(`${buffer.toString('utf8', 0, end)}}`);
        return head && { head, bytes: size };
      }
      if (bytesRead < length) return undefined;
    }
  } finally {
    await file.close();
  }
}

/** All of it, if it is as it was written. */
export async function readSealed(path: string): Promise<Record<string, unknown>> {
  const bytes = await readFile(path);
  const seal = bytes.lastIndexOf(SEAL);
  if (seal < 0) throw damaged(path, 'it is cut off, or no backup at all');
  const given = bytes.toString('utf8', seal + SEAL.length).slice(0, -'"}\n'.length);
  const content = parsed(bytes.toString('utf8'));
  const found = createHash('sha256').update(bytes.subarray(0, seal)).digest('hex');
  if (given !== found || !content) throw damaged(path, 'it does not match its checksum, so it was changed or damaged');
  return content;
}

function damaged(path: string, why: string): AppError {
  return new AppError(
    'conflict',
    `The backup ${path} cannot be used: ${why}. Nothing was done. n8n_list_backups shows others of the same workflow.`,
  );
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
