import { own } from '../../kernel/own.ts';

/** A value that differs before and after. A missing side is `undefined`. */
export interface Change {
  /** For example `parameters.options.timeout` or `parameters.rules[2].value`. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The smallest values that differ, each with its path. */
export function valueChanges(before: unknown, after: unknown, path = ''): Change[] {
  if (isSame(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return arrayChanges(before, after, path);
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => valueChanges(own(before, key), own(after, key), joined(path, key)));
}

/** Deep equality that ignores the order of keys. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a).filter((key) => a[key] !== undefined);
  const others = Object.keys(b).filter((key) => b[key] !== undefined);
  return keys.length === others.length && keys.every((key) => isSame(a[key], own(b, key)));
}

/** Skips equal items at both ends, so that an inserted item does not show every later item as changed. */
function arrayChanges(before: readonly unknown[], after: readonly unknown[], path: string): Change[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && isSame(before[head], after[head])) head++;
  let tail = 0;
  while (tail < shorter - head && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  const [old, now] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  return Array.from({ length: Math.max(old.length, now.length) }, (_, index) =>
    valueChanges(old[index], now[index], `${path}[${head + index}]`),
  ).flat();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function joined(path: string, key: string): string {
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
