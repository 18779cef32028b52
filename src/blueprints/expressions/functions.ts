import { CelScalar, type CelFunc, type CelValue, celEnv, celFunc, isCelError, listType } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { AppError } from '../../kernel/errors.ts';
import { inLatin } from '../../kernel/latin.ts';
import { jsonText } from './json-text.ts';
import { MOST_BYTES } from './limits.ts';
import { joined } from './lists.ts';

const { DOUBLE, DYN, INT, STRING } = CelScalar;
const LIST = listType(DYN);
const LONGEST_IDENTIFIER = 63;

/** Quotes an SQL identifier for PostgreSQL. */
function ident(text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes === 0)
    throw new AppError('invalid_input', 'ident() got an empty text. An SQL name has at least one character.');
  if (bytes > LONGEST_IDENTIFIER)
    throw new AppError(
      'invalid_input',
      `ident() got a text of ${bytes} bytes. An SQL name has at most ${LONGEST_IDENTIFIER}.`,
    );
  // A backslash is an escape in MySQL, and would take the closing quote with it.
  if (/[\0\\]/.test(text) || !text.isWellFormed())
    throw new AppError('invalid_input', 'ident() got a text with a character that an SQL name cannot have.');
  return `"${text.replaceAll('"', '""')}"`;
}

const slug = (text: string): string =>
  inLatin(text)
    .text.toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-');

/** JSON does not tell 2 from 2.0, so an input may be an int today and a double tomorrow. CEL itself refuses to mix them. */
const mixed = Object.entries({
  '_+_': (a: number, b: number) => a + b,
  '_-_': (a: number, b: number) => a - b,
  '_*_': (a: number, b: number) => a * b,
  '_/_': (a: number, b: number) => a / b,
}).flatMap(([operator, apply]): CelFunc[] => [
  celFunc(operator, [INT, DOUBLE], DOUBLE, (a, b) => apply(Number(a), b)),
  celFunc(operator, [DOUBLE, INT], DOUBLE, (a, b) => apply(a, Number(b))),
]);

/** The library takes an empty text for 0, and any other text for a number that is none. */
function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value))
    throw new AppError('invalid_input', 'double() got a text that is not a number.');
  return value;
}

function whole(text: string): bigint {
  const value = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (value === undefined || BigInt.asIntN(64, value) !== value)
    throw new AppError('invalid_input', 'int() got a text that is not a whole number.');
  return value;
}

/** Times and durations have no JSON form of their own. */
function textOf(value: CelValue): string {
  const text = environment.funcs.find('string')?.call(0, undefined, [value]);
  if (typeof text === 'string') return text;
  throw new AppError('invalid_input', 'The value has no JSON form.', isCelError(text) ? { cause: text } : {});
}

const json = (value: CelValue): string => jsonText(value, MOST_BYTES, textOf);

/** Not a name that an expression can call. */
export const AS_JSON = '@json';

/** CEL with its functions for texts, and ours. */
export const environment = celEnv({
  funcs: [
    ...strings,
    ...mixed,
    celFunc('_+_', [LIST, LIST], LIST, joined),
    celFunc('double', [STRING], DOUBLE, number),
    celFunc('int', [STRING], INT, whole),
    celFunc('ident', [STRING], STRING, ident),
    celFunc('slug', [STRING], STRING, slug),
    celFunc('json', [DYN], STRING, json),
    celFunc(AS_JSON, [DYN], STRING, json),
  ],
});
