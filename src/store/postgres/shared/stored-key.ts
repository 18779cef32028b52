import { createHash } from 'node:crypto';

const LONGEST = 200;

/** A key as the database can hold it: not with NUL, and not longer than an index takes. */
export function storedKey(key: string): string {
  if (key.length <= LONGEST && !key.includes('\0')) return key;
  return `sha256 ${createHash('sha256').update(key).digest('base64url')}`;
}
