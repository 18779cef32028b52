import { z } from 'zod';
import { aboutRelation, type Item, PARTS, type Part, partOf } from '../catalog/described.ts';
import { relationNamed } from '../catalog/relation.ts';
import { postgresTool } from '../tool.ts';

const items = z.array(z.record(z.string(), z.unknown()));

/** What the parts may take of a reply of 8 KB, which has everything twice. */
const BYTES = 7000;

export const postgresDescribeTable = postgresTool({
  name: 'postgres_describe_table',
  title: 'Describe a table',
  description:
    'Shows a table or view: columns, indexes, constraints, what refers to it, triggers, policies, partitions, size and comments. Example: { "table": "shop.orders" }.',
  phrases:
    'describe table; what columns does the table have; show the schema of a table; table structure; show indexes and foreign keys; definition of a view',
  effect: 'read',
  input: z.strictObject({
    table: z.string().min(1).max(200).describe('Its name, with the schema if it is not found without: shop.orders'),
    part: z.enum(PARTS).optional().describe('Only this part, for tables that do not fit one answer'),
    offset: z.int().min(0).max(10_000).optional().describe('With part: how many of its items to skip'),
  }),
  output: z.object({
    schema: z.string(),
    name: z.string(),
    kind: z.string(),
    rows: z.number().optional().describe('Estimate'),
    size: z.string(),
    comment: z.string().optional(),
    row_security: z.literal(true).optional(),
    definition: z.string().optional(),
    columns: items.optional(),
    indexes: items.optional(),
    constraints: items.optional(),
    referenced_by: items.optional(),
    triggers: items.optional(),
    policies: items.optional(),
    partitions: items.optional(),
    more: z.array(z.string()).optional().describe('Parts that are not shown whole'),
  }),
  async run({ table, part, offset = 0 }, postgres, { signal }) {
    return await postgres.read(async (run) => {
      const relation = await relationNamed(run, postgres, table);
      const { schema, name, kind } = relation;
      const about = await aboutRelation(run, relation);
      const wanted: readonly Part[] = part === undefined ? PARTS : [part];
      const shown = new Map<Part, Item[]>();
      const more: string[] = [];
      let left = BYTES - bytesOf(about);
      for (const one of wanted) {
        const all = (await partOf(run, relation, one)).slice(part === undefined ? 0 : offset);
        if (all.length === 0) continue;
        const fits = all.filter((item) => (left -= bytesOf(item)) >= 0);
        if (fits.length < all.length) more.push(`${one}: ${fits.length} of ${all.length} are shown`);
        shown.set(one, fits);
      }
      return { schema, name, kind, ...about, ...Object.fromEntries(shown), ...(more.length > 0 && { more }) };
    }, signal);
  },
});

function bytesOf(item: unknown): number {
  const json = JSON.stringify(item);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}
