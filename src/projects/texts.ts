import { AppError } from '../kernel/errors.ts';
import { quoted } from '../kernel/some-of.ts';
import { normalized } from '../kernel/normalized.ts';

export const LONGEST_NAME = 100;
export const LONGEST_ITEM_NAME = 200;
export const LONGEST_DESCRIPTION = 1000;
export const LONGEST_NOTE = 2000;

/**
 * What nobody can see or type: control characters, halves of characters, line ends, and what changes the direction of a
 * text. Joiners stay: emoji and some scripts need them.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|[^\P{Cf}\u200c\u200d]/u;
const VISIBLE = /[^\p{Z}\p{C}\p{M}]/u;

/** A name as it is stored: in one spelling of accents, without space around it. */
export function nameOf(given: string, what: string, longest = LONGEST_NAME): string {
  const name = normalized(given, 'NFC').trim();
  if (UNPRINTABLE.test(name))
    throw new AppError('invalid_input', `${what} has characters that cannot be printed. Remove them.`);
  if (!VISIBLE.test(name)) throw new AppError('invalid_input', `${what} is empty. Write at least one character.`);
  const characters = Array.from(name).length;
  if (characters > longest)
    throw new AppError(
      'invalid_input',
      `${what} has ${characters} characters, and at most ${longest} fit: ${quoted(name)}. Shorten it; details belong into a note.`,
    );
  return name;
}

/** By which a project is found: names that differ only in case are the same. */
export const folded = (name: string): string => normalized(name, 'NFC').trim().toLowerCase();

// PostgreSQL stores no NUL, and nobody wants the other control characters.
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** A text of several lines. */
export function textOf(given: string, what: string, longest: number): string {
  const text = given.toWellFormed().replaceAll('\r\n', '\n').replace(CONTROLS, ' ').trim();
  if (text.length > longest)
    throw new AppError(
      'invalid_input',
      `${what} has ${text.length} characters, and at most ${longest} fit. Shorten it; long texts belong into memory_store.`,
    );
  return text;
}

/** The beginning of a text, for a list. */
export const beginning = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;

/** Foreign text as one short line. Cut first, because it may be megabytes long. */
export const oneLine = (text: string, longest = 160): string =>
  beginning(
    text
      .slice(0, 4 * longest)
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .replace(/[^\P{Cf}\u200c\u200d]/gu, '')
      .trim(),
    longest,
  );
