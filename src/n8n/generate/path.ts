import { createHash } from 'node:crypto';

/** The webhook path of a generated workflow: always the same for the same owner, source and part. */
export function generatedPath(owner: string, source: string, part: string): string {
  const hash = createHash('sha256').update(`${source}/${part}`).digest('hex').slice(0, 16);
  return `sluice-${owner}-${hash}`;
}
