import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';

/** Bytes of JSON that filled-in values may have. */
export const MOST_BYTES = 1024 * 1024;
export const LONGEST_SOURCE = 2_000;
const LONGEST_SHOWN = 200;

/** An expression in an error. */
export const quotedSource = (source: string): string => `\${${shown(source.trim(), LONGEST_SHOWN)}}`;

export const tooLarge = (): AppError => new AppError('too_large', 'The value has more than 1 MB of JSON.');
