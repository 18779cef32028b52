import { readFile, rename, writeFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { fileTrouble } from '../../kernel/file-errors.ts';
import type { Json } from '../../kernel/source.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { listPromotions } from '../promotion/list-promotions.ts';

const entryShape = z
  .strictObject({
    type: z.string().optional(),
    name: z.string().optional(),
    id: z.string().optional(),
    to: z.union([z.string(), z.strictObject({ id: z.string().optional(), name: z.string().optional() })]),
  })
  .refine(({ id, name }) => id !== undefined || name !== undefined, 'needs an id or a name');

const list = z.array(entryShape).default([]);

const fileShape = z.strictObject({ credentials: list, workflows: list, dataTables: list });

export type MappingFile = z.output<typeof fileShape>;
type Entry = z.output<typeof entryShape>;
export type Learned = NonNullable<OutputOf<typeof listPromotions>['mapping']>;

/** Reads a mapping file, YAML or JSON. One that does not exist yet is empty. */
export async function readMapping(path: string): Promise<MappingFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fileShape.parse({});
    throw new AppError('invalid_input', `the mapping file ${path} ${fileTrouble(error)}`, { cause: error });
  }
  return mappingIn(text, path);
}

export function mappingIn(text: string, path: string): MappingFile {
  let content: unknown;
  try {
    content = parse(text, { maxAliasCount: 0 }) ?? {};
  } catch (error) {
    throw new AppError('invalid_input', `the mapping file ${path} is neither YAML nor JSON`, { cause: error });
  }
  const read = fileShape.safeParse(content);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new AppError(
    'invalid_input',
    `the mapping file ${path} is wrong at ${issue?.path.join('.') || 'its top'}: ${issue?.message}`,
  );
}

/** The argument of n8n_promote. */
export function mappingArgument({ credentials, workflows, dataTables }: MappingFile): Json {
  const record = (entries: readonly Entry[]) =>
    Object.fromEntries(
      entries.flatMap(({ id, name, to }) => {
        const target = typeof to === 'string' ? to : (to.id ?? to.name);
        return target === undefined ? [] : [[id ?? name, target]];
      }),
    );
  return { credentials: record(credentials), workflows: record(workflows), data_tables: record(dataTables) };
}

const sections = { credential: 'credentials', workflow: 'workflows', 'data table': 'dataTables' } as const;

/**
 * The file with what promotions learned. An entry of the file stays as it is: somebody may have written it. Workflows that
 * were promoted themselves are left out: they are found by name, and an undo deletes them.
 */
export function withLearned(file: MappingFile, learned: Learned): MappingFile {
  const next = { credentials: [...file.credentials], workflows: [...file.workflows], dataTables: [...file.dataTables] };
  for (const { kind, promoted, to, id, name, type } of learned) {
    const section = next[sections[kind]];
    if (promoted || section.some((entry) => entry.id === id || (entry.id === undefined && entry.name === name)))
      continue;
    section.push({ ...(type !== undefined && { type }), name, id, to: { id: to.id, name: to.name } });
  }
  return next;
}

export async function writeMapping(path: string, file: MappingFile): Promise<void> {
  const text = path.endsWith('.json') ? `${JSON.stringify(file, null, 2)}\n` : stringify(file);
  try {
    // Never leave half a file.
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  } catch (error) {
    throw new AppError('invalid_input', `the mapping file ${path} ${fileTrouble(error)}`, { cause: error });
  }
}
