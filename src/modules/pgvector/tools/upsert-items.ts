import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { type Collection, needTable, openCollection } from '../collection.ts';
import { columnsInput } from '../columns.ts';
import { commentOf } from '../remembered.ts';
import { quoted } from '../sql.ts';
import { collectionInput, idInput, pgvectorTool, vectorInput } from '../tool.ts';
import { upsert } from '../upsert.ts';
import { embedded, modelNote, needDimensions, needModel } from '../vectors.ts';

const MOST = 500;
const SHOWN_IDS = 60;
/** About 60 words: the packaged model reads no further. */
const READ_BY_PACKAGED = 400;

const item = z.strictObject({
  id: idInput.optional().describe('Replaces the item with this id; without it, a new one is made'),
  text: z.string().min(1).max(1_000_000).optional().describe('Stored, and turned into the vector unless you pass one'),
  vector: vectorInput.optional().describe('Instead of Sluice’s own'),
  metadata: z.record(z.string(), z.unknown()).optional(),
  fields: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .optional()
    .describe('Other columns of the table'),
});

export const upsertItems = pgvectorTool({
  name: 'pgvector_upsert',
  title: 'Upsert items',
  description:
    'Stores texts with their vectors, or vectors of yours, in a collection; items whose id is there are replaced. All or nothing. Split long texts into passages first.',
  phrases:
    'store texts for semantic search; add documents to the vector store; embed and save; index these passages; replace a document',
  effect: 'update',
  input: z.strictObject({
    collection: collectionInput,
    items: z.array(item).min(1).max(MOST).describe('What to store, each with a text or a vector'),
    columns: columnsInput.optional(),
  }),
  output: z.object({
    inserted: z.int(),
    updated: z.int(),
    ids: z.array(z.string()).describe('In the order of the items, if there are at most 60'),
    model: z.string().optional().describe('The model that made the vectors'),
    note: z.string().optional(),
  }),
  examples: [
    {
      title: 'Two passages',
      arguments: {
        collection: 'docs',
        items: [
          { id: 'a-1', text: 'Backups run at 2 am.', metadata: { source: 'ops.md' } },
          { text: 'Restores need the key.' },
        ],
      },
    },
  ],
  async run({ collection: name, items, columns }, pgvector, { signal }, progress) {
    const collection = await pgvector.read((run) => openCollection(run, pgvector, name, { columns }), signal);
    needTable(collection);
    needPart(collection);
    for (const [at, { text, vector }] of items.entries()) {
      if (text === undefined && vector === undefined)
        throw new AppError('invalid_input', `items.${at} has neither text nor vector.`);
      if (text !== undefined && !collection.roles.text)
        throw new AppError(
          'invalid_input',
          `${name} has no column for texts. Name one in columns.text, or pass vectors only.`,
        );
      if (vector) needDimensions(collection, vector, `items.${at}.vector`);
    }
    const texts = items.flatMap(({ text, vector }) => (vector === undefined && text !== undefined ? [text] : []));
    const key = texts.length > 0 ? await needModel(pgvector, collection, signal) : undefined;
    const made = await embedded(pgvector, texts, signal, (done, of) =>
      progress(done, of + 1, 'Turning texts into vectors'),
    );
    needAlike(items, made);
    const vectors = made.values();
    const ready = items.map((one) => ({ ...one, vector: one.vector ?? (vectors.next().value as Float32Array) }));
    const { ids, inserted, updated } = await pgvector.write(
      async (run) => {
        const result = await upsert(run, collection, ready);
        if (key !== undefined && isEmpty(collection)) await remember(collection, key, run);
        return result;
      },
      { signal },
    );
    progress(texts.length + 1, texts.length + 1);
    const note =
      (key !== undefined && (isEmpty(collection) ? undefined : modelNote(collection, key))) || longNote(key, texts);
    const known = ids.flatMap((id) => id ?? []);
    return {
      inserted,
      updated,
      ids: known.length <= SHOWN_IDS && known.join('').length < 2500 ? known : [],
      ...(key !== undefined && { model: key }),
      ...(note !== undefined && { note }),
    };
  },
});

/** A table that is shared by collections of LangChain shows a row only in one of them. */
function needPart({ table, group, name }: Collection): void {
  if (table.grouping && !group)
    throw new AppError(
      'invalid_input',
      `${name} holds several collections. Name one, as in ${name}/NAME: pgvector_list_collections shows them.`,
    );
}

/** In a column without dimensions, the first vectors decide. */
function needAlike(
  items: readonly { readonly vector?: readonly number[] | undefined }[],
  made: readonly Float32Array[],
): void {
  const sizes = new Set([
    ...items.flatMap(({ vector }) => (vector ? [vector.length] : [])),
    ...made.map(({ length }) => length),
  ]);
  if (sizes.size > 1)
    throw new AppError(
      'invalid_input',
      `The vectors have different dimensions: ${[...sizes].join(', ')}. Use one model for all.`,
    );
}

const isEmpty = ({ dimensions, remembered }: Collection): boolean =>
  dimensions === undefined && remembered.model === undefined;

/** Only its owner may say what is in a table, and a comment of somebody else stays. */
async function remember(
  { from, roles, distance }: Collection,
  model: string,
  run: Parameters<typeof upsert>[0],
): Promise<void> {
  if (roles.vector.comment !== null) return;
  const { rows } = await run<{ owned: boolean }>(
    `SELECT pg_has_role(relowner, 'USAGE') AS owned FROM pg_class WHERE oid = $1::regclass`,
    [from],
  );
  if (rows[0]?.owned)
    await run(`COMMENT ON COLUMN ${from}.${quoted(roles.vector.name)} IS ${commentOf({ model, distance })}`);
}

const longNote = (key: string | undefined, texts: readonly string[]): string | undefined => {
  const long = texts.filter(({ length }) => length > READ_BY_PACKAGED).length;
  return key?.startsWith('use-lite@') && long > 0
    ? `${long} of the texts are longer than the about 60 words that ${key} reads. Split them for a search that finds what is further down.`
    : undefined;
};
