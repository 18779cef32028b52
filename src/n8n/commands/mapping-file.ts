import { readFile, rename, writeFile } from 'node:fs/promises';
import { isSeq, parse, parseDocument } from 'yaml';
import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { fileTrouble } from '../../kernel/file-errors.ts';
import type { Json } from '../../kernel/source.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { listPromotions } from '../promotion/list-promotions.ts';

const word = z.string().min(1);
const isNamed = ({ id, name }: { id?: string | undefined; name?: string | undefined }) =>
  id !== undefined || name !== undefined;
const UNNAMED = 'needs an id or a name';

const entryShape = z
  .strictObject({
    type: word.optional(),
    name: word.optional(),
    id: word.optional(),
    to: z.union([word, z.strictObject({ id: word.optional(), name: word.optional() }).refine(isNamed, UNNAMED)]),
  })
  .refine(isNamed, UNNAMED);

const list = z.array(entryShape).default([]);

const fileShape = z.strictObject({ credentials: list, workflows: list, dataTables: list });

export type MappingFile = z.output<typeof fileShape>;
type Entry = z.output<typeof entryShape>;
export type Learned = NonNullable<OutputOf<typeof listPromotions>['mapping']>;

/** Reads a mapping file, YAML or JSON. Undefined if there is none yet. */
export async function readMapping(path: string): Promise<MappingFile | undefined> {
  const text = await textOf(path);
  return text === undefined ? undefined : mappingIn(text, path);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new AppError('invalid_input', `the mapping file ${path} ${fileTrouble(error)}`, { cause: error });
  }
}

export function mappingIn(text: string, path: string): MappingFile {
  let content: unknown;
  try {
    content = parse(text, { maxAliasCount: 0 }) ?? {};
  } catch (error) {
    throw new AppError('invalid_input', `the mapping file ${path} is neither YAML nor JSON`, { cause: error });
  }
  const read = fileShape.safeParse(content);
  if (read.success) return assertApart(read.data, path);
  const [issue] = read.error.issues;
  throw new AppError(
    'invalid_input',
    `the mapping file ${path} is wrong at ${issue?.path.join('.') || 'its top'}: ${issue?.message}`,
  );
}

/** Two entries for the same thing: the second would win, whatever its type. */
function assertApart(file: MappingFile, path: string): MappingFile {
  for (const [section, entries] of Object.entries(file)) {
    const known = new Map<string, string>();
    for (const entry of entries) {
      const before = known.get(keyOf(entry));
      if (before !== undefined && before !== targetOf(entry)) {
        throw new AppError(
          'invalid_input',
          `the mapping file ${path} has several entries for "${keyOf(entry)}" in ${section}. Give each its id`,
        );
      }
      known.set(keyOf(entry), targetOf(entry));
    }
  }
  return file;
}

const keyOf = ({ id, name }: Entry): string => id ?? name ?? '';
const targetOf = ({ to }: Entry): string => (typeof to === 'string' ? to : (to.id ?? to.name ?? ''));

/** The argument of n8n_promote. */
export function mappingArgument({ credentials, workflows, dataTables }: MappingFile): Json {
  const record = (entries: readonly Entry[]) =>
    Object.fromEntries(entries.map((entry) => [keyOf(entry), targetOf(entry)]));
  return { credentials: record(credentials), workflows: record(workflows), data_tables: record(dataTables) };
}

const sections = { credential: 'credentials', workflow: 'workflows', 'data table': 'dataTables' } as const;

/**
 * What promotions learned beyond the file. An entry of the file stays as it is: somebody may have written it. What a
 * promotion wrote itself is left out: it is found by name, and an undo deletes it.
 */
export function learnedBeyond(file: MappingFile, learned: Learned): [section: keyof MappingFile, entry: Entry][] {
  return learned.flatMap(({ kind, promoted, to, id, name, type }): [keyof MappingFile, Entry][] => {
    const section = sections[kind];
    const isKnown = file[section].some(
      (entry) =>
        entry.id === id ||
        (entry.id === undefined && entry.name === name && (entry.type === undefined || entry.type === type)),
    );
    if (promoted || isKnown) return [];
    return [[section, { ...(type !== undefined && { type }), name, id, to: { id: to.id, name: to.name } }]];
  });
}

/** Adds what was learned to the file, and leaves the rest of it alone, with its comments. */
export async function keepLearned(path: string, learned: Learned): Promise<void> {
  const text = (await textOf(path)) ?? '';
  const file = mappingIn(text, path);
  const added = learnedBeyond(file, learned);
  if (added.length === 0 && text !== '') return;
  try {
    // Never leave half a file.
    await writeFile(`${path}.new`, path.endsWith('.json') ? jsonWith(file, added) : yamlWith(text, added));
    await rename(`${path}.new`, path);
  } catch (error) {
    throw new AppError('invalid_input', `the mapping file ${path} ${fileTrouble(error)}`, { cause: error });
  }
}

type Added = ReturnType<typeof learnedBeyond>;

function jsonWith(file: MappingFile, added: Added): string {
  const next: MappingFile = structuredClone(file);
  for (const [section, entry] of added) next[section].push(entry);
  return `${JSON.stringify(next, null, 2)}\n`;
}

function yamlWith(text: string, added: Added): string {
  const document = parseDocument(text);
  if (document.contents === null) document.contents = document.createNode({}) as never;
  for (const section of Object.values(sections)) {
    if (!isSeq(document.get(section))) document.set(section, document.createNode([]));
  }
  for (const [section, entry] of added) {
    const list = document.get(section);
    if (isSeq(list) && list.items.length === 0) list.flow = false;
    document.addIn([section], document.createNode(entry));
  }
  return document.toString();
}
