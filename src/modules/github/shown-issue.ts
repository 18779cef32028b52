import { z } from 'zod';
import { shortened } from '../shown.ts';
import { loginOf, some } from './api/fields.ts';
import { known } from './lenient.ts';
import { type Issue, labelsOf } from './api/issues.ts';
import { few } from './few.ts';

const MOST_OF_TITLE = 200;
/** Bytes for names. */
const ROOM = 400;

export const issueOutput = z.object({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  state_reason: z.string().optional(),
  author: z.string(),
  labels: z.array(z.string()).optional(),
  assignees: z.array(z.string()).optional(),
  milestone: z.string().optional(),
  comments: z.int().optional(),
  locked: z.boolean().optional(),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().optional(),
  url: z.string(),
});

export function shownIssue(issue: Issue): z.input<typeof issueOutput> {
  return {
    number: issue.number,
    title: shortened(issue.title, MOST_OF_TITLE),
    state: issue.state,
    author: loginOf(issue.user),
    created_at: issue.created_at,
    updated_at: issue.updated_at,
    url: issue.html_url,
    ...known({
      state_reason: issue.state_reason,
      labels: some(few(labelsOf(issue), ROOM)),
      assignees: some(issue.assignees?.map(loginOf)),
      milestone: issue.milestone?.title,
      comments: issue.comments,
      locked: issue.locked === true ? true : undefined,
      closed_at: issue.closed_at,
    }),
  };
}
