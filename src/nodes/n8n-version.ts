import { AppError } from '../kernel/errors.ts';

/** The n8n that is installed, and whose nodes are known, unless another is named: the newest whose packages all exist. */
export const PINNED_N8N = '2.41.1';

/** A version becomes part of a path and of what npm is asked for. */
export const N8N_VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9A-Za-z.-]{1,40})?$/;

export function checkedN8n(version: string): string {
  if (N8N_VERSION.test(version)) return version;
  throw new AppError('invalid_input', `${version} is not a version of n8n. Write it in full, such as ${PINNED_N8N}.`);
}
