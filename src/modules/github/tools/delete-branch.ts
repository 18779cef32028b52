import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { branchInput } from '../commit-input.ts';
import type { GitHub } from '../connection.ts';
import { defaultBranchOf, headOf } from '../refs.ts';
import { shortSha } from '../shown-commit.ts';
import { githubTool, inRepo, repoInput, slashed } from '../tool.ts';

const comparison = z.object({ ahead_by: z.int() });

const input = z.strictObject({ repo: repoInput, branch: branchInput.describe('Name of the branch') });
type Input = z.output<typeof input>;

export const deleteBranch = githubTool({
  name: 'github_delete_branch',
  title: 'Delete a branch',
  description: 'Deletes a branch; never the default branch. Its last commit is in the answer, to create it again.',
  phrases: 'delete a branch; remove a merged branch; clean up old branches',
  effect: 'delete',
  input,
  output: z.object({ repo: z.string(), branch: z.string(), sha: z.string().describe('Its last commit') }),
  async preview(given, github, { signal }) {
    const { sha, main } = await found(given, github, signal);
    const { repo, branch } = given;
    const left = await leftBehind(given, main, github, signal);
    return `Deletes the branch ${branch} of ${repo}, at ${shortSha(sha)}. ${left} Open pull requests from it are closed.`;
  },
  async run(given, github, { signal }, progress) {
    const { repo, branch } = given;
    const { sha } = await found(given, github, signal);
    await github.json(z.unknown(), inRepo(repo, 'git', 'refs', 'heads', ...slashed(branch)), {
      method: 'DELETE',
      signal,
      progress,
    });
    return { repo, branch, sha };
  },
});

async function leftBehind({ repo, branch }: Input, main: string, github: GitHub, signal: AbortSignal): Promise<string> {
  try {
    const { ahead_by: ahead } = await github.json(
      comparison,
      inRepo(repo, 'compare', ...slashed(`${main}...${branch}`)),
      {
        query: { per_page: 1 },
        signal,
      },
    );
    return ahead === 0 ? `Everything on it is in ${main}.` : `It has ${ahead} commits that ${main} lacks.`;
  } catch (error) {
    // Such as gh-pages, which begins with a commit of its own.
    if (error instanceof AppError && error.code === 'not_found') return `It shares no commit with ${main}.`;
    throw error;
  }
}

async function found({ repo, branch }: Input, github: GitHub, signal: AbortSignal) {
  const main = await defaultBranchOf(github, repo, { signal });
  if (branch === main)
    throw new AppError('forbidden', `${branch} is the default branch of ${repo}, which is never deleted here.`);
  return { main, sha: await headOf(github, repo, branch, { signal }) };
}
