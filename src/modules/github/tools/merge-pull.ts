import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { HttpError } from '../../http.ts';
import { shortened } from '../../shown.ts';
import { readChecks } from '../api/read-checks.ts';
import { needHead, readPull } from '../api/read-pull.ts';
import { checksInWords } from '../check-summary.ts';
import { numberInput, shaInput } from '../issue-input.ts';
import { mergeState, needMergeable } from '../mergeable.ts';
import { orSay } from '../refusal.ts';
import { headOf } from '../shown-pull.ts';
import { githubTool, inRepo, repoInput } from '../tool.ts';

const merged = z.object({ sha: z.string(), merged: z.boolean() });

export const mergePull = githubTool({
  name: 'github_merge_pull',
  title: 'Merge a pull request',
  description: 'Merges a pull request, at exactly the commit that you looked at. Asks first.',
  phrases: 'merge a pull request; merge the PR; squash and merge; rebase and merge; land a change',
  effect: 'execute',
  confirms: true,
  input: z.strictObject({
    repo: repoInput,
    number: numberInput,
    sha: shaInput.describe('head_sha of github_get_pull: if somebody pushes after it, nothing is merged'),
    method: z.enum(['merge', 'squash', 'rebase']).default('merge'),
    commit_title: z.string().min(1).max(256).optional().describe('Title of the merge commit'),
    commit_message: z.string().max(65_536).optional().describe('Text of the merge commit'),
  }),
  output: z.object({ merged: z.boolean(), sha: z.string().describe('The new commit of the base branch') }),
  async preview({ repo, number, sha, method }, github, { signal }) {
    const pull = await readPull(github, repo, number, { signal });
    needMergeable(repo, pull);
    needHead(repo, pull, sha);
    const checks = await readChecks(github, repo, sha, { signal });
    const commits = pull.commits === 1 ? '1 commit' : `${pull.commits ?? 'its'} commits`;
    return [
      `Merges the pull request ${repo}#${number} "${shortened(pull.title, 200)}" (${method}):`,
      `${commits} of ${headOf(pull)} at ${sha.slice(0, 10)} into ${pull.base.ref}.`,
      checks ? checksInWords(checks) : 'The token may not see its checks.',
      `GitHub says: ${mergeState(pull)}.`,
    ].join(' ');
  },
  async run({ repo, number, sha, method, ...words }, github, { signal }, progress) {
    const sent = github.json(merged, inRepo(repo, 'pulls', String(number), 'merge'), {
      method: 'PUT',
      body: { sha, merge_method: method, ...words },
      signal,
      progress,
    });
    return await orSay(sent, (refusal) => notMerged(refusal, `${repo}#${number}`));
  },
});

function notMerged({ status, body }: HttpError, at: string): AppError | undefined {
  if (status === 409)
    return new AppError(
      'conflict',
      `${at} was not merged: its head has changed since you looked at it. Look at it again with github_get_pull.`,
    );
  if (status !== 405) return undefined;
  if (/not allowed|merge method|merges are/i.test(body))
    return new AppError(
      'conflict',
      `${at} was not merged: the repository does not allow this method. Try another one: merge, squash or rebase.`,
    );
  return new AppError(
    'conflict',
    `${at} was not merged: GitHub says that it cannot be. It has conflicts, is a draft, or a rule of the base branch is not met. github_get_pull shows which.`,
  );
}
