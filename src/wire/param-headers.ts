import { isObject } from './jsonrpc.ts';
import { own } from '../kernel/own.ts';

/** A tool argument that is also sent as an HTTP header (`x-mcp-header` in its schema). */
export interface ParamHeader {
  path: readonly string[];
  header: string;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const SUBSCHEMAS = [
  'items',
  'prefixItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'patternProperties',
  'dependentSchemas',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  '$defs',
  'definitions',
] as const;

/**
 * The header declarations of a tool, or why they are invalid. 2026-07-28 allows them only on string, integer and
 * boolean properties that are reached through `properties` only, with names that are unique regardless of case.
 */
export function paramHeadersOf(inputSchema: unknown): ParamHeader[] | { invalid: string } {
  const found: ParamHeader[] = [];
  const seen = new Set<string>();
  const visit = (schema: unknown, path: readonly string[], reachable: boolean): string | undefined => {
    if (Array.isArray(schema)) return schema.map((inner) => visit(inner, path, false)).find(Boolean);
    if (!isObject(schema)) return undefined;
    const header = schema['x-mcp-header'];
    if (header !== undefined) {
      const at = path.join('.') || 'the schema itself';
      if (!reachable || path.length === 0) return `x-mcp-header at ${at} is not on a plain property`;
      if (typeof header !== 'string' || !TOKEN.test(header)) return `x-mcp-header at ${at} is not a header name`;
      if (!['string', 'integer', 'boolean'].includes(schema.type as string)) {
        return `x-mcp-header at ${at} needs a string, integer or boolean property`;
      }
      if (seen.has(header.toLowerCase())) return `x-mcp-header ${header} is declared twice`;
      seen.add(header.toLowerCase());
      found.push({ path, header });
    }
    for (const [key, inner] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
      const fault = visit(inner, [...path, key], reachable);
      if (fault) return fault;
    }
    for (const keyword of SUBSCHEMAS) {
      const inner = schema[keyword];
      if (inner === undefined) continue;
      const named = ['patternProperties', 'dependentSchemas', '$defs', 'definitions'].includes(keyword);
      const fault = visit(named && isObject(inner) ? Object.values(inner) : inner, [...path, keyword], false);
      if (fault) return fault;
    }
    return undefined;
  };
  const invalid = visit(inputSchema, [], true);
  return invalid === undefined ? found : { invalid };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

function at(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const key of path) value = isObject(value) ? own(value, key) : undefined;
  return value;
}

const B64 = /^=\?base64\?(.*)\?=$/;
const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Encodes any text as a header value: plain if that is safe, else `=?base64?…?=`. */
export function encodeHeader(value: string): string {
  const plain = value !== '' && value === value.trim() && !B64.test(value) && /^[\t\x20-\x7e]*$/.test(value);
  return plain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** The text in a header value; undefined if its base64 is not canonical or not UTF-8. */
export function decodeHeader(value: string): string | undefined {
  const encoded = B64.exec(value)?.[1];
  if (encoded === undefined) return value;
  if (!CANONICAL.test(encoded)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}

export function buildParamHeaders(declared: readonly ParamHeader[], args: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of declared) {
    const text = textOf(at(args, path) ?? undefined);
    if (text !== undefined) headers[`mcp-param-${header.toLowerCase()}`] = encodeHeader(text);
  }
  return headers;
}

/** How the headers of a call disagree with its arguments, if they do. Ignores undeclared headers. */
export function paramHeaderMismatch(
  declared: readonly ParamHeader[],
  args: unknown,
  headers: Readonly<Record<string, string>>,
): string | undefined {
  for (const { path, header } of declared) {
    const value = at(args, path);
    if (value === undefined || value === null) continue;
    const name = `Mcp-Param-${header}`;
    const given = headers[name.toLowerCase()];
    if (given === undefined) return `the body carries ${path.join('.')} but the ${name} header is absent`;
    const decoded = decodeHeader(given);
    if (decoded === undefined) return `the ${name} header is not valid base64`;
    if (!sameValue(decoded, value)) return `the ${name} header and ${path.join('.')} in the body disagree`;
  }
  return undefined;
}

function sameValue(header: string, value: unknown): boolean {
  if (typeof value === 'number') return /^-?\d+(\.\d+)?$/.test(header) && Number(header) === value;
  return textOf(value) === header;
}
