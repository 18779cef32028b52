import { z } from 'zod';
import { pull } from '../api/pulls.ts';
import { bodyInput, titleInput } from '../issue-input.ts';
import { pullOutput, shownPull } from '../shown-pull.ts';
import { githubTool, inRepo, refInput, repoInput } from '../tool.ts';

export const createPull = githubTool({
  name: 'github_create_pull',
  title: 'Create a pull request',
  description: 'Opens a pull request for a branch that is already pushed.',
  phrases: 'create a pull request; open a PR; propose a branch; merge request',
  effect: 'create',
  input: z.strictObject({
    repo: repoInput,
    title: titleInput.describe('Title of the pull request'),
    head: z.string().min(1).max(300).describe('Branch with the changes; owner:branch of a fork'),
    base: refInput.optional().describe('Branch to merge into. Default: the default branch'),
    body: bodyInput.optional(),
    draft: z.boolean().default(false).describe('Opens it as a draft'),
  }),
  output: z.object({ pull: pullOutput }),
  async run({ repo, base, ...given }, github, { signal }, progress) {
    // What a fork has could be read in the pull request.
    const [fork, branch] = given.head.split(':');
    if (fork !== undefined && branch !== undefined) github.repositories.needOwner(fork);
    const into = base ?? (await defaultBranch());
    const body = { ...given, base: into };
    return {
      pull: shownPull(await github.json(pull, inRepo(repo, 'pulls'), { method: 'POST', body, signal, progress })),
    };

    async function defaultBranch(): Promise<string> {
      const type = z.object({ default_branch: z.string() });
      return (await github.json(type, inRepo(repo), { signal, progress })).default_branch;
    }
  },
});
