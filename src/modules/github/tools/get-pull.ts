import { z } from 'zod';
import { allPages } from '../all-pages.ts';
import { loginOf } from '../api/fields.ts';
import { known } from '../lenient.ts';
import { review } from '../api/pulls.ts';
import { readChecks } from '../api/read-checks.ts';
import { readPull } from '../api/read-pull.ts';
import { fittedBody } from '../body-text.ts';
import { numberInput } from '../issue-input.ts';
import { mergeState } from '../mergeable.ts';
import { reviewSummary } from '../review-summary.ts';
import { pullOutput, shownPull } from '../shown-pull.ts';
import { githubTool, inRepo, repoInput } from '../tool.ts';

const checksOutput = z.object({
  state: z.enum(['success', 'failure', 'pending', 'none']),
  passed: z.int(),
  failed: z.int(),
  pending: z.int(),
  failing: z.array(z.string()).optional(),
  waiting: z.array(z.string()).optional(),
});

export const getPull = githubTool({
  name: 'github_get_pull',
  title: 'Get a pull request',
  description: 'Shows a pull request: text, branches, size, whether it can be merged, checks, and who approved it.',
  phrases: 'show a pull request; can it be merged; are the checks green; who approved the PR; status of a PR',
  effect: 'read',
  input: z.strictObject({ repo: repoInput, number: numberInput }),
  output: z.object({
    pull: pullOutput,
    merge: z.string().describe('Whether it can be merged, or why not'),
    checks: checksOutput.optional().describe('Missing if the token may not see them'),
    reviews: z.object({
      approved_by: z.array(z.string()),
      changes_requested_by: z.array(z.string()),
      commented_by: z.array(z.string()),
    }),
    commits: z.int().optional(),
    changed_files: z.int().optional(),
    additions: z.int().optional(),
    deletions: z.int().optional(),
    comments: z.int().optional(),
    review_comments: z.int().optional(),
    merged_by: z.string().optional(),
    body: z.string().optional(),
    next_offset: z.int().optional().describe('The text has more: read it with github_get_comment'),
  }),
  async run({ repo, number }, github, { signal }, progress) {
    const question = { signal, progress };
    const pull = await readPull(github, repo, number, question);
    const [checks, reviews] = await Promise.all([
      readChecks(github, repo, pull.head.sha, question),
      allPages(
        github,
        { type: z.array(review), path: inRepo(repo, 'pulls', String(number), 'reviews'), items: (all) => all },
        question,
      ),
    ]);
    const { commits, changed_files, additions, deletions, comments, review_comments, merged_by } = pull;
    const besides = {
      pull: shownPull(pull),
      merge: mergeState(pull),
      ...(checks && { checks }),
      reviews: reviewSummary(reviews),
      ...known({ commits, changed_files, additions, deletions, comments, review_comments }),
      ...(merged_by && { merged_by: loginOf(merged_by) }),
    };
    return { ...besides, ...fittedBody(pull.body, besides) };
  },
});
