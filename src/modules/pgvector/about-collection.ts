import { z } from 'zod';
import type { Collection } from './collection.ts';
import { distanceOf } from './distance.ts';
import { nearIndexes } from './near-index.ts';
import type { Index } from './tables.ts';

export const indexOutput = z.object({
  name: z.string(),
  kind: z.string().describe('hnsw, ivfflat, gin, btree, …'),
  on: z.string().describe('Column or expression'),
  distance: z.string().optional().describe('The distance it serves'),
  valid: z.boolean().describe('false: its build was interrupted; drop it and build it again'),
  options: z.string().optional(),
  size: z.string(),
});

export const shownIndex = (index: Index): z.output<typeof indexOutput> => {
  const distance = distanceOf(index.operators);
  return {
    name: index.name,
    kind: index.method,
    on: (index.column ?? index.expression ?? '').slice(0, 200),
    ...(distance !== undefined && { distance }),
    valid: index.isValid,
    ...(index.options.length > 0 && { options: index.options.join(', ') }),
    size: sizeOf(index.bytes),
  };
};

const sizeOf = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${(bytes / 1024 / 1024).toFixed(1)} MB` : `${Math.ceil(bytes / 1024)} KB`;

/** `hnsw` if a search is served by one. */
export const indexKinds = ({ table, roles }: Collection): string[] => [
  ...new Set(
    nearIndexes(table, roles)
      .filter(({ index }) => index.isValid)
      .map(({ index }) => index.method),
  ),
];
