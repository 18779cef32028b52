import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError, messageOf } from '../../kernel/errors.ts';

/*
 * A JSON file in three parts: a first line that describes it, the content, and a last line with the checksum of everything
 * before. Lists read only the first line. A file without the last line is incomplete.
 */

export type OpenFile = (path: string, flags: string, mode?: number) => Promise<FileHandle>;

const SEAL = '\n"sha256":"';
const HEAD_BYTES = 4096;

/** The suffix of unfinished files. They are never read as backups. */
export const DRAFT = '.tmp';

/** Writes `{...head, <members>, sha256}`. Leaves the complete file or none. */
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

/** Writes a draft, flushes it to the disk, then renames it. */
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

/** Makes the rename survive a power cut. Not every system can open a folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/** Explains an error of the file system. Returns any other error as it is. */
function unwritten(folder: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (error instanceof AppError || !/^E[A-Z]+$/.test(code)) return error;
  const why = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)
    ? 'the disk is full. Free some space, or set backups.directory to another place'
    : ['EACCES', 'EPERM', 'EROFS'].includes(code)
      ? 'Sluice may not write there. Allow it, or set backups.directory to another place'
      : messageOf(error);
  return new AppError(
    'unavailable',
    `Could not write a backup to ${folder}: ${why}. Without a backup, nothing was changed.`,
    {
      cause: error,
    },
  );
}

/** Reads the first line. Undefined if the file is not a backup. */
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

/** Reads the whole file. Throws unless the checksum matches. */
export async function readSealed(path: string): Promise<Record<string, unknown>> {
  const bytes = await readFile(path);
  const seal = bytes.lastIndexOf(SEAL);
  if (seal < 0) throw damaged(path, 'it is incomplete, or not a backup');
  const given = bytes.toString('utf8', seal + SEAL.length).slice(0, -'"}\n'.length);
  const content = parsed(bytes.toString('utf8'));
  const found = createHash('sha256').update(bytes.subarray(0, seal)).digest('hex');
  if (given !== found || !content) throw damaged(path, 'its checksum does not match, so it was changed or damaged');
  return content;
}

function damaged(path: string, why: string): AppError {
  return new AppError(
    'conflict',
    `Cannot use the backup ${path}: ${why}. Nothing was changed. n8n_list_backups shows others of the same workflow.`,
  );
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
