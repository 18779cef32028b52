import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { fileTrouble } from '../../kernel/file-errors.ts';
import { fileKey, isFileName } from './file-names.ts';
import { type Form, hashOf, readForm } from './form.ts';
import { emptySide, readSide, SIDE_FOLDER, type Side, sideText } from './side-file.ts';

/** A workflow file: what it has, or why it cannot be read. */
export type Held = { readonly form: Form; readonly hash: string } | { readonly problem: string };

/** A folder with one file for each workflow. Nothing outside of it is ever written. */
export interface Folder {
  readonly files: ReadonlyMap<string, Held>;
  /** Keys of all names in it, also of what is no workflow. */
  readonly taken: ReadonlySet<string>;
  /** By name of the n8n. */
  readonly sides: ReadonlyMap<string, Side>;
  write(file: string, text: string): Promise<void>;
  /** Nothing may have the new name yet. */
  move(file: string, to: string): Promise<void>;
  remove(file: string): Promise<void>;
  writeSide(instance: string, side: Side): Promise<void>;
}

/** n8n accepts 16 MB. */
const LARGEST = 16 * 1024 * 1024;
const MOST_FILES = 20_000;

export async function openFolder(
  given: string,
  { instance, create, pinned }: { instance: string; create: 'now' | 'later' | 'never'; pinned: boolean },
): Promise<Folder> {
  if (create === 'now') await explained(given, mkdir(given, { recursive: true }));
  const isMissing = create === 'later' && !(await stat(given).catch(() => undefined));
  const path = isMissing ? given : await explained(given, realpath(given));
  const entries = isMissing ? [] : await explained(given, readdir(path, { withFileTypes: true }));
  if (entries.length > MOST_FILES) throw new AppError('invalid_input', `${given} has more than ${MOST_FILES} files.`);
  const sides = await readSides(path);
  const withPins = pinned || (sides.get(instance) ?? emptySide).pinnedData;
  const linked = new Set([...sides.values()].flatMap(({ workflows }) => [...workflows.keys()]));
  const files = new Map<string, Held>();
  for (const entry of entries) {
    if (!isFileName(entry.name)) continue;
    const held = entry.isFile()
      ? await heldIn(join(path, entry.name), withPins)
      : entry.isSymbolicLink() && linked.has(entry.name)
        ? { problem: 'It is a symbolic link, and Sluice does not follow links.' }
        : 'no workflow';
    if (held !== 'no workflow') files.set(entry.name, held);
    else if (linked.has(entry.name)) files.set(entry.name, { problem: 'It is no longer a workflow.' });
  }
  return {
    files,
    taken: new Set(entries.map(({ name }) => fileKey(name))),
    sides,
    write: (file, text) => writeWhole(path, file, text),
    async move(file, to) {
      assertFileName(to);
      await rename(join(path, file), join(path, to));
    },
    remove: (file) => rm(join(path, file)),
    async writeSide(name, side) {
      const folder = join(path, SIDE_FOLDER);
      await mkdir(folder, { recursive: true });
      await assertRealFolder(folder);
      await writeWhole(folder, `${name}.json`, sideText(side));
    },
  };
}

async function heldIn(path: string, pinned: boolean): Promise<Held | 'no workflow'> {
  if ((await stat(path)).size > LARGEST) return { problem: 'It is larger than 16 MB, and n8n accepts no more.' };
  const read = readForm(await readFile(path, 'utf8'), pinned);
  return typeof read === 'object' && 'form' in read ? { ...read, hash: hashOf(read.form) } : read;
}

async function readSides(path: string): Promise<Map<string, Side>> {
  const folder = join(path, SIDE_FOLDER);
  const sides = new Map<string, Side>();
  if (!(await lstat(folder).catch(() => undefined))) return sides;
  await assertRealFolder(folder);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!/^[\w-]{1,40}\.json$/.test(entry.name)) continue;
    if (!entry.isFile())
      throw new AppError('invalid_input', `${SIDE_FOLDER}/${entry.name} is not a file. Sluice does not follow links.`);
    const text = await readFile(join(folder, entry.name), 'utf8');
    try {
      sides.set(entry.name.slice(0, -'.json'.length), readSide(text));
    } catch (error) {
      const first = error instanceof SyntaxError ? 'Resolve the merge conflict in it' : 'Correct it';
      const remedy = `${first}, or take an older version from git.`;
      const why = messageOf(error).split('\n').join(' ').slice(0, 300);
      throw new AppError('invalid_input', `${SIDE_FOLDER}/${entry.name} cannot be read: ${why} ${remedy}`);
    }
  }
  return sides;
}

async function assertRealFolder(folder: string): Promise<void> {
  if ((await lstat(folder)).isDirectory()) return;
  throw new AppError('invalid_input', `${folder} is not a directory of its own. Sluice does not follow links.`);
}

function assertFileName(file: string): void {
  if (!isFileName(file)) throw new AppError('internal', 'Not the name of a file in the folder.');
}

/** A reader sees the old file or the new one. A link of this name is replaced, not followed. */
async function writeWhole(folder: string, file: string, text: string): Promise<void> {
  assertFileName(file);
  const draft = join(folder, `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(draft, text, { flag: 'wx', flush: true });
    await rename(draft, join(folder, file));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw new AppError('invalid_input', `${file} could not be written to ${folder}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function explained<T>(given: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new AppError('invalid_input', `${given} ${fileTrouble(error)}`, { cause: error });
  }
}
