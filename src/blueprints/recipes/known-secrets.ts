import { isPassword } from '../../n8n/templates/export/secret-words.ts';
import { DEEPEST, leafOf, mapped, type Leaf } from './leaf.ts';
import type { RecentCall } from './recent.ts';
import { holdsSecret, type SecretKnowledge } from './secret-values.ts';

/** Shorter ones occur in other texts by chance. */
const SHORTEST_WITHIN = 6;

/** The secrets of a conversation. */
export interface KnownSecrets {
  has(value: unknown): boolean;
  /** Whether the text contains one of them, or looks as if it were one. `name` is that of the argument. */
  areIn(text: string, name: string): boolean;
}

/** Collects what callers passed as secrets, so that it is noticed in other places, too. */
export function knownSecrets(calls: readonly RecentCall[], knowledge: SecretKnowledge): KnownSecrets {
  const found = new Set<unknown>();
  const look = (value: unknown, leaf: Leaf): unknown => {
    if (typeof value === 'string') {
      if (value !== '' && (leaf.secret || holdsSecret(value, leaf.name, knowledge))) found.add(value);
    } else if (typeof value === 'number') {
      if (isPassword(leaf.name)) found.add(value);
    } else if (leaf.path.length < DEEPEST) mapped(value, leaf, look);
    return undefined;
  };
  for (const { tool, arguments: given } of calls) mapped(given ?? {}, leafOf(tool), look);
  const within = [...found].filter((one): one is string => typeof one === 'string' && one.length >= SHORTEST_WITHIN);
  return {
    has: (value) => found.has(value),
    areIn: (text, name) => within.some((secret) => text.includes(secret)) || holdsSecret(text, name, knowledge),
  };
}
