import type { Json, Outcome } from '../../kernel/source.ts';
import type { OwnRecords } from '../../n8n/generate/records.ts';
import { fitting, learn, type Learned, outputSchemaOf } from './output-schema.ts';

const KEY = 'runs.outputs';

/** Derives output schemas from results, for `outputSchema: infer`. */
export interface Learning {
  restore(): Promise<void>;
  schemaOf(key: string): Json | undefined;
  /** Learns from a result, and makes it fit the `listed` schema. Calls `onNews` if the schema changed. */
  from(key: string, outcome: Outcome, listed: Json | undefined, onNews: (stored: Promise<void>) => void): Outcome;
}

export function createLearning(records: OwnRecords): Learning {
  const learned = new Map<string, Learned>();
  return {
    async restore() {
      const stored = await records.get(KEY);
      for (const [key, one] of Array.isArray(stored) ? (stored as [string, Learned][]) : []) learned.set(key, one);
    },
    schemaOf(key) {
      const known = learned.get(key);
      return known && outputSchemaOf(known);
    },
    from(key, outcome, listed, onNews) {
      if (!('result' in outcome) || outcome.result.isError === true) return outcome;
      const given = (outcome.result.structuredContent ?? {}) as Json;
      const known = learned.get(key);
      const next = learn(known, given);
      if (JSON.stringify(next) !== JSON.stringify(known)) {
        learned.set(key, next);
        onNews(records.put(KEY, [...learned]));
      }
      // The client validates against the schema it has listed. The text still contains everything.
      return listed
        ? { ...outcome, result: { ...outcome.result, structuredContent: fitting(listed, given) } }
        : outcome;
    },
  };
}
