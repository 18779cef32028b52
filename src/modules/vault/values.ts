/** Keys whose values are ordinary words: without `postgres`, no log could be read and no memory written. */
const PLAIN = /^(?:user(?:name)?|host(?:name)?|port|database|dbname|region)$/i;

/** Every text inside, however deep, and every number: what a redactor must know of a secret. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (PLAIN.test(key) && !isNested(inner) ? [] : textsIn(inner)));
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;

export interface Masked {
  /** Keys of nested objects are joined with dots. */
  readonly key: string;
  readonly type: string;
}

const DEEPEST = 8;

/** The keys of a secret with the types of their values, and nothing of the values, not even their length. */
export function maskedKeys(data: Readonly<Record<string, unknown>>, before = '', depth = 1): Masked[] {
  return Object.entries(data).flatMap(([name, value]): Masked[] => {
    const key = `${before}${name}`;
    const isFolder = isRecord(value) && Object.keys(value).length > 0 && depth < DEEPEST;
    return isFolder ? maskedKeys(value, `${key}.`, depth + 1) : [{ key, type: typeOf(value) }];
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** JSON merge patch (RFC 7396), as Vault applies it: null removes a key. */
export function merged(
  into: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result = new Map(Object.entries(into));
  for (const [key, value] of Object.entries(patch)) {
    const before = result.get(key);
    if (value === null) result.delete(key);
    else result.set(key, isRecord(value) ? merged(isRecord(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(result);
}

/** Whether a number inside has lost digits: JavaScript keeps about 15 of them. */
export function isInexact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(isInexact);
}
