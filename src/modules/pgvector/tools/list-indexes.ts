import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { indexOutput, shownIndex } from '../about-collection.ts';
import { openCollection } from '../collection.ts';
import { values } from '../sql.ts';
import { collectionInput, pgvectorTool } from '../tool.ts';

export const listIndexes = pgvectorTool({
  name: 'pgvector_list_indexes',
  title: 'List indexes',
  description:
    'Lists the indexes of a collection: kind, distance, options, size, how often searches used each, and builds under way.',
  phrases:
    'which indexes does the vector table have; is the hnsw index used; how large is the vector index; is the index still being built',
  effect: 'read',
  input: z.strictObject({ collection: collectionInput }),
  output: z.object({
    indexes: z.array(indexOutput.extend({ scans: z.int().describe('How often it was used') })),
    building: z
      .array(z.object({ phase: z.string(), percent: z.int().optional() }))
      .optional()
      .describe('Builds under way'),
  }),
  async run({ collection: name }, pgvector, { signal }) {
    return await pgvector.read(async (run) => {
      const { table, from } = await openCollection(run, pgvector, name);
      const { list, add } = values();
      const { rows } = await run<{ name: string; scans: string }>(
        `SELECT indexrelname::text AS name, idx_scan AS scans FROM pg_stat_all_indexes WHERE relid = ${add(from)}::regclass`,
        list,
      );
      const scans = new Map(rows.map((row) => [row.name, Number(row.scans)]));
      const { rows: building } = await run<{ phase: string; done: string; total: string }>(
        `SELECT phase, tuples_done AS done, tuples_total AS total FROM pg_stat_progress_create_index WHERE relid = $1::regclass LIMIT 5`,
        list,
      );
      const indexes = table.indexes.map((index) => ({ ...shownIndex(index), scans: scans.get(index.name) ?? 0 }));
      return {
        indexes: indexes.slice(0, fittingItems(indexes)),
        ...(building.length > 0 && {
          building: building.map(({ phase, done, total }) => ({
            phase,
            ...(Number(total) > 0 && { percent: Math.floor((100 * Number(done)) / Number(total)) }),
          })),
        }),
      };
    }, signal);
  },
});
