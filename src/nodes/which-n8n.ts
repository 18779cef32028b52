import { AppError } from '../kernel/errors.ts';
import { shown } from '../kernel/nearest-names.ts';

/** The n8n that is installed, and whose nodes are known, unless another is named: the newest whose packages all exist. */
export const PINNED_N8N = '2.41.1';

/** A version becomes part of a path and of what npm is asked for. */
export const N8N_VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9A-Za-z.-]{1,40})?$/;

export function checkedN8n(version: string): string {
  if (N8N_VERSION.test(version)) return version;
  throw new AppError('invalid_input', `${version} is not a version of n8n. Write it in full, such as ${PINNED_N8N}.`);
}

/** What an n8n is called that needs no name: N8N_URL is about it, and `sluice n8n up` starts it. */
export const DEFAULT_INSTANCE = 'default';

/** The n8n that is meant where none is named: the one called default, or the only one. */
export function defaultInstance(names: readonly string[]): string | undefined {
  return names.includes(DEFAULT_INSTANCE) ? DEFAULT_INSTANCE : names.length === 1 ? names[0] : undefined;
}

/** The n8n that is meant: the one that is named, or the default. Where neither exists, the error says which there are. */
export function chosenInstance(names: readonly string[], wanted: string | undefined): string {
  const meant = wanted ?? defaultInstance(names);
  if (meant !== undefined && names.includes(meant)) return meant;
  const known = names.length === 0 ? 'None is connected.' : `Known: ${names.join(', ')}.`;
  throw meant === undefined && names.length > 0
    ? new AppError('invalid_input', `Say which n8n: instance is one of ${names.join(', ')}.`)
    : new AppError('not_found', `There is no n8n ${shown(meant ?? DEFAULT_INSTANCE)}. ${known}`);
}
