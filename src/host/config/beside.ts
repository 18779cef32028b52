import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileTrouble } from '../../kernel/file-errors.ts';
import type { Claim } from './claims.ts';
import { plainJson } from './jsonc.ts';
import type { Problem } from './problems.ts';
import { isTree, type Tree } from './tree.ts';

/** A JSON file of another program beside the configuration, which completes one of its sections. */
export interface Beside {
  readonly file: string;
  readonly section: string;
  /** Loads what finds the entries that a file adds to a section. `claims` are the names that sources have already. */
  load(): Promise<(content: unknown, section: Tree, claims: readonly Claim[]) => Tree>;
}

/** The configuration with what the files beside it add. */
export interface Completed {
  readonly tree: Tree;
  readonly paths: readonly string[];
  readonly problems: readonly Problem[];
  /** The file beside the configuration that says what is at this path. */
  fileOf(path: readonly PropertyKey[]): string | undefined;
}

/** Reads the files that are there. Only then code is loaded for them. */
export async function readBesides(
  besides: readonly Beside[],
  { tree: given, directory, claims }: { tree: Tree; directory: string; claims(tree: Tree): readonly Claim[] },
): Promise<Completed> {
  let tree = given;
  const problems: Problem[] = [];
  const origins = new Map<string, string>();
  for (const { file, section, load } of besides) {
    const known = tree[section] ?? {};
    // The schema reports a section that is no map.
    if (!isTree(known)) continue;
    const { content, trouble } = await readJson(join(directory, file));
    if (trouble !== undefined)
      problems.push({ path: file, message: trouble, fix: 'Correct it, or rename it if it is not for Sluice.' });
    if (content === undefined) continue;
    const added = (await load())(content, known, claims(tree));
    for (const name of Object.keys(added)) origins.set(keyOf([section, name]), file);
    tree = { ...tree, [section]: { ...known, ...added } };
  }
  return {
    tree,
    paths: besides.map(({ file }) => join(directory, file)),
    problems,
    fileOf: (path) => origins.get(keyOf(path)),
  };
}

const keyOf = (path: readonly PropertyKey[]): string => JSON.stringify(path.slice(0, 2));

/** Neither content nor trouble if there is no file, or nothing in it. */
async function readJson(path: string): Promise<{ content?: unknown; trouble?: string }> {
  let text: string;
  try {
    text = plainJson(await readFile(path, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? {} : { trouble: fileTrouble(error) };
  }
  if (text.trim() === '') return {};
  try {
    return { content: JSON.parse(text) as unknown };
  } catch {
    // The parser's message quotes the text, which may be a secret.
    return { trouble: 'is not valid JSON' };
  }
}
