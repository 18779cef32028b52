import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { percent } from '../health/amounts.ts';
import { queryTextsOf } from '../health/query-text.ts';
import { sceneOf } from '../health/scene.ts';
import { orders, topQueries } from '../health/top-queries.ts';
import { postgresTool } from '../tool.ts';

/** Read ahead for statements that are left out: Sluice's own, and those of schemas out of reach. */
const READ_MORE = 5;

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

export const listTopQueries = postgresTool({
  name: 'postgres_list_top_queries',
  title: 'List the slowest queries',
  description:
    'Lists the statements of this database that cost most since the statistics began, from pg_stat_statements: calls, total and mean time, rows, cache hits, blocks read. Constants are shown as $1, $2. If the extension is missing, the error says how to switch it on.',
  phrases:
    'slow queries; which queries take the most time; top queries; pg_stat_statements; most expensive sql; queries that read the most from disk',
  guidance: 'Pass a slow statement to postgres_suggest_indexes, or to postgres_explain_query.',
  effect: 'read',
  input: z.strictObject({
    by: z.enum(orders).default('total').describe('Sorted by total time, mean time, calls, or blocks read and written'),
    limit: z.int().min(1).max(100).default(10).describe('How many at most'),
  }),
  output: z.object({
    queries: z.array(
      z.object({
        query: z.string(),
        user: z.string().optional(),
        calls: z.int(),
        total_ms: z.number(),
        mean_ms: z.number(),
        max_ms: z.number(),
        rows_per_call: z.number(),
        time_percent: z.number().describe('Of the time of all statements'),
        cache_hit_percent: z.int(),
        blocks_read: z.int(),
        blocks_written: z.int(),
      }),
    ),
    note: z.string().optional(),
  }),
  async run({ by, limit }, postgres, { signal }) {
    const { rows, hidden, seesAll } = await postgres.read(async (run) => {
      const scene = await sceneOf(run, postgres.schemas);
      const texts = await queryTextsOf(run, scene.hidden, scene.schemas);
      const all = await topQueries(run, by, Math.min(1000, limit * READ_MORE));
      const kept = all.filter(({ query }) => !texts.isHidden(query));
      return {
        rows: kept.slice(0, limit).map((one) => ({ ...one, query: texts.shown(one.query, 400) })),
        hidden: all.length - kept.length,
        seesAll: scene.server.seesAll,
      };
    }, signal);
    const queries = rows.map((one) => ({
      query: one.query,
      ...(one.user !== null && { user: one.user }),
      calls: one.calls,
      total_ms: rounded(one.totalMs),
      mean_ms: rounded(one.meanMs),
      max_ms: rounded(one.maxMs),
      rows_per_call: rounded(one.rows / Math.max(1, one.calls)),
      time_percent: rounded(one.share),
      cache_hit_percent: percent(one.hits, one.hits + one.reads),
      blocks_read: one.reads,
      blocks_written: one.written,
    }));
    const count = fittingItems(queries);
    const notes = [
      ...(count < queries.length
        ? [`${queries.length - count} more do not fit: ask for fewer, or sort by something else.`]
        : []),
      ...(hidden > 0 ? [`${hidden} left out: they touch schemas out of reach.`] : []),
      ...(seesAll ? [] : ['Statements of other users are hidden from this user. GRANT pg_monitor shows them.']),
    ];
    return { queries: queries.slice(0, count), ...(notes.length > 0 && { note: notes.join(' ') }) };
  },
});
