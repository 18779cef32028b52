import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { checkQuery } from '../judge.ts';
import { readablePipeline } from '../pipeline.ts';
import { planOf } from '../plan.ts';
import { shownDocument } from '../shown-document.ts';
import { fields, filterInput, mongodbTool, placeInput, shownFields, sortInput } from '../tool.ts';

export const explain = mongodbTool({
  name: 'mongodb_explain',
  title: 'Explain query',
  description:
    'Shows how the server answers a query: stages, the indexes it uses, and what could make it faster. Give a filter (with sort and so on) or a pipeline; verbosity executionStats runs it and counts what is read.',
  phrases: 'why is this mongo query slow; explain a mongodb query; does it use an index; query plan; collection scan',
  effect: 'read',
  input: z.strictObject({
    ...placeInput,
    method: z.enum(['find', 'aggregate', 'count']).optional().describe('Default find, or aggregate with a pipeline'),
    filter: filterInput.optional(),
    projection: fields.optional().describe('Fields to return'),
    sort: sortInput.optional(),
    limit: z.int().min(1).max(10_000).optional().describe('Of the query'),
    pipeline: z.array(fields).min(1).max(100).optional().describe('Stages, for aggregate'),
    verbosity: z.enum(['queryPlanner', 'executionStats']).default('queryPlanner').describe('Whether to run it'),
  }),
  output: z.object({
    stages: z.array(z.string()),
    indexes: z.array(z.string()),
    returned: z.number().optional(),
    documents_examined: z.number().optional(),
    keys_examined: z.number().optional(),
    milliseconds: z.number().optional(),
    advice: z.array(z.string()),
    plan: shownFields,
  }),
  async run({ method, filter, projection, sort, limit, pipeline, verbosity, ...named }, mongo, { signal }) {
    const place = mongo.place(named);
    const chosen = method ?? (pipeline ? 'aggregate' : 'find');
    if ((chosen === 'aggregate') !== (pipeline !== undefined))
      throw new AppError(
        'invalid_input',
        'A pipeline goes with the method aggregate, and a filter with find or count.',
      );
    checkQuery(projection, 'projection');
    checkQuery(sort, 'sort');
    const query = mongo.filter(filter ?? {});
    const commands = {
      find: () => ({
        find: place.collection,
        filter: query,
        ...(projection && { projection: mongo.values(projection) }),
        ...(sort && { sort }),
        ...(limit !== undefined && { limit }),
      }),
      count: () => ({ count: place.collection, query }),
      aggregate: () => ({
        aggregate: place.collection,
        pipeline: readablePipeline(mongo, place, pipeline ?? []),
        cursor: {},
      }),
    };
    const explained = await mongo.run(place.db, { explain: commands[chosen](), verbosity }, signal);
    const { queryPlanner, executionStats, stages, shards } = explained;
    const winning = (queryPlanner as { winningPlan?: unknown } | undefined)?.winningPlan;
    const plan = planOf({
      ...(winning !== undefined && { winning }),
      executionStats: ranOnly(executionStats),
      stages,
      shards,
    });
    return { ...plan, plan: shownDocument(winning ?? stages ?? shards ?? {}, 3000).value };
  },
});

/** Its tree of stages is that of the winning plan once more. */
function ranOnly(stats: unknown): unknown {
  if (typeof stats !== 'object' || stats === null) return undefined;
  const { executionStages: _, allPlansExecution: __, ...rest } = stats as Record<string, unknown>;
  return rest;
}
