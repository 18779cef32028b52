import { z } from 'zod';
import { shortened } from '../shown.ts';
import { loginOf, some } from './api/fields.ts';
import { known } from './lenient.ts';
import type { Pull } from './api/pulls.ts';
import { few } from './few.ts';

const MOST_OF_TITLE = 200;
/** Bytes for names. */
const ROOM = 400;

export const pullOutput = z.object({
  number: z.int(),
  title: z.string(),
  state: z.enum(['open', 'closed', 'merged']),
  draft: z.boolean().optional(),
  author: z.string(),
  head: z.string().describe('Branch; owner:branch of a fork'),
  head_sha: z.string(),
  base: z.string(),
  labels: z.array(z.string()).optional(),
  assignees: z.array(z.string()).optional(),
  requested_reviewers: z.array(z.string()).optional(),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().optional(),
  merged_at: z.string().optional(),
  url: z.string(),
});

export function shownPull(pull: Pull): z.input<typeof pullOutput> {
  const labels = pull.labels.flatMap(({ name }) => name ?? []);
  const teams = pull.requested_teams?.map(({ slug }) => `team ${slug}`) ?? [];
  const reviewers = [...(pull.requested_reviewers?.map(loginOf) ?? []), ...teams];
  return {
    number: pull.number,
    title: shortened(pull.title, MOST_OF_TITLE),
    state: stateOf(pull),
    author: loginOf(pull.user),
    head: headOf(pull),
    head_sha: pull.head.sha,
    base: pull.base.ref,
    created_at: pull.created_at,
    updated_at: pull.updated_at,
    url: pull.html_url,
    ...known({
      draft: pull.draft === true ? true : undefined,
      labels: some(few(labels, ROOM)),
      assignees: some(pull.assignees?.map(loginOf)),
      requested_reviewers: some(few(reviewers, ROOM)),
      closed_at: pull.merged_at ? undefined : pull.closed_at,
      merged_at: pull.merged_at,
    }),
  };
}

function stateOf({ state, merged_at }: Pick<Pull, 'state' | 'merged_at'>): 'open' | 'closed' | 'merged' {
  if (merged_at) return 'merged';
  return state === 'open' ? 'open' : 'closed';
}

/** The branch, with the owner of the fork that it is in. */
export function headOf({ head, base }: Pull): string {
  const [fork, home] = [head.repo?.full_name, base.repo?.full_name];
  if (head.repo === null) return `(deleted fork):${head.ref}`;
  return fork === undefined || fork === home ? head.ref : `${fork.split('/')[0]}:${head.ref}`;
}
