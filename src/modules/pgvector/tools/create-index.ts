import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { createHash } from 'node:crypto';
import { builtIndex } from '../build-index.ts';
import { type Collection, needTable, openCollection } from '../collection.ts';
import { columnsInput } from '../columns.ts';
import { countOf } from '../count.ts';
import { type Distance, distanceInput, ways } from '../distance.ts';
import { wordsSql } from '../search.ts';
import { quoted } from '../sql.ts';
import { collectionInput, pgvectorTool } from '../tool.ts';

/** What an index can hold. */
const MOST = { vector: 2000, halfvec: 4000 };
const COUNTED = 10_000_000;

export const createIndex = pgvectorTool({
  name: 'pgvector_create_index',
  title: 'Create index',
  description:
    'Builds an index while the table stays usable: hnsw (fast and exact enough, the usual choice) or ivfflat (smaller, needs data first) for searches, metadata for filters, words for searches with words.',
  phrases: 'speed up vector search; build an hnsw index; index the embeddings; make metadata filters faster',
  effect: 'create',
  input: z.strictObject({
    collection: collectionInput,
    kind: z.enum(['hnsw', 'ivfflat', 'metadata', 'words']).default('hnsw'),
    distance: distanceInput.optional().describe('Default: that of the collection'),
    m: z.int().min(2).max(100).optional().describe('hnsw: connections of each vector; default 16'),
    ef_construction: z.int().min(4).max(1000).optional().describe('hnsw: care in building; default 64, at least 2 m'),
    lists: z.int().min(1).max(32_768).optional().describe('ivfflat: default by the number of items'),
    columns: columnsInput.optional(),
  }),
  output: z.object({
    index: z.string(),
    kind: z.string(),
    on: z.string(),
    seconds: z.number(),
    note: z.string().optional(),
  }),
  async run({ collection: name, kind, distance, columns, ...options }, pgvector, { signal }, progress) {
    const [collection, items] = await pgvector.read(async (run) => {
      const opened = await openCollection(run, pgvector, name, { columns, distance });
      return [opened, (await countOf(run, { ...opened, name }, COUNTED)).count] as const;
    }, signal);
    needTable(collection);
    if (collection.group)
      throw new AppError(
        'invalid_input',
        `An index covers the whole table: use ${collection.table.name} as collection.`,
      );
    const { on, using, given } = plan(collection, kind, options, items);
    const index = nameOf(collection, kind, on);
    const ready = collection.table.indexes.find((one) => one.name === index);
    if (ready?.isValid) throw new AppError('conflict', `${name} has this index already: ${index}.`);
    const seconds = await builtIndex(
      pgvector,
      {
        name: index,
        table: collection.from,
        sql: `CREATE INDEX CONCURRENTLY ${quoted(index)} ON ${collection.from} USING ${using}${given}`,
        leftOver: ready !== undefined,
      },
      signal,
      progress,
    );
    const note =
      kind === 'ivfflat' && items < 1000
        ? 'ivfflat learns from the items that are there. Build it again when there are more, or use hnsw.'
        : undefined;
    return { index, kind, on, seconds, ...(note !== undefined && { note }) };
  },
});

interface Options {
  readonly m?: number | undefined;
  readonly ef_construction?: number | undefined;
  readonly lists?: number | undefined;
}

function plan(
  collection: Collection,
  kind: 'hnsw' | 'ivfflat' | 'metadata' | 'words',
  { m, ef_construction, lists }: Options,
  items: number,
) {
  const { roles, name } = collection;
  if (kind === 'metadata') {
    if (roles.metadata?.type !== 'jsonb')
      throw new AppError('invalid_input', `${name} has no metadata of type jsonb, and only jsonb can be indexed.`);
    const on = quoted(roles.metadata.name);
    return { on, using: `gin (${on} jsonb_path_ops)`, given: '' };
  }
  if (kind === 'words') {
    const on = wordsSql(collection);
    return { on, using: `gin (${on})`, given: '' };
  }
  const { on, operators } = indexed(collection, collection.distance);
  const rows = items > 1_000_000 ? Math.round(Math.sqrt(items)) : Math.max(1, Math.round(items / 1000));
  const settings =
    kind === 'hnsw'
      ? Object.entries({ m, ef_construction: ef_construction ?? (m !== undefined && m > 32 ? 2 * m : undefined) })
      : Object.entries({ lists: lists ?? rows });
  const given = settings.flatMap(([option, value]) => (value === undefined ? [] : [`${option} = ${value}`]));
  return {
    on,
    using: `${kind} (${on} ${operators})`,
    given: given.length > 0 ? ` WITH (${given.join(', ')})` : '',
  };
}

/** A column without dimensions, or with more than an index can hold, is indexed as another type. */
function indexed(
  { roles, dimensions, extension, name }: Collection,
  distance: Distance,
): { on: string; operators: string } {
  const column = quoted(roles.vector.name);
  const operatorsOf = (type: string) => extension.named(`${type}_${ways[distance].operators}`);
  const type = roles.vector.type as 'vector' | 'halfvec';
  if (dimensions === undefined)
    throw new AppError('invalid_input', `${name} declares no dimensions and has no vectors yet. Add items first.`);
  const fits =
    dimensions <= MOST[type] ? type : dimensions <= MOST.halfvec && extension.hasHalf ? 'halfvec' : undefined;
  if (fits === undefined)
    throw new AppError(
      'unsupported',
      `Vectors of ${dimensions} dimensions cannot be indexed: at most ${extension.hasHalf ? MOST.halfvec : MOST.vector}.`,
    );
  if (fits === type && roles.vector.dimensions !== undefined) return { on: column, operators: operatorsOf(type) };
  return { on: `(${column}::${extension.named(fits)}(${dimensions}))`, operators: operatorsOf(fits) };
}

/** Always the same for the same index, and at most 63 bytes. */
function nameOf({ table, distance }: Collection, kind: string, on: string): string {
  const full = `${table.name}_${kind === 'metadata' || kind === 'words' ? kind : `${kind}_${distance}`}`;
  const mark = createHash('sha256').update(`${full} ${on}`).digest('hex').slice(0, 6);
  const room = Buffer.from(full)
    .subarray(0, 50)
    .toString('utf8')
    .replace(/\ufffd$/, '');
  return `${room}_${mark}`;
}
