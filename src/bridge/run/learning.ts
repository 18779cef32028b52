import type { Json, Outcome } from '../../kernel/source.ts';
import type { OwnRecords } from '../../n8n/generate/records.ts';
import { fitting, learn, type Learned, outputSchemaOf } from './output-schema.ts';

const KEY = 'runs.outputs';

/** Learns from results what results are like, for those tools whose owner asked for an output schema. */
export interface Learning {
  restore(): Promise<void>;
  schemaOf(key: string): Json | undefined;
  /** The result as whoever was told `listed` expects it. `onNews` hears when the schema is another one now. */
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
      // Who has listed it expects what was listed, and nothing else; the text says all of it.
      return listed
        ? { ...outcome, result: { ...outcome.result, structuredContent: fitting(listed, given) } }
        : outcome;
    },
  };
}
