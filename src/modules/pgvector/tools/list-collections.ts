import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import type { Run } from '../../postgres/connection.ts';
import { indexKinds } from '../about-collection.ts';
import { openCollection } from '../collection.ts';
import type { Pgvector } from '../connect.ts';
import { countOf } from '../count.ts';
import { extensionOf } from '../extension.ts';
import { quoted } from '../sql.ts';
import { type Table, tablesOf } from '../tables.ts';
import { pgvectorTool } from '../tool.ts';

const PAGE = 50;
const COUNTED = 10_000;
const MOST_GROUPS = 50;

export const listCollections = pgvectorTool({
  name: 'pgvector_list_collections',
  title: 'List collections',
  description:
    'Lists the collections: every table with a vector column, also those of n8n and LangChain, with how many items and dimensions each has.',
  phrases:
    'which vector tables are there; list vector collections; what can i search by meaning; show embeddings tables',
  effect: 'read',
  input: z.strictObject({
    cursor: z.string().max(300).optional().describe('next_cursor of the page before'),
  }),
  output: z.object({
    collections: z.array(
      z.object({
        name: z.string(),
        items: z.int(),
        approximate: z.boolean().optional().describe('items is an estimate'),
        dimensions: z.int().optional(),
        model: z.string().optional().describe('The model of its vectors, if it is known'),
        index: z.string().optional().describe('The kind of index that serves searches'),
        view: z.boolean().optional().describe('Can only be read'),
        more_parts: z.int().optional().describe('Parts that are not shown'),
        parts: z.array(z.string()).optional().describe('Collections of LangChain inside: search one by this name'),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  async run({ cursor }, pgvector, { signal }) {
    return await pgvector.read(async (run) => {
      const extension = await extensionOf(run);
      const { schema } = pgvector;
      const tables = await tablesOf(run, extension, { schema, after: cursor, limit: PAGE + 1 });
      const page = tables.slice(0, PAGE);
      const shown = [];
      for (const table of page) {
        const one = await collectionShown(run, pgvector, table);
        if (one) shown.push(one);
      }
      const fits = fittingItems(shown);
      const last = fits < shown.length ? shown[fits - 1]?.name : tables.length > PAGE ? page.at(-1)?.name : undefined;
      return { collections: shown.slice(0, fits), ...(last !== undefined && { next_cursor: last }) };
    }, signal);
  },
});

async function collectionShown(run: Run, pgvector: Pgvector, table: Table) {
  const parts = table.grouping ? await partsOf(run, table) : [];
  const isAllowed = pgvector.collections.has(table.name);
  const open = isAllowed ? parts : parts.filter((part) => pgvector.collections.has(part));
  if (!isAllowed && open.length === 0) return undefined;
  const everything = { schema: pgvector.schema, collections: { has: () => true, need: () => {} } };
  const collection = await openCollection(run, everything, isAllowed ? table.name : (open[0] as string));
  const { dimensions, remembered } = collection;
  const { count, approximate } = await countOf(run, collection, COUNTED);
  const [index] = indexKinds(collection);
  const shownParts = fittingItems(open, 'x'.repeat(1500));
  return {
    name: table.name,
    items: count,
    ...(approximate && { approximate }),
    ...(dimensions !== undefined && { dimensions }),
    ...(remembered.model !== undefined && { model: remembered.model }),
    ...(index !== undefined && { index }),
    ...(table.kind === 'view' && { view: true }),
    ...(open.length > 0 && { parts: open.slice(0, shownParts) }),
    ...(open.length > shownParts && { more_parts: open.length - shownParts }),
  };
}

async function partsOf(run: Run, { name: table, grouping }: Table): Promise<string[]> {
  if (!grouping) return [];
  const { rows } = await run<{ name: string | null }>(
    `SELECT left(name::text, 200) AS name FROM ${quoted(grouping.schema)}.${quoted(grouping.table)} ORDER BY name LIMIT ${MOST_GROUPS}`,
  );
  return rows.flatMap(({ name }) => (name === null ? [] : [`${table}/${name}`]));
}
