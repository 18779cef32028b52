import { createReadStream } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../kernel/errors.ts';
import { fileTrouble } from '../../kernel/file-errors.ts';
import { readStem, unknownBackup } from './backup-id.ts';
import type { BackupPlace } from './place.ts';
import { DRAFT, type OpenFile, writeWhole } from './whole-file.ts';

/** A draft older than this was left behind by a process that was killed. */
const STALE_DRAFT_MS = 3_600_000;
const SUFFIX = '.json';

/** Keeps backups as files in a directory. */
export function diskPlace(directory: string, openFile?: OpenFile): BackupPlace {
  const pathOf = (id: string) => join(directory, `${id}${SUFFIX}`);

  return {
    name: 'disk',

    async list({ instance, folder }) {
      const instances = instance === undefined ? await foldersIn(directory) : [instance];
      const found = await Promise.all(
        instances.map(async (name) => {
          const folders = folder === undefined ? await foldersIn(join(directory, name)) : [folder];
          return Promise.all(
            folders.map(async (each) =>
              (await stemsIn(join(directory, name, each))).map((stem) => `${name}/${each}/${stem}`),
            ),
          );
        }),
      );
      return found.flat(2);
    },

    async start(id, length) {
      const file = await open(pathOf(id), 'r').catch((error: unknown) => {
        throw explained(id, error);
      });
      try {
        const { size } = await file.stat();
        const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(length, size)), 0, undefined, 0);
        return { start: buffer.subarray(0, bytesRead), bytes: size };
      } finally {
        await file.close();
      }
    },

    async *read(id, signal) {
      try {
        yield* createReadStream(pathOf(id), { signal }) as AsyncIterable<Buffer>;
      } catch (error) {
        throw explained(id, error);
      }
    },

    async write(id, content) {
      const path = pathOf(id);
      const bytes = await writeWhole(path, content, openFile);
      await removeDrafts(dirname(path));
      return bytes;
    },

    async remove(ids) {
      for (const id of ids) await rm(pathOf(id), { force: true });
    },

    async sizeOf(ids) {
      const sizes = await Promise.all(
        ids.map((id) =>
          stat(pathOf(id)).then(
            ({ size }) => size,
            () => 0,
          ),
        ),
      );
      return sizes.reduce((sum, size) => sum + size, 0);
    },
  };
}

function explained(id: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (['ENOENT', 'ENOTDIR'].includes(code)) return unknownBackup(id);
  if (!/^E[A-Z]+$/.test(code)) return error;
  const message = `The file of the backup ${id} ${fileTrouble(error)}. Check backups.directory.`;
  return new AppError('unavailable', message, { cause: error });
}

/** Skips files that are not backups of ours. */
async function stemsIn(folder: string): Promise<string[]> {
  return (await entriesOf(folder)).flatMap(({ name }) => {
    const stem = name.slice(0, -SUFFIX.length);
    return name.endsWith(SUFFIX) && readStem(stem) ? [stem] : [];
  });
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await entriesOf(folder);
  return entries.flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith('.') ? [entry.name] : []));
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    const message = `The backup directory ${folder} ${fileTrouble(error)}. Check backups.directory.`;
    throw new AppError('unavailable', message, { cause: error });
  }
}

async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(DRAFT)) continue;
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > STALE_DRAFT_MS) await rm(join(folder, name), { force: true });
  }
}
