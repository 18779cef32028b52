import { z } from 'zod';
import { AppError, messageOf } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shortened } from '../../shown.ts';
import { relationNamed } from '../catalog/relation.ts';
import type { Postgres, Run } from '../connection.ts';
import { type Advised, advise } from '../health/advise.ts';
import { sizeText } from '../health/amounts.ts';
import { hypopgIn, hypopgMissing } from '../health/hypothetical.ts';
import { tableFinder } from '../health/indexed-table.ts';
import { queryTextsOf } from '../health/query-text.ts';
import { impatient, sceneOf } from '../health/scene.ts';
import { topQueries } from '../health/top-queries.ts';
import { needReach } from '../reach.ts';
import { parseSql } from '../sql/parse.ts';
import { readingOf } from '../sql/read-only.ts';
import type { Touched } from '../sql/touched.ts';
import { postgresTool } from '../tool.ts';

const MOST_QUERIES = 20;
const OF_TOP = 50;

type Checked = Advised & { readonly touched: Touched };

/** A statement that a plan can be made for: it must pass the same checks as one that is explained. */
async function advised(sql: string): Promise<Checked> {
  const { kind, node, sql: text } = await parseSql(sql);
  const query = { [kind]: node };
  if (!['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'].includes(kind))
    throw new AppError(
      'invalid_input',
      `Indexes help SELECT, UPDATE and DELETE. This is neither: ${sql.slice(0, 100)}`,
    );
  const { touched } = readingOf({ kind: 'ExplainStmt', node: { query }, sql: text });
  return { sql: text, tree: query, touched };
}

/** The statements that cost most, without those that cannot be planned. */
async function fromStatistics(run: Run, postgres: Postgres): Promise<Advised[]> {
  const scene = await sceneOf(run, postgres.schemas);
  const texts = await queryTextsOf(run, scene.hidden, scene.schemas);
  const found: Advised[] = [];
  for (const { query } of await topQueries(run, 'total', OF_TOP)) {
    if (found.length >= MOST_QUERIES || texts.isHidden(query) || query.length >= 5000) continue;
    try {
      const one = await advised(query);
      await needReach(run, postgres.schemas, one.touched, { mayChange: true });
      found.push(one);
    } catch (error) {
      // Utility statements, those of other users, which are hidden, and those out of reach.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return found;
}

export const suggestIndexes = postgresTool({
  name: 'postgres_suggest_indexes',
  title: 'Suggest indexes for queries',
  description:
    'Suggests indexes for statements: `sql`, `queries`, or by default those that cost most (pg_stat_statements). With the extension hypopg each is tried as a hypothetical index, and only those that the planner takes and that save over 10 % are suggested, with the cost before and after; otherwise they are guesses, marked as untested. Builds nothing.',
  phrases:
    'which index would make this query faster; suggest indexes; index advisor; tune a slow query; missing index; optimize sql',
  effect: 'read',
  input: z.strictObject({
    sql: z.string().min(1).max(50_000).optional().describe('One statement; $1 for values is fine'),
    queries: z.array(z.string().min(1).max(50_000)).min(1).max(MOST_QUERIES).optional().describe('Several statements'),
    table: z.string().min(1).max(300).optional().describe('Only indexes on this table: orders or shop.orders'),
  }),
  output: z.object({
    tested: z.boolean().describe('Whether hypopg could try the indexes'),
    suggestions: z.array(
      z.object({
        create: z.string().describe('The statement that builds it'),
        table: z.string(),
        tested: z.boolean().describe('false: a guess from the conditions of the statement'),
        size: z.string().optional().describe('Estimated'),
        saves_percent: z.int().optional().describe('Of the cost of the statements it helps'),
        helps: z.array(
          z.object({
            query: z.int().describe('Which statement, from 1'),
            cost_before: z.number().optional(),
            cost_after: z.number().optional(),
          }),
        ),
      }),
    ),
    queries: z
      .array(z.object({ query: z.int(), sql: z.string() }))
      .optional()
      .describe('The statements that they help, if they come from the statistics'),
    more: z.int().optional(),
    notes: z.array(z.string()).optional(),
  }),
  async run({ sql, queries, table }, postgres, { signal }) {
    const given = [...(sql === undefined ? [] : [sql]), ...(queries ?? [])];
    const statements: Checked[] = [];
    for (const [at, one] of given.entries())
      try {
        statements.push(await advised(one));
      } catch (error) {
        if (!(error instanceof AppError) || given.length === 1) throw error;
        throw new AppError(error.code, `Query ${at + 1}: ${messageOf(error)}`, { cause: error });
      }
    return await postgres.read(async (run) => {
      await impatient(run);
      // Planning runs no volatile function.
      for (const { touched } of statements) await needReach(run, postgres.schemas, touched, { mayChange: true });
      const target = table === undefined ? undefined : await relationNamed(run, postgres, table);
      const all = given.length > 0 ? statements : await fromStatistics(run, postgres);
      const hypopg = await hypopgIn(run);
      const canTry = hypopg !== undefined;
      const advice = await advise(run, all, tableFinder(run, postgres.schemas), {
        hypopg,
        isStrict: given.length === 1,
        only: target && `${target.schema}.${target.name}`,
      });
      const suggestions = advice.suggestions.map(({ sql: create, table: on, isTested, bytes, helps }) => {
        const before = helps.reduce((sum, help) => sum + (help.before ?? 0), 0);
        const after = helps.reduce((sum, help) => sum + (help.after ?? 0), 0);
        return {
          create,
          table: on,
          tested: isTested,
          ...(bytes !== undefined && { size: sizeText(bytes) }),
          ...(isTested && { saves_percent: Math.floor((1 - after / before) * 100) }),
          helps: helps.slice(0, 10).map((help) => ({
            query: help.query,
            ...(help.before !== undefined && { cost_before: Math.round(help.before) }),
            ...(help.after !== undefined && { cost_after: Math.round(help.after) }),
          })),
        };
      });
      const notes = [
        ...(canTry ? [] : [`These are untested guesses. ${(await hypopgMissing(run)).message}`]),
        ...(suggestions.length === 0 ? ['No index would help: what there is suffices, or the tables are small.'] : []),
        ...advice.notes.slice(0, 5),
      ];
      const used = new Set(suggestions.flatMap(({ helps }) => helps.map(({ query }) => query)));
      const shown = given.length === 0 && {
        queries: all.flatMap(({ sql: text }, at) =>
          used.has(at + 1) ? [{ query: at + 1, sql: shortened(text.replaceAll(/\s+/g, ' '), 120) }] : [],
        ),
      };
      const count = fittingItems(suggestions, { notes, ...shown });
      return {
        tested: canTry,
        suggestions: suggestions.slice(0, count),
        ...shown,
        ...(count < suggestions.length && { more: suggestions.length - count }),
        ...(notes.length > 0 && { notes }),
      };
    }, signal);
  },
});
