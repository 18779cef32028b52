import { z } from 'zod';
import { moreOutput } from './tool.ts';

export const searchInput = z.string().trim().min(1).max(1000).describe('Words and qualifiers of GitHub’s search');

export const searchAnswer = <T extends z.ZodType>(item: T) =>
  z.object({ total_count: z.int(), incomplete_results: z.boolean().default(false), items: z.array(item) });

export const searchOutput = {
  total: z.int().optional().describe('GitHub shows the first 1000'),
  incomplete: z.literal(true).optional().describe('GitHub stopped searching: it took too long'),
  ...moreOutput,
};

/** GitHub's total counts what is not allowed, too, unless the search was limited to what is. */
export const totalOf = (
  { total_count, incomplete_results }: { total_count: number; incomplete_results: boolean },
  isExact: boolean,
) => ({ ...(isExact && { total: total_count }), ...(incomplete_results && { incomplete: true as const }) });
