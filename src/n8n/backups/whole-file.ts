import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError, messageOf } from '../../kernel/errors.ts';

export type OpenFile = (path: string, flags: string, mode?: number) => Promise<FileHandle>;

/** The suffix of unfinished files. They are never read as backups. */
export const DRAFT = '.tmp';

/** Writes a draft, flushes it to the disk, then renames it. Leaves the complete file or none, and returns its length. */
export async function writeWhole(
  path: string,
  content: Iterable<Buffer> | AsyncIterable<Buffer>,
  openFile: OpenFile = open,
): Promise<number> {
  const folder = dirname(path);
  const draft = join(folder, `.${basename(path)}.${randomBytes(4).toString('hex')}${DRAFT}`);
  let bytes = 0;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await openFile(draft, 'wx', 0o600);
    try {
      for await (const chunk of content) {
        await file.writeFile(chunk);
        bytes += chunk.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    await syncFolder(folder);
    return bytes;
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
