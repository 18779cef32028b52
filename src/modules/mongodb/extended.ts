import { AppError } from '../../kernel/errors.ts';

type Fields = Record<string, unknown>;

/** The part of the driver's BSON that reads Extended JSON. */
export interface Codec {
  readonly EJSON: { deserialize(value: Fields, options?: { relaxed?: boolean }): unknown };
  readonly ObjectId: { createFromHexString(hex: string): unknown };
}

/** Objects that stand for one value, by their keys. https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/ */
const TYPES = new Set(
  [
    '$oid $date $uuid $binary $numberInt $numberLong $numberDouble $numberDecimal $timestamp $minKey',
    '$maxKey $regularExpression',
  ].flatMap((line) => line.split(' ')),
);

const MOST_DEPTH = 100;

/**
 * JSON with the types of MongoDB, as `{ "$oid": "…" }` and `{ "$date": "…" }`. The codec's own reader takes
 * `{ "$regex": …, "$ne": … }` for a regular expression and loses the rest; so it only gets single values.
 */
export function fromExtended(value: unknown, codec: Codec, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MOST_DEPTH)
    throw new AppError('invalid_input', `The JSON is nested more than ${MOST_DEPTH} levels deep.`);
  if (Array.isArray(value)) return value.map((item) => fromExtended(item, codec, depth + 1));
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first && TYPES.has(first[0])) return typed(value as Fields, first[0], codec);
  return Object.fromEntries(entries.map(([key, inner]) => [key, fromExtended(inner, codec, depth + 1)]));
}

function typed(value: Fields, type: string, codec: Codec): unknown {
  const wrong = (cause?: unknown) =>
    new AppError(
      'invalid_input',
      `${JSON.stringify(value).slice(0, 200)} is not a value of the type ${type}. Examples: { "$oid": "64b7f0c2a1b2c3d4e5f60718" }, { "$date": "2026-01-31T12:00:00Z" }, { "$numberDecimal": "9.99" }.`,
      { cause },
    );
  // The codec accepts any text as a number.
  const form = NUMBERS.get(type);
  if (form && !form.test(String(Object.values(value)[0]))) throw wrong();
  let read: unknown;
  try {
    // Relaxed, it would round large numbers.
    read = codec.EJSON.deserialize({ value }, { relaxed: false });
  } catch (error) {
    throw wrong(error);
  }
  const { value: made } = read as { value: unknown };
  if (made instanceof Date && Number.isNaN(made.getTime())) throw wrong();
  return made;
}

const NUMBERS = new Map([
  ['$numberInt', /^-?\d{1,10}$/],
  ['$numberLong', /^-?\d{1,19}$/],
  ['$numberDouble', /^(?:NaN|-?Infinity|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i],
]);

const HEX = /^[0-9a-f]{24}$/i;

/** A filter in which a plain text of 24 hex digits for `_id` also finds the ObjectId with these digits. */
export function withIds(filter: Fields, codec: Codec): Fields {
  const both = (text: unknown): unknown[] =>
    typeof text === 'string' && HEX.test(text) ? [codec.ObjectId.createFromHexString(text), text] : [text];
  const id = (given: unknown): unknown => {
    if (typeof given === 'string' && HEX.test(given)) return { $in: both(given) };
    if (!isPlain(given)) return given;
    const { $eq, $ne, $in, $nin, ...rest } = given;
    return {
      ...rest,
      ...('$eq' in given && (HEX.test(String($eq)) && !('$in' in given) ? { $in: both($eq) } : { $eq })),
      ...('$ne' in given && (HEX.test(String($ne)) && !('$nin' in given) ? { $nin: both($ne) } : { $ne })),
      ...('$in' in given && { $in: Array.isArray($in) ? $in.flatMap(both) : $in }),
      ...('$nin' in given && { $nin: Array.isArray($nin) ? $nin.flatMap(both) : $nin }),
    };
  };
  return Object.fromEntries(
    Object.entries(filter).map(([key, value]) => {
      if (key === '_id') return [key, id(value)];
      if (/^\$(?:and|or|nor)$/.test(key) && Array.isArray(value))
        return [key, value.map((one: unknown) => (isPlain(one) ? withIds(one, codec) : one))];
      return [key, value];
    }),
  );
}

const isPlain = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
