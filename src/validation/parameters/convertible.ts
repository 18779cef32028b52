import { isObjectLiteral, isStrictJson } from './json-text.ts';
import { isDate } from './date-text.ts';
import { textOf } from '../messages/text-of.ts';

/** Whether n8n can convert a value to a type. A missing value fits every type. */
export function readsAs(value: unknown, type: string): boolean {
  if (value === null || value === undefined) return true;
  const kind = type.toLowerCase();
  if (typeof value === 'object') return objectReadsAs(value, kind);
  switch (kind) {
    case 'number':
      return !Number.isNaN(Number(value));
    case 'boolean':
      return readsAsBoolean(value);
    case 'datetime':
      return isDate(value);
    case 'time':
      return /^\d{2}:\d{2}(:\d{2})?([-+]\d{1,2}:?(\d{2})?)?$/.test(textOf(value));
    case 'array':
      return typeof value === 'string' && readsAsArray(value);
    case 'object':
      return typeof value === 'string' && readsAsObject(value);
    case 'url':
      return URL.canParse(textOf(value).includes('://') ? textOf(value) : `https://${textOf(value)}`);
    case 'string-alphanumeric':
      return /^[A-Za-z_][A-Za-z0-9_]*$/.test(textOf(value));
    case 'jwt':
      return /^[\w-]+\.[\w-]+\.[\w.+/=-]*$/.test(textOf(value));
    default:
      return true;
  }
}

/** Never converts an object: its toString or valueOf may be anything. */
function objectReadsAs(value: object, kind: string): boolean {
  if (kind === 'array') return Array.isArray(value);
  if (kind === 'object') return !Array.isArray(value);
  return !['number', 'boolean', 'datetime', 'time', 'url', 'string-alphanumeric', 'jwt'].includes(kind);
}

function readsAsBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return true;
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return true;
  return !(typeof value === 'string' && value.trim() === '') && (Number(value) === 0 || Number(value) === 1);
}

function readsAsArray(text: string): boolean {
  return [text, text.replaceAll("'", '"')].some((one) => isStrictJson(one) && one.trimStart().startsWith('['));
}

function readsAsObject(text: string): boolean {
  return text.trimStart().startsWith('{') && (isStrictJson(text) || isObjectLiteral(text));
}

/** Whether a filter condition accepts the value: strictly by default. */
export function comparesAs(
  value: unknown,
  type: string,
  { strict, version }: { strict: boolean; version: number },
): boolean {
  if (value === null || value === undefined) return true;
  switch (type) {
    case 'string':
      return !strict || typeof value === 'string';
    case 'number': {
      const isNothing =
        (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0);
      if (isNothing && version >= 3) return true;
      return strict ? typeof value === 'number' : readsAs(value, type);
    }
    case 'boolean':
      return !strict || typeof value === 'boolean';
    case 'array':
      return strict ? Array.isArray(value) : readsAs(value, type);
    case 'object':
      return strict ? typeof value === 'object' : readsAs(value, type);
    case 'dateTime':
      return readsAs(value, type);
    default:
      return true;
  }
}
