export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object's own value: a schema may have properties such as `constructor`. */
export const own = (object: Json, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);

/** With another value of this property, in its place; without it if the value is undefined. `__proto__` is a name like any other. */
export function withEntry(object: Json | undefined, name: string, value: unknown): Json {
  const entries = Object.entries(object ?? {});
  const at = entries.findIndex(([one]) => one === name);
  if (value === undefined) return Object.fromEntries(entries.filter(([one]) => one !== name));
  if (at === -1) return Object.fromEntries([...entries, [name, value]]);
  return Object.fromEntries(entries.with(at, [name, value]));
}

/** With another name for a property, in the same place. */
export const renamed = (object: Json, name: string, next: string): Json =>
  Object.fromEntries(Object.entries(object).map(([one, value]) => [one === name ? next : one, value]));

/** Equal as JSON; the order of properties does not count. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, at) => isSame(one, b[at]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  );
}

const LONGEST = 80;

/** A value as JSON, short. */
export function brief(value: unknown, longest: number = LONGEST): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)) ?? '';
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
