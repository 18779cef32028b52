import { createHash } from 'node:crypto';

/** Where a generated workflow answers: the same for the same owner, source and part. */
export function generatedPath(owner: string, source: string, part: string): string {
  const hash = createHash('sha256').update(`${source}/${part}`).digest('hex').slice(0, 16);
  return `sluice-${owner}-${hash}`;
}
