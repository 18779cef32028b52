import { z } from 'zod';
import type { GitHub, Question } from './connection.ts';
import { refusalIn } from './refusal.ts';

const limit = z.object({ limit: z.int(), remaining: z.int(), reset: z.int() });
const limits = z.object({
  resources: z.object({ core: limit, search: limit.optional(), code_search: limit.optional() }),
});
type Limits = z.output<typeof limits>['resources'];

/** How many requests are left. Empty if there is no limit: an Enterprise Server has none unless it is told to. */
export async function readLimits(
  github: GitHub,
  question: Pick<Question, 'signal' | 'progress'>,
): Promise<Partial<Limits>> {
  try {
    return (await github.json(limits, ['rate_limit'], question)).resources;
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal?.status === 404 && /rate limiting is not enabled/i.test(refusal.body)) return {};
    throw error;
  }
}
