import { shown } from '../shown.ts';

/** Object ids of the types whose text means something else in JSON. */
const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const NUMERIC = 1700;
const NUMBERS = new Set([21, 23, 26, 700, 701]);
const JSONS = new Set([114, 3802]);
const TIMES = new Set([1114, 1184]);

/** Types whose text is short, however large the table is. */
const SHORT = new Set([BOOL, INT8, 21, 23, 26, 28, 29, 700, 701, 1082, 1083, 1114, 1184, 1186, 1266, 2278, 2950]);

/** How the column of a subquery is written so that no value is longer than `most`: its text, and its whole length. */
export function cutInSql(column: string, { type, category }: { type: number; category: string }, most: number): string {
  if (SHORT.has(type)) return `${column}, NULL`;
  if (type === BYTEA) return `substring(${column} FROM 1 FOR ${most}), octet_length(${column})`;
  // Arrays and rows become JSON.
  const text = category === 'A' || category === 'C' ? `to_json(${column})::text` : `${column}::text`;
  return `left(${text}, ${most}), length(${text})`;
}

export interface Value {
  readonly value: unknown;
  readonly isCut: boolean;
}

/** What PostgreSQL wrote, as JSON. Nothing is rounded: numbers that JSON cannot hold stay texts. */
export function valueOf(
  text: string | null,
  { type, category = '', most, whole }: { type: number; category?: string; most: number; whole?: number | undefined },
): Value {
  if (text === null) return { value: null, isCut: false };
  if (type === BYTEA) return bytes(text, most, whole);
  const length = whole ?? text.length;
  const isCut = length > most;
  if (isCut) return { value: `${cut(text, most)}… (${length} characters)`, isCut };
  return { value: converted(text, type, category), isCut };
}

function bytes(text: string, most: number, whole: number | undefined): Value {
  const read = Buffer.from(text.slice(2), 'hex');
  const length = whole ?? read.length;
  const { value, encoding } = shown(read, { most });
  const isCut = length > most;
  const shape = encoding ? { base64: value } : { text: value };
  return { value: { ...shape, bytes: length }, isCut };
}

const cut = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

function converted(text: string, type: number, category: string): unknown {
  if (type === BOOL) return text === 't';
  if (NUMBERS.has(type)) return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === INT8 || type === NUMERIC) return exact(text);
  if (TIMES.has(type)) return iso(text);
  if (JSONS.has(type) || category === 'A' || category === 'C') return parsed(text);
  return text;
}

/** A number only if no digit is lost. */
const exact = (text: string): number | string =>
  Number.isFinite(Number(text)) && String(Number(text)) === text ? Number(text) : text;

/** `2026-01-02 03:04:05+00` as ISO 8601 has it. Others, such as infinity, stay as they are. */
const iso = (text: string): string =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d/.test(text) && !text.endsWith('BC')
    ? text
        .replace(' ', 'T')
        .replace(/[+-]00$/, 'Z')
        .replace(/([+-]\d\d)$/, '$1:00')
    : text;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && context?.source !== undefined && !Number.isSafeInteger(value)
        ? precise(value, context.source)
        : value,
    );
  } catch {
    return text;
  }
}

const precise = (value: number, source: string): number | string => (/^-?\d+$/.test(source) ? source : value);
