import type { WireTool } from '../../kernel/source.ts';
import { isObject } from '../../wire/jsonrpc.ts';

const LONGEST = 160;
const PARAMETERS = 15;

/** A tool in one line: `get_issue(repo: string, number: integer, state?: open|closed) – Reads an issue.` */
export function signature(name: string, { inputSchema, description, title }: WireTool): string {
  const properties = isObject(inputSchema.properties) ? inputSchema.properties : {};
  const required = Array.isArray(inputSchema.required) ? inputSchema.required : [];
  // If there are too many to show, required parameters come first.
  const keys = Object.keys(properties);
  const shown =
    keys.length > PARAMETERS
      ? keys.sort((a, b) => Number(required.includes(b)) - Number(required.includes(a))).slice(0, PARAMETERS)
      : keys;
  const parameters = shown.map((key) => `${key}${required.includes(key) ? '' : '?'}: ${typeOf(properties[key])}`);
  if (keys.length > PARAMETERS) parameters.push('…');
  const purpose = (description ?? title ?? '').split(/\n|(?<=[.!?])\s/)[0] ?? '';
  const line = `${name}(${parameters.join(', ')})`;
  return purpose === ''
    ? line
    : `${line} – ${purpose.length > LONGEST ? `${purpose.slice(0, LONGEST - 1)}…` : purpose}`;
}

/** A server can send anything here, even an object that String() cannot convert. */
const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Shows at most this many alternatives of a type, and looks this deep. */
const KINDS = 4;
const DEEPEST = 3;

function typeOf(schema: unknown, depth = 0): string {
  if (!isObject(schema) || depth > DEEPEST) return 'any';
  if (Array.isArray(schema.enum) && schema.enum.length <= 6) return schema.enum.map(wordOf).join('|');
  if (schema.type === 'array') {
    const item = typeOf(schema.items, depth + 1);
    return item.includes('|') ? `(${item})[]` : `${item}[]`;
  }
  if (Array.isArray(schema.type)) return schema.type.map(wordOf).join('|');
  if (typeof schema.type === 'string') return schema.type;
  const branches = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(branches) || branches.length > KINDS) return 'any';
  const kinds = [...new Set(branches.map((branch) => typeOf(branch, depth + 1)))];
  return kinds.includes('any') ? 'any' : kinds.join('|');
}
