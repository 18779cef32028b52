import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { branchInput } from '../commit-input.ts';
import { defaultBranchOf, shaOf } from '../refs.ts';
import { githubTool, inRepo, refInput, repoInput } from '../tool.ts';

export const createBranch = githubTool({
  name: 'github_create_branch',
  title: 'Create a branch',
  description: 'Creates a branch from another branch, a tag or a commit.',
  phrases: 'create a branch; new branch from main; branch off a tag',
  effect: 'create',
  input: z.strictObject({
    repo: repoInput,
    branch: branchInput.describe('Name of the new branch'),
    from: refInput.optional().describe('Branch, tag or commit; default: the default branch'),
  }),
  output: z.object({ repo: z.string(), branch: z.string(), from: z.string(), sha: z.string() }),
  async run({ repo, branch, from: given }, github, { signal }, progress) {
    const asking = { signal, progress };
    const from = given ?? (await defaultBranchOf(github, repo, asking));
    const sha = await shaOf(github, repo, from, asking);
    try {
      await github.json(z.unknown(), inRepo(repo, 'git', 'refs'), {
        method: 'POST',
        body: { ref: `refs/heads/${branch}`, sha },
        ...asking,
      });
    } catch (error) {
      if (!(error instanceof AppError) || !/already exists/i.test(error.message)) throw error;
      throw new AppError('conflict', `${repo} already has a branch ${branch}. Nothing was changed.`, { cause: error });
    }
    return { repo, branch, from, sha };
  },
});
