import { AppError, messageOf } from '../kernel/errors.ts';
import type { Json } from '../kernel/source.ts';

/** Beyond this it is a document: it is better split by headings, which `sluice memory import` does. */
const MOST_CHARACTERS = 1_000_000;
/** A reply with some memories has their metadata, too. Of the JSON. */
const MOST_METADATA = 10_000;

/** Throws if this cannot be the text of a memory. */
export function checkText(text: string): void {
  if (text.trim() === '') throw new AppError('invalid_input', 'The text is empty. Write what to remember.');
  if (!text.isWellFormed())
    throw new AppError('invalid_input', 'The text has half a character (a lone surrogate). Send it as valid Unicode.');
  // PostgreSQL cannot store it, and what one store can hold every store must.
  if (text.includes('\0'))
    throw new AppError('invalid_input', 'The text has a NUL character. Leave it out, or write it as \\0.');
  if (text.length > MOST_CHARACTERS)
    throw new AppError(
      'too_large',
      `The text has ${text.length} characters; the limit is ${MOST_CHARACTERS}. Nothing was stored. Split it, or put it into a Markdown file: \`sluice memory import\` splits files by headings.`,
    );
}

/** Throws if these cannot be its tags and metadata. */
export function checkLabels({
  tags = [],
  metadata = {},
}: {
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Json | undefined;
}): void {
  const json = jsonOf(metadata);
  // JSON.stringify escapes lone surrogates.
  if (!tags.every((tag) => tag.isWellFormed()) || /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(json))
    throw new AppError(
      'invalid_input',
      'The tags or the metadata have half a character (a lone surrogate). Send valid Unicode.',
    );
  if (tags.some((tag) => tag.includes('\0')))
    throw new AppError('invalid_input', 'A tag has a NUL character. Leave it out.');
  if (json.length > MOST_METADATA)
    throw new AppError(
      'too_large',
      `The metadata has ${json.length} characters; the limit is ${MOST_METADATA}. Nothing was stored. Put what is to be read into the text.`,
    );
}

function jsonOf(metadata: Json): string {
  try {
    return JSON.stringify(metadata);
  } catch (error) {
    // Nested too deeply.
    throw new AppError('invalid_input', `The metadata cannot be stored: ${messageOf(error)}.`, { cause: error });
  }
}
