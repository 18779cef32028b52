import { AppError } from '../../kernel/errors.ts';
import { createRedactor } from '../../kernel/redact.ts';
import { DEEPEST, type Leaf, leafOf, mapped } from './leaf.ts';
import type { RecentCall } from './recent.ts';
import { holdsSecret, isPasswordName, type SecretKnowledge } from './secret-values.ts';

/** Looking at a value takes microseconds, and others wait meanwhile. */
const MOST_VALUES = 5000;
const MOST_SECRETS = 500;
/** Looked at in texts that are JSON. */
const MOST_IN_TEXTS = 5000;

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
  let leftInTexts = MOST_IN_TEXTS;
  const lookInText = (value: unknown, leaf: Leaf): unknown => (leftInTexts-- > 0 ? seen(value, leaf) : undefined);
  const look = (value: unknown, leaf: Leaf): unknown => (left-- > 0 ? seen(value, leaf, look) : undefined);
  function seen(value: unknown, leaf: Leaf, inner = lookInText): undefined {
    if (found.size > MOST_SECRETS) return;
    if (typeof value === 'string') {
      if (value !== '' && (leaf.secret || holdsSecret(value, leaf.name, knowledge))) found.add(value);
      // The body of a request is often JSON, and has secrets at any depth.
      if (leaf.path.length < DEEPEST) mapped(dataIn(value), leaf, lookInText);
    } else if (typeof value === 'number') {
      if (isPasswordName(leaf.name)) found.add(value);
    } else if (leaf.path.length < DEEPEST) mapped(value, leaf, inner);
  }
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

function dataIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
