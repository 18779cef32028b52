import { z } from 'zod';
import { shortened } from '../shown.ts';
import { known, maybe } from './lenient.ts';

export const repository = z.object({
  full_name: z.string(),
  private: z.boolean(),
  description: maybe(z.string()),
  language: maybe(z.string()),
  default_branch: maybe(z.string()),
  stargazers_count: maybe(z.int()),
  pushed_at: maybe(z.string()),
  archived: maybe(z.boolean()),
  fork: maybe(z.boolean()),
});

export const repositoryOutput = z.object({
  repo: z.string(),
  description: z.string().optional(),
  private: z.literal(true).optional(),
  archived: z.literal(true).optional(),
  fork: z.literal(true).optional(),
  language: z.string().optional(),
  stars: z.int().optional(),
  pushed: z.string().optional(),
});

/** Flags are shown if they are set: most are not. */
const set = (flag: boolean | null | undefined): true | undefined => (flag === true ? true : undefined);

export const shownRepository = (one: z.output<typeof repository>) => ({
  repo: one.full_name,
  ...known({
    description: one.description ? shortened(one.description, 200) : undefined,
    private: set(one.private),
    archived: set(one.archived),
    fork: set(one.fork),
    language: one.language,
    stars: one.stargazers_count,
    pushed: one.pushed_at,
  }),
});
