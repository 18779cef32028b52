import { termsOf } from '../kernel/terms.ts';
import type { Properties } from './engine.ts';

/** Each term once: how often a word is repeated does not count. */
export const wordsOf = (text: string): string => [...new Set(termsOf(text))].join(' ');

/** What an entity is about besides its name: its type and the texts and numbers in its properties. */
export const aboutWords = (type: string, properties: Properties): string =>
  wordsOf([type, ...scalarsIn(properties)].join(' '));

function scalarsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(scalarsIn);
  return [];
}
