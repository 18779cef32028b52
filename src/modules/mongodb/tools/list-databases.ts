import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { mongodbTool } from '../tool.ts';

export const listDatabases = mongodbTool({
  name: 'mongodb_list_databases',
  title: 'List databases',
  description: 'Lists the databases in reach, with their size on disk.',
  phrases: 'which databases are there in mongo; list mongodb databases; show dbs; how big are my mongo databases',
  effect: 'read',
  input: z.strictObject({ after: z.string().max(200).optional().describe('Continue after this name') }),
  output: z.object({
    databases: z.array(z.object({ name: z.string(), bytes: z.number(), is_empty: z.boolean() })),
    next_after: z.string().optional(),
  }),
  async run({ after }, mongo, { signal }) {
    const { databases } = await mongo.run(mongo.server(), { listDatabases: 1, authorizedDatabases: true }, signal);
    const all = (databases as { name: string; sizeOnDisk?: unknown; empty?: boolean }[])
      .filter(({ name }) => mongo.access.hasDatabase(name) && (after === undefined || name > after))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, sizeOnDisk, empty }) => ({ name, bytes: Number(sizeOnDisk ?? 0), is_empty: empty ?? false }));
    const shown = all.slice(0, fittingItems(all, { next_after: 'x'.repeat(64) }));
    return { databases: shown, ...(shown.length < all.length && { next_after: shown.at(-1)?.name }) };
  },
});
