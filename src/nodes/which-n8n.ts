import { AppError } from '../kernel/errors.ts';
import { shown } from '../kernel/nearest-names.ts';

/** The default version to install and to describe: the newest whose packages are all published. */
export const PINNED_N8N = '2.41.1';

/** Strict, because the version becomes part of a file path and of an npm package spec. */
export const N8N_VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9A-Za-z.-]{1,40})?$/;

export function checkedN8n(version: string): string {
  if (N8N_VERSION.test(version)) return version;
  throw new AppError('invalid_input', `${version} is not an n8n version. Write it in full, like ${PINNED_N8N}.`);
}

/** The name of the instance that N8N_URL configures and `sluice n8n up` starts. */
export const DEFAULT_INSTANCE = 'default';

/** The instance to use if the caller names none: the one called `default`, or the only one. */
export function defaultInstance(names: readonly string[]): string | undefined {
  return names.includes(DEFAULT_INSTANCE) ? DEFAULT_INSTANCE : names.length === 1 ? names[0] : undefined;
}

/** The named instance or the default one. The error lists the instances that exist. */
export function chosenInstance(names: readonly string[], wanted: string | undefined): string {
  const meant = wanted ?? defaultInstance(names);
  if (meant !== undefined && names.includes(meant)) return meant;
  const known = names.length === 0 ? 'None is connected.' : `Known: ${names.join(', ')}.`;
  throw meant === undefined && names.length > 0
    ? new AppError('invalid_input', `Several n8n are connected. Set instance to one of ${names.join(', ')}.`)
    : new AppError('not_found', `There is no n8n ${shown(meant ?? DEFAULT_INSTANCE)}. ${known}`);
}
