import { AppError } from '../../kernel/errors.ts';

const CLAUSES = ['must', 'should', 'must_not', 'min_should'] as const;
const DEEPEST = 20;

/** Whether a filter has a condition at all. One without matches every point. */
export function hasCondition(filter: unknown, depth = 0): boolean {
  if (depth > DEEPEST) throw new AppError('invalid_input', 'The filter is nested too deeply.');
  if (Array.isArray(filter)) return filter.some((one) => hasCondition(one, depth + 1));
  if (filter === null || typeof filter !== 'object') return false;
  const clauses = CLAUSES.filter((clause) => clause in filter);
  if (clauses.length === 0) return depth > 0 && Object.keys(filter).length > 0;
  return clauses.some((clause) => {
    const inner = (filter as Record<string, unknown>)[clause];
    const list = clause === 'min_should' ? (inner as { conditions?: unknown } | null)?.conditions : inner;
    return hasCondition(Array.isArray(list) ? list : [list], depth + 1);
  });
}

export function needCondition(filter: Readonly<Record<string, unknown>>): void {
  if (hasCondition(filter)) return;
  throw new AppError(
    'invalid_input',
    'The filter has no condition, so it would match every point. Write one, such as {"must": [{"key": "source", "match": {"value": "a.pdf"}}]}.',
  );
}
