import { z } from 'zod';
import { maybe } from '../lenient.ts';

const checkRun = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  conclusion: maybe(z.string()),
  started_at: maybe(z.string()),
  completed_at: maybe(z.string()),
  html_url: maybe(z.string()),
  app: maybe(z.object({ slug: maybe(z.string()) })),
  output: maybe(z.object({ title: maybe(z.string()), summary: maybe(z.string()) })),
});

export const checkRuns = z.object({ total_count: z.int(), check_runs: z.array(checkRun) });

export const combinedStatus = z.object({
  sha: z.string(),
  statuses: z.array(
    z.object({
      context: z.string(),
      state: z.string(),
      description: maybe(z.string()),
      target_url: maybe(z.string()),
    }),
  ),
});
