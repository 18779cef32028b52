import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { review } from './api/pulls.ts';
import type { GitHub, Question } from './connection.ts';
import { bodyInput } from './issue-input.ts';
import { orSay } from './refusal.ts';
import { inRepo } from './tool.ts';

export const lineCommentsInput = z
  .array(
    z.strictObject({
      path: z.string().min(1).max(1000),
      line: z.int().min(1).describe('In the new file, within the diff; the last one of several'),
      side: z.enum(['LEFT', 'RIGHT']).default('RIGHT').describe('LEFT: a line that is deleted'),
      start_line: z.int().min(1).optional().describe('The first of several lines'),
      body: bodyInput.min(1),
    }),
  )
  .max(50)
  .optional()
  .describe('On lines');

export const reviewOutput = z.object({ id: z.int(), state: z.string(), url: z.string() });

export interface NewReview {
  readonly repo: string;
  readonly number: number;
  readonly event: 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT';
  readonly body?: string | undefined;
  /** The commit that was reviewed. */
  readonly sha?: string | undefined;
  readonly comments?: z.output<typeof lineCommentsInput>;
}

export async function sendReview(
  github: GitHub,
  { repo, number, event, body, sha, comments = [] }: NewReview,
  question: Pick<Question, 'signal' | 'progress'>,
): Promise<z.input<typeof reviewOutput>> {
  needOrder(comments);
  const sent = github.json(review, inRepo(repo, 'pulls', String(number), 'reviews'), {
    method: 'POST',
    body: {
      event,
      body,
      commit_id: sha,
      comments: comments.map((one) => ({
        ...one,
        ...(one.start_line !== undefined && { start_side: one.side }),
      })),
    },
    ...question,
  });
  const made = await orSay(sent, ({ status, body: said }) => (status === 422 ? refusedFor(said) : undefined));
  return { id: made.id, state: made.state.toLowerCase(), url: made.html_url };
}

export function needOrder(comments: NewReview['comments'] = []): void {
  for (const { line, start_line } of comments)
    if (start_line !== undefined && start_line >= line)
      throw new AppError('invalid_input', `start_line ${start_line} must be before line ${line}.`);
}

function refusedFor(said: string): AppError | undefined {
  if (/line must be part of the diff|could not be resolved/i.test(said))
    return new AppError(
      'invalid_input',
      'A comment is on a line that the diff does not have, and nothing was posted. github_get_pull_diff shows the lines: a comment can be on those of its hunks only.',
    );
  if (/own pull request/i.test(said))
    return new AppError(
      'forbidden',
      'You opened this pull request, so GitHub lets you comment on it only: use github_create_review with event comment.',
    );
  return undefined;
}
