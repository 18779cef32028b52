import type { Candidate, Key } from './candidates.ts';
import { quoted, quotedIn } from './quoted.ts';

const keyText = ({ column, func, descending, pattern }: Key): string => {
  const name = func === undefined ? quoted(column) : `${func}(${quoted(column)})`;
  return `${name}${pattern ? ' text_pattern_ops' : ''}${descending ? ' DESC' : ''}`;
};

/** What stands between the parentheses. */
export const keysText = ({ keys }: Candidate): string => keys.map(keyText).join(', ');

/** The statement that builds it. Without CONCURRENTLY for hypopg, which takes no notice of it. */
export const indexSql = (schema: string, table: string, candidate: Candidate): string =>
  `CREATE INDEX CONCURRENTLY ON ${quotedIn(schema, table)}${candidate.method === 'btree' ? '' : ` USING ${candidate.method}`} (${keysText(candidate)})`;

/** An index that is there: its kind, and its keys as text without operator classes. */
export interface Existing {
  readonly method: string;
  readonly keys: readonly string[];
  readonly isPartial: boolean;
}

/** Whether an index that is there already does what the candidate would. */
export function isCovered(candidate: Candidate, existing: readonly Existing[]): boolean {
  const keys = candidate.keys.map(({ column, func }) =>
    func === undefined ? quoted(column) : `${func}(${quoted(column)})`,
  );
  // Which operator class an index has does not show in its keys: one for LIKE may be missing.
  if (candidate.keys.some(({ pattern }) => pattern)) return false;
  return existing.some(
    (one) =>
      !one.isPartial &&
      one.method === candidate.method &&
      keys.every((key, at) => bare(one.keys[at] ?? '') === bare(key)),
  );
}

/** PostgreSQL writes lower((name)::text). */
const bare = (key: string): string => key.replaceAll(/::[\w ]+|[()"]/g, '');
