import { HIDDEN, isSecretName, isSecretVariable, withoutSecrets } from '../secrets.ts';

const DEEPEST = 60;

/** Links that let whoever has them take over an account, and texts that usually hold a key. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'inviteAcceptUrl',
  'resetPasswordUrl',
  'rawApiKey',
  'jwt',
  'dsn',
  'exporterHeaders',
  'jsonHeaders',
]);

/** The keys of a pair in which one names the other: `{ name: 'Authorization', value: '…' }`. */
const NAMES = ['name', 'key'];

export interface Masked {
  readonly value: unknown;
  /** Whether something was hidden. */
  readonly hides: boolean;
}

/** A request or an answer without its secrets. `path` says what it is about. */
export function masked(value: unknown, path: string): Masked {
  const found = { hides: false };
  const isCredential = /^\/api\/v1\/credentials(?:\/[^/]+)?$/i.test(path);
  const isVariable = /^\/api\/v1\/variables(?:\/|$)/i.test(path);
  const hidden = () => {
    found.hides = true;
    return HIDDEN;
  };

  function inner(one: unknown, depth: number): unknown {
    if (typeof one === 'string') {
      const text = withoutSecrets(one);
      if (text !== one) found.hides = true;
      return text;
    }
    if (typeof one !== 'object' || one === null) return one;
    if (depth > DEEPEST) return '[too deep]';
    if (Array.isArray(one)) return one.map((item) => inner(item, depth + 1));
    const record = one as Record<string, unknown>;
    const label = NAMES.map((key) => record[key]).find((name) => typeof name === 'string');
    const isSecretPair =
      label !== undefined && 'value' in record && (isVariable ? isSecretVariable(label) : isSecretName(label));
    return Object.fromEntries(
      Object.entries(record).map(([key, below]) => {
        const isSecret =
          (isSecretPair && key === 'value') ||
          SECRET_FIELDS.has(key) ||
          (isSecretName(key) && isValue(key, below)) ||
          // The values of a credential; in a list, `data` has the credentials themselves.
          (isCredential && key === 'data' && !Array.isArray(below));
        return [key, isSecret && !isEmpty(below) ? hidden() : inner(below, depth + 1)];
      }),
    );
  }

  const shown = inner(value, 0);
  return { value: shown, hides: found.hides };
}

/** A node's `credentials` only name them; a flag or a count is no secret. */
const isValue = (key: string, value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && !/credentials?$/i.test(key));

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';
