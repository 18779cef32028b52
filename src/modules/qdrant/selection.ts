import { AppError } from '../../kernel/errors.ts';
import { countAnswer, type PointId, sentId } from './answers.ts';
import type { Collection } from './collection.ts';
import type { Qdrant } from './connection.ts';
import { needCondition } from './filter.ts';

interface Selected {
  readonly ids?: readonly PointId[] | undefined;
  readonly filter?: Readonly<Record<string, unknown>> | undefined;
}

/** The filter that means these points. Never one that means all. */
export function selection({ ids, filter }: Selected): Readonly<Record<string, unknown>> {
  if ((ids === undefined) === (filter === undefined))
    throw new AppError('invalid_input', 'Pass either ids or a filter: which points are meant.');
  if (filter) {
    needCondition(filter);
    return filter;
  }
  return { must: [{ has_id: [...new Set(ids)].map(sentId) }] };
}

/** How many points are meant. Refuses to go on with none. */
export async function countMeant(
  qdrant: Qdrant,
  { path, name }: Collection,
  filter: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<number> {
  const body = { exact: true, filter };
  const { count } = await qdrant.ask(countAnswer, `${path}/points/count`, { method: 'POST', body, signal });
  if (count === 0) throw new AppError('not_found', `No point of ${name} is meant by this. Nothing was changed.`);
  return count;
}
