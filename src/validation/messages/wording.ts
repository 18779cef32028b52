import type { Property } from '../../nodes/description.ts';
import { textOf } from './text-of.ts';

const LONGEST = 60;

/** A value out of the workflow, short enough for a message, and without what may be a secret. */
export function quoted(value: unknown): string {
  if (typeof value !== 'string') return typeof value === 'object' ? kindOf(value) : textOf(value);
  const text = withoutSecrets(value.slice(0, 1000));
  return `"${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}"`;
}

/** Keys and passwords stand in the user and the query of a URL, and are long mixtures of letters and digits elsewhere. */
function withoutSecrets(text: string): string {
  return text
    .replace(/(:\/\/)[^/@\s]*@/g, '$1…@')
    .replace(/^(=?https?:\/\/[^?]*)\?[\s\S]*$/i, '$1?…')
    .replace(/[\w+=-]{20,}/g, (run) => (/\d/.test(run) && /[A-Za-z]/.test(run) ? `${run.slice(0, 4)}…` : run));
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

/** As a user and as a machine know it: `URL (url)`. */
export function called({ displayName, name }: Property): string {
  return displayName && displayName.toLowerCase() !== name.toLowerCase() ? `"${displayName}" (${name})` : `"${name}"`;
}

/** Some of many: the first so many, and how many more there are. */
export function listed(values: readonly unknown[], most = 20): string {
  const shown = values.slice(0, most).map(String).join(', ');
  return values.length > most ? `${shown} and ${values.length - most} more` : shown;
}
