import { AppError } from '../kernel/errors.ts';
import { quoted } from '../kernel/some-of.ts';
import type { Properties, Validity } from './engine.ts';
import { normalized } from '../kernel/normalized.ts';

const LONGEST_NAME = 500;
const LONGEST_TYPE = 200;
const LONGEST_TEXT = 50_000;
const LARGEST_PROPERTIES = 20_000;
const DEEPEST = 20;

/** A name as it is looked up: without space around it, and in one spelling of accents. */
export const lookedUp = (name: string): string => normalized(name.toWellFormed(), 'NFC').trim();

export const checkedName = (name: string): string => short(lookedUp(name), 'The name of an entity', LONGEST_NAME);
export const checkedType = (type: string): string => short(lookedUp(type), 'A type', LONGEST_TYPE);

export function checkedText(text: string): string {
  const kept = text.toWellFormed().trim();
  if (kept.length > LONGEST_TEXT)
    throw new AppError(
      'invalid_input',
      `An observation has ${kept.length} characters, and at most ${LONGEST_TEXT} fit: ${quoted(kept)}. Split it. Long texts belong into memory_store.`,
    );
  return short(kept, 'An observation', LONGEST_TEXT);
}

function short(text: string, what: string, most: number): string {
  if (text === '') throw new AppError('invalid_input', `${what} is empty. Nothing was changed. Give it a text.`);
  if (text.length > most)
    throw new AppError(
      'invalid_input',
      `${what} has ${text.length} characters, and at most ${most} fit: ${quoted(text)}. Nothing was changed. Shorten it; details belong into observations.`,
    );
  return withoutNul(text, what);
}

// PostgreSQL stores no NUL.
function withoutNul(text: string, what: string): string {
  if (text.includes('\0')) throw new AppError('invalid_input', `${what} contains a NUL character. Remove it.`);
  return text;
}

export function checkedProperties(given: Properties): Properties {
  const size = JSON.stringify(given).length;
  if (size > LARGEST_PROPERTIES)
    throw new AppError(
      'invalid_input',
      `The properties take ${size} characters as JSON, and at most ${LARGEST_PROPERTIES} fit. Store long texts as observations.`,
    );
  return storable(given, 0) as Properties;
}

function storable(value: unknown, depth: number): unknown {
  if (depth > DEEPEST) throw new AppError('invalid_input', `Properties are nested at most ${DEEPEST} levels deep.`);
  if (typeof value === 'string') return withoutNul(value.toWellFormed(), 'A property');
  if (Array.isArray(value)) return value.map((item) => storable(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      withoutNul(key.toWellFormed(), 'A property'),
      storable(inner, depth + 1),
    ]),
  );
}

export function checkedValidity({ validFrom, validTo }: Validity): Validity {
  if (validFrom !== undefined && validTo !== undefined && validTo < validFrom)
    throw new AppError(
      'invalid_input',
      `It would end (${validTo}) before it begins (${validFrom}). Correct one of them.`,
    );
  return { ...(validFrom !== undefined && { validFrom }), ...(validTo !== undefined && { validTo }) };
}
