import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { MOST_BYTES } from '../definition/document.ts';

/** A file as it was read, or why it cannot be. */
export type FileContent = { readonly facts: string } & ({ readonly text: string } | { readonly problem: string });

/** A file that changed so recently may change again without another time of change. */
const SETTLED_MS = 100;

/**
 * Reads a file of a folder, unless it is as it was. ConfigMaps use links inside the folder; a link that leaves it could
 * show any file of the machine. `root` has no links in it. Throws if there is no such file.
 */
export async function readFolderFile(
  root: string,
  file: string,
  before: FileContent | undefined,
): Promise<FileContent> {
  const real = await realpath(file);
  const inside = relative(root, real);
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`))
    return { facts: '', problem: 'It is a link to a file outside of its folder. Copy the file into the folder.' };
  // Opening a pipe would otherwise wait for somebody who writes.
  await using handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
  const stats = await handle.stat({ bigint: true });
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  const facts = `${real} ${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  if (before !== undefined && before.facts === facts) return before;
  if (!stats.isFile()) return { facts, problem: 'It is not a regular file.' };
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(MOST_BYTES + 1), 0, MOST_BYTES + 1, 0);
  const isSettled = Date.now() - Number(ctimeNs / 1_000_000n) > SETTLED_MS;
  const kept = isSettled ? facts : '';
  if (bytesRead > MOST_BYTES) return { facts: kept, problem: `It is larger than ${MOST_BYTES / 1024} KB.` };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead));
    return { facts: kept, text };
  } catch {
    return { facts: kept, problem: 'It is not a text in UTF-8.' };
  }
}
