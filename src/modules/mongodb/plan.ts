/** A query plan in short. */
export interface Plan {
  /** The stages of the winning plan, from the last to the first: `LIMIT < FETCH < IXSCAN`. */
  readonly stages: string[];
  readonly indexes: string[];
  /** How the query ran; only if it did. */
  readonly returned?: number;
  readonly documents_examined?: number;
  readonly keys_examined?: number;
  readonly milliseconds?: number;
  /** What the plan means. */
  readonly advice: string[];
}

type Fields = Readonly<Record<string, unknown>>;

const MOST_STAGES = 60;

/** The winning plan of what `explain` answers, in any of its shapes: find, aggregate, both engines, shards. */
export function planOf(explained: unknown): Plan {
  const stages: string[] = [];
  const indexes = new Set<string>();
  let ran: Fields | undefined;

  function look(value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > 40 || stages.length > MOST_STAGES) return;
    if (Array.isArray(value)) {
      for (const one of value) look(one, depth + 1);
      return;
    }
    const {
      stage,
      indexName,
      rejectedPlans: _,
      slotBasedPlan: __,
      command: ___,
      executionStats,
      ...rest
    } = value as Fields;
    if (isFields(executionStats) && typeof executionStats.nReturned === 'number') ran ??= executionStats;
    if (typeof stage === 'string') stages.push(stage);
    if (typeof indexName === 'string') indexes.add(indexName);
    for (const [key, inner] of Object.entries(rest)) {
      // Stages of a pipeline that the query engine leaves to the aggregation.
      if (/^\$[a-z]/i.test(key) && key !== '$cursor') stages.push(key);
      else if (key !== 'parsedQuery' && key !== 'indexFilterSet' && key !== 'keyPattern') look(inner, depth + 1);
    }
  }

  look(explained, 0);
  const numbers: Omit<Plan, 'stages' | 'indexes' | 'advice'> = ran
    ? {
        returned: Number(ran.nReturned),
        documents_examined: Number(ran.totalDocsExamined ?? 0),
        keys_examined: Number(ran.totalKeysExamined ?? 0),
        milliseconds: Number(ran.executionTimeMillis ?? 0),
      }
    : {};
  return { stages, indexes: [...indexes], ...numbers, advice: adviceFor(stages, numbers) };
}

function adviceFor(stages: readonly string[], { returned, documents_examined: examined }: Partial<Plan>): string[] {
  const advice: string[] = [];
  if (stages.includes('COLLSCAN'))
    advice.push('No index fits: every document is read. mongodb_create_index makes one on the fields of the filter.');
  if (stages.includes('SORT'))
    advice.push('The sort is done in memory. An index that ends with the sort fields avoids it.');
  if (
    !stages.includes('COLLSCAN') &&
    examined !== undefined &&
    returned !== undefined &&
    examined > 10 * returned + 100
  )
    advice.push(`${examined} documents were read for ${returned} results. A more selective index would read fewer.`);
  return advice;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
