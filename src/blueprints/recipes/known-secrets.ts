import { AppError } from '../../kernel/errors.ts';
import { createRedactor } from '../../kernel/redact.ts';
import { isPassword } from '../../n8n/templates/export/secret-words.ts';
import { DEEPEST, type Leaf, leafOf, mapped } from './leaf.ts';
import type { RecentCall } from './recent.ts';
import { holdsSecret, type SecretKnowledge } from './secret-values.ts';

/** Looking at a value takes microseconds, and others wait meanwhile. */
const MOST_VALUES = 5000;
const MOST_SECRETS = 500;

/** The secrets of a conversation. */
export interface KnownSecrets {
  has(value: unknown): boolean;
  /** Whether the text contains one of them, or looks as if it were one. `name` is that of the argument. */
  areIn(text: string, name: string): boolean;
}

/**
 * Collects what callers passed as secrets, so that it is noticed in other places, too. All of `calls` are looked at, and of
 * the `others` as many as there is time for, the last first.
 */
export function knownSecrets(
  calls: readonly RecentCall[],
  others: readonly RecentCall[],
  knowledge: SecretKnowledge,
): KnownSecrets {
  const found = new Set<unknown>();
  let left = MOST_VALUES;
  const look = (value: unknown, leaf: Leaf): unknown => {
    if (left-- <= 0 || found.size > MOST_SECRETS) return undefined;
    if (typeof value === 'string') {
      if (value !== '' && (leaf.secret || holdsSecret(value, leaf.name, knowledge))) found.add(value);
    } else if (typeof value === 'number') {
      if (isPassword(leaf.name)) found.add(value);
    } else if (leaf.path.length < DEEPEST) mapped(value, leaf, look);
    return undefined;
  };
  const lookAt = ({ tool, arguments: given }: RecentCall) => void mapped(given ?? {}, leafOf(tool), look);
  for (const call of calls) lookAt(call);
  if (left < 0 || found.size > MOST_SECRETS)
    throw new AppError(
      'too_large',
      `These calls have more than ${MOST_VALUES} values or ${MOST_SECRETS} secrets. Save fewer of them.`,
    );
  for (const call of others.toReversed()) if (left > 0) lookAt(call);
  const texts = [...found].filter((one) => typeof one === 'string');
  const without = createRedactor(() => texts);
  return {
    has: (value) => found.has(value),
    areIn: (text, name) => without(text) !== text || holdsSecret(text, name, knowledge),
  };
}
