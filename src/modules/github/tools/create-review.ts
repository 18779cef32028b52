import { z } from 'zod';
import { bodyInput, numberInput, shaInput } from '../issue-input.ts';
import { lineCommentsInput, reviewOutput, sendReview } from '../send-review.ts';
import { githubTool, repoInput } from '../tool.ts';

const EVENTS = { comment: 'COMMENT', request_changes: 'REQUEST_CHANGES' } as const;

export const createReview = githubTool({
  name: 'github_create_review',
  title: 'Review a pull request',
  description:
    'Reviews a pull request: comments or requests changes, with comments on lines. github_approve_pull approves it.',
  phrases: 'review a pull request; request changes; comment on a line; code review',
  effect: 'create',
  input: z.strictObject({
    repo: repoInput,
    number: numberInput,
    event: z.enum(['comment', 'request_changes']),
    body: bodyInput.trim().min(1),
    sha: shaInput.optional().describe('head_sha that you reviewed. Default: the head'),
    comments: lineCommentsInput,
  }),
  output: reviewOutput,
  run: async ({ event, ...given }, github, { signal }, progress) =>
    await sendReview(github, { ...given, event: EVENTS[event] }, { signal, progress }),
});
