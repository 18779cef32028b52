import { shortened } from '../shown.ts';

type Fields = Record<string, unknown>;

/** How much of a document is shown. */
interface Measure {
  readonly text: number;
  readonly items: number;
  readonly keys: number;
  readonly depth: number;
}

const WHOLE: Measure = { text: Infinity, items: Infinity, keys: Infinity, depth: 100 };

/** From nearly everything to a glimpse. */
const MEASURES: readonly Measure[] = [
  { text: 1000, items: 50, keys: 100, depth: 20 },
  { text: 300, items: 20, keys: 60, depth: 10 },
  { text: 100, items: 8, keys: 40, depth: 6 },
  { text: 60, items: 3, keys: 20, depth: 4 },
  { text: 20, items: 1, keys: 10, depth: 2 },
];

/** What a document may take in a reply of 8 KB that has everything twice, as data and quoted in a text. */
const REPLY_BYTES = 6400;

function costOf(value: unknown): number {
  const json = JSON.stringify(value) ?? '';
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** How the reader gets at what was cut. */
export const SHORTENED =
  'Values marked with … are shortened. Ask for single fields by projection, for a part of a text with {part: {$substrCP: ["$text", 2000, 2000]}}, of a list with {items: {$slice: [20, 10]}}.';

export interface ShownDocument {
  readonly value: unknown;
  readonly isShortened: boolean;
}

/** A value of the driver as Extended JSON, cut field by field until it fits. */
export function shownDocument(document: unknown, most = REPLY_BYTES): ShownDocument {
  // Writing 16 MB out only to measure it would cost more than the reply.
  if (!isHuge(document, most)) {
    const whole = valueOf(document, WHOLE, 0);
    if (costOf(whole) <= most) return { value: whole, isShortened: false };
  }
  let value: unknown;
  for (const measure of MEASURES) {
    value = valueOf(document, measure, 0);
    if (costOf(value) <= most) return { value, isShortened: true };
  }
  return { value: { '…': shortened(JSON.stringify(value), Math.floor(most / 12)) }, isShortened: true };
}

/** Whether a value is surely longer than this, or too deep to be shown. */
function isHuge(value: unknown, most: number): boolean {
  let left = most;
  const look = (one: unknown, depth: number): void => {
    if (depth > WHOLE.depth) left = -1;
    if (left < 0) return;
    if (typeof one === 'string') left -= one.length;
    else if (one instanceof Uint8Array) left -= one.length;
    else if (Array.isArray(one)) {
      left -= one.length;
      for (const item of one) {
        if (left < 0) return;
        look(item, depth + 1);
      }
    } else if (typeof one === 'object' && one !== null) {
      if (typeof (one as { length?: unknown }).length === 'function' && !isPlain(one)) left -= binary(one).length;
      else
        for (const [key, inner] of Object.entries(one)) {
          left -= key.length + 3;
          if (left < 0) return;
          look(inner, depth + 1);
        }
    } else left -= 1;
  };
  look(value, 0);
  return left < 0;
}

function valueOf(value: unknown, measure: Measure, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return shortened(value, measure.text);
    case 'number':
      return Number.isFinite(value) ? value : { $numberDouble: String(value) };
    case 'bigint':
      return { $numberLong: String(value) };
    case 'boolean':
      return value;
    case 'object':
      break;
    default:
      return null;
  }
  if (value === null) return null;
  if (value instanceof Date)
    return {
      $date: Number.isNaN(value.getTime()) || value.getUTCFullYear() > 9999 ? value.getTime() : value.toISOString(),
    };
  if (value instanceof RegExp) return { $regularExpression: { pattern: value.source, options: value.flags } };
  if (value instanceof Uint8Array) return bytes(value, 0, measure);
  if (Array.isArray(value)) return listOf(value, measure, depth);
  return isPlain(value) ? fieldsOf(value as Fields, measure, depth) : typed(value, measure, depth);
}

function listOf(list: readonly unknown[], measure: Measure, depth: number): unknown {
  if (depth >= measure.depth) return `… (a list of ${list.length})`;
  const shown = list.slice(0, measure.items).map((item) => valueOf(item, measure, depth + 1));
  return shown.length < list.length ? [...shown, `… (${list.length - shown.length} more items)`] : shown;
}

function fieldsOf(fields: Fields, measure: Measure, depth: number): unknown {
  const keys = Object.keys(fields);
  if (depth >= measure.depth) return `… (an object with ${keys.length} fields)`;
  const shown: [string, unknown][] = Object.entries(fields)
    .slice(0, measure.keys)
    .map(([key, value]) => [shortened(key, Math.max(200, measure.text)), valueOf(value, measure, depth + 1)]);
  if (shown.length < keys.length) shown.push(['…', `${keys.length - shown.length} more fields`]);
  return Object.fromEntries(shown);
}

/** A type of the driver's BSON. A document that has a field `_bsontype` is plain, and never comes here. */
interface Typed {
  readonly _bsontype?: string;
  toHexString?(): string;
  toString(): string;
}

function typed(value: Typed, measure: Measure, depth: number): unknown {
  switch (value._bsontype) {
    case 'ObjectId':
      return { $oid: value.toHexString?.() ?? String(value) };
    case 'Long':
      return { $numberLong: String(value) };
    case 'Decimal128':
      return { $numberDecimal: String(value) };
    case 'Int32':
    case 'Double':
      return valueOf(Number(value), measure, depth);
    case 'Binary': {
      const { sub_type: type } = value as Typed & { sub_type: number };
      const content = binary(value);
      return type === 4 && content.length === 16 ? { $uuid: uuid(content) } : bytes(content, type, measure);
    }
    case 'Timestamp': {
      const { t, i } = value as Typed & { t: number; i: number };
      return { $timestamp: { t, i } };
    }
    case 'BSONRegExp': {
      const { pattern, options } = value as Typed & { pattern: string; options: string };
      return { $regularExpression: { pattern: shortened(pattern, measure.text), options } };
    }
    case 'MinKey':
      return { $minKey: 1 };
    case 'MaxKey':
      return { $maxKey: 1 };
    case 'Code':
      return { $code: shortened(String((value as Typed & { code: unknown }).code), measure.text) };
    case 'DBRef': {
      const { collection, oid, db } = value as Typed & { collection: string; oid: unknown; db?: string };
      return { $ref: collection, $id: valueOf(oid, measure, depth + 1), ...(db !== undefined && { $db: db }) };
    }
    default:
      return shortened(String(value), measure.text);
  }
}

/** The bytes that a Binary holds: its buffer may be longer. */
function binary(value: object): Uint8Array {
  const { buffer, position } = value as { buffer?: unknown; position?: unknown };
  return buffer instanceof Uint8Array ? buffer.subarray(0, Number(position ?? buffer.length)) : new Uint8Array();
}

function bytes(content: Uint8Array, type: number, measure: Measure): unknown {
  const subType = type.toString(16).padStart(2, '0');
  if (content.length <= measure.text) return { $binary: { base64: Buffer.from(content).toString('base64'), subType } };
  return `… (${content.length} bytes of binary data, subtype ${subType})`;
}

const uuid = (content: Uint8Array): string =>
  Buffer.from(content)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
