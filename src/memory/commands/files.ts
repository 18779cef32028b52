import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { AppError, messageOf } from '../../kernel/errors.ts';
import type { Terminal } from '../../host/terminal.ts';
import { decoded } from '../transfer/decoded.ts';

/** Strings of JavaScript end at 512 MB, and nobody edits such a file. */
const LARGEST = 256 * 1024 * 1024;
const WANTED = /\.(?:md|mdx|markdown|txt|jsonl|ndjson|json)$/i;

/** A file to import. `name` does not depend on where the command runs, so that a second run finds what the first imported. */
export interface FoundFile {
  readonly path: string;
  readonly name: string;
  read(): Promise<string>;
}

export interface Found {
  readonly files: readonly FoundFile[];
  /** Paths that cannot be read. */
  readonly problems: readonly { readonly file: string; readonly reason: string }[];
  /** Files in folders that have another ending. */
  readonly others: number;
}

/** The files that are meant: files as they are, folders with all that is in them, `-` for stdin. */
export async function filesAt(paths: readonly string[], cwd: string, terminal: Terminal): Promise<Found> {
  const files: FoundFile[] = [];
  const problems: { file: string; reason: string }[] = [];
  let others = 0;

  async function visit(path: string, name: string): Promise<void> {
    try {
      for (const entry of (await readdir(path, { withFileTypes: true })).sort(byName)) {
        // What programs keep for themselves: .git, .obsidian, node_modules.
        if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
        const inner = [join(path, entry.name), `${name}/${entry.name}`] as const;
        if (entry.isDirectory()) await visit(...inner);
        else if (entry.isFile() && WANTED.test(entry.name)) files.push(fileAt(...inner));
        else others += 1;
      }
    } catch (error) {
      problems.push({ file: path, reason: reasonOf(error) });
    }
  }

  for (const given of paths) {
    if (given === '-') {
      files.push({ path: 'stdin', name: 'stdin', read: () => fromStdin(terminal) });
      continue;
    }
    const path = resolve(cwd, given);
    try {
      if ((await stat(path)).isDirectory()) await visit(path, basename(path));
      else files.push(fileAt(path, basename(path)));
    } catch (error) {
      problems.push({ file: path, reason: reasonOf(error) });
    }
  }
  return { files, problems, others };
}

async function fromStdin(terminal: Terminal): Promise<string> {
  const text = await terminal.input();
  // It stands where bytes were no UTF-8.
  if (!text.includes('\uFFFD')) return text;
  throw new AppError('invalid_input', 'It is not UTF-8. Convert it, e.g. with `iconv -f latin1 -t utf-8`.');
}

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);

const fileAt = (path: string, name: string): FoundFile => ({
  path,
  name,
  async read() {
    try {
      const { size } = await stat(path);
      if (size > LARGEST)
        throw new AppError('too_large', `It has ${size} bytes; the limit is ${LARGEST}. Split it into several files.`);
      return decoded(await readFile(path));
    } catch (error) {
      throw new AppError('invalid_input', reasonOf(error), { cause: error });
    }
  },
});

const reasons = new Map([
  ['ENOENT', 'There is no such file or folder.'],
  ['EACCES', 'It may not be read: check its permissions.'],
  ['EPERM', 'It may not be read: check its permissions.'],
]);

const reasonOf = (error: unknown): string => reasons.get((error as { code?: string }).code ?? '') ?? messageOf(error);
