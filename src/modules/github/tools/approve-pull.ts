import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { readChecks } from '../api/read-checks.ts';
import { needHead, readPull } from '../api/read-pull.ts';
import { checksInWords } from '../check-summary.ts';
import { bodyInput, numberInput, shaInput } from '../issue-input.ts';
import { lineCommentsInput, needOrder, reviewOutput, sendReview } from '../send-review.ts';
import { githubTool, repoInput } from '../tool.ts';

export const approvePull = githubTool({
  name: 'github_approve_pull',
  title: 'Approve a pull request',
  description: 'Approves a pull request, at exactly the commit that you looked at. Asks first.',
  phrases: 'approve a pull request; approve the PR; LGTM; looks good to me',
  effect: 'create',
  confirms: true,
  input: z.strictObject({
    repo: repoInput,
    number: numberInput,
    sha: shaInput.describe('head_sha of github_get_pull that you reviewed'),
    body: bodyInput.optional(),
    comments: lineCommentsInput,
  }),
  output: reviewOutput,
  async preview({ repo, number, sha, comments }, github, { signal }) {
    needOrder(comments);
    const pull = await readPull(github, repo, number, { signal });
    needHead(repo, pull, sha);
    const checks = await readChecks(github, repo, sha, { signal });
    return `Approves the pull request ${repo}#${number} "${shortened(pull.title, 200)}" at ${sha.slice(0, 10)}.${checks ? ` ${checksInWords(checks)}` : ''} Others may merge it then.`;
  },
  run: async (given, github, { signal }, progress) =>
    await sendReview(github, { ...given, event: 'APPROVE' }, { signal, progress }),
});
