import { isDeepStrictEqual } from 'node:util';
import type { DisplayOptions, NodeDescription } from '../description.ts';
import { matches } from './guarded-regex.ts';

/** What display conditions can test besides parameters. */
export interface About {
  readonly version: number;
  readonly isTool: boolean;
  readonly features: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

export function aboutNode({ name, features }: Pick<NodeDescription, 'name' | 'features'>, version: number): About {
  const has = Object.entries(features ?? {}).filter(([, given]) => {
    const versions = (Object(given) as Record<string, unknown>)['@version'];
    return Array.isArray(versions) && meets(versions, [version]);
  });
  return { version, isTool: name.endsWith('Tool'), features: has.map(([feature]) => feature) };
}

/**
 * Whether n8n shows a property with these conditions. `values` are its siblings, `root` the top-level parameters, both with
 * defaults. All of `show` must hold and none of `hide`. If an expression decides, it is shown.
 */
export function isShown(conditions: DisplayOptions | undefined, values: Values, root: Values, about: About): boolean {
  if (!conditions) return true;
  const { show, hide } = conditions;
  for (const key in show) {
    const actual = actualValues(key, values, root, about);
    if (actual.some(isExpression)) return true;
    if (!meets(show[key] ?? [], actual)) return false;
  }
  for (const key in hide) {
    const actual = actualValues(key, values, root, about);
    if (actual.length > 0 && meets(hide[key] ?? [], actual)) return false;
  }
  return true;
}

export const isExpression = (value: unknown): value is string => typeof value === 'string' && value.startsWith('=');

function actualValues(key: string, values: Values, root: Values, about: About): readonly unknown[] {
  if (key === '@version') return [about.version];
  if (key === '@tool') return [about.isTool];
  if (key === '@feature') return about.features;
  const found = key.startsWith('/') ? valueAt(root, key.slice(1)) : valueAt(values, key);
  // Compare the value of a resource locator, not the locator.
  const value = isRecord(found) && found.__rl ? found.value : found;
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

/** Reads own properties at a path like `options.format` or `rules[0].name`. */
function valueAt(values: unknown, path: string): unknown {
  if (isRecord(values) && Object.hasOwn(values, path)) return values[path];
  if (!path.includes('.') && !path.includes('[')) return undefined;
  let value = values;
  for (const key of path.split(/[.[\]]+/)) {
    if (key === '') continue;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Whether any condition is met. A plain condition is met by an equal value. */
function meets(conditions: readonly unknown[], actual: readonly unknown[]): boolean {
  return conditions.some((condition) => {
    const operator = operatorOf(condition);
    if (!operator) return actual.includes(condition);
    const [name, target] = operator;
    if (actual.length === 0) return name === 'not';
    return actual.every((value) => holds(name, value, target));
  });
}

function operatorOf(condition: unknown): [string, unknown] | undefined {
  if (!isRecord(condition) || !isRecord(condition._cnd) || Object.keys(condition).length !== 1) return undefined;
  return Object.entries(condition._cnd)[0];
}

function holds(operator: string, value: unknown, target: unknown): boolean {
  // Like n8n, compare text and numbers with JavaScript's rules.
  const left = value as number;
  const right = target as number;
  switch (operator) {
    case 'eq':
      return isDeepStrictEqual(value, target);
    case 'not':
      return !isDeepStrictEqual(value, target);
    case 'gte':
      return left >= right;
    case 'lte':
      return left <= right;
    case 'gt':
      return left > right;
    case 'lt':
      return left < right;
    case 'between': {
      const { from, to } = Object(target) as { from: number; to: number };
      return left >= from && left <= to;
    }
    case 'includes':
      return typeof value === 'string' && value.includes(String(target));
    case 'startsWith':
      return typeof value === 'string' && value.startsWith(String(target));
    case 'endsWith':
      return typeof value === 'string' && value.endsWith(String(target));
    case 'regex':
      return typeof value === 'string' && matches(String(target), value);
    case 'exists':
      return value !== null && value !== undefined && value !== '';
    default:
      return false;
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
