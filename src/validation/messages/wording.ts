import type { Property } from '../../nodes/description.ts';
import { kindOf } from './kind-of.ts';
import { textOf } from './text-of.ts';

const LONGEST = 60;

/** A value of the workflow for a message: short, and without possible secrets. */
export function quoted(value: unknown): string {
  if (typeof value !== 'string') return typeof value === 'object' ? kindOf(value) : textOf(value);
  const text = withoutSecrets(value.slice(0, 1000));
  return `"${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}"`;
}

/** Hides the user and the query of a URL, and long mixtures of letters and digits. */
function withoutSecrets(text: string): string {
  return text
    .replace(/(:\/\/)[^/@\s]*@/g, '$1…@')
    .replace(/^(=?https?:\/\/[^?]*)\?[\s\S]*$/i, '$1?…')
    .replace(/[\w+=-]{20,}/g, (run) => (/\d/.test(run) && /[A-Za-z]/.test(run) ? `${run.slice(0, 4)}…` : run));
}

/** The label and the name of a parameter: `"URL" (url)`. */
export function called({ displayName, name }: Property): string {
  return displayName && displayName.toLowerCase() !== name.toLowerCase() ? `"${displayName}" (${name})` : `"${name}"`;
}

/** The first few values, and how many more there are. */
export function listed(values: readonly unknown[], most = 20): string {
  const shown = values.slice(0, most).map(String).join(', ');
  return values.length > most ? `${shown} and ${values.length - most} more` : shown;
}
