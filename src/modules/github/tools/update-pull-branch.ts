import { z } from 'zod';
import { pull } from '../api/pulls.ts';
import { maybe } from '../lenient.ts';
import { numberInput, shaInput } from '../issue-input.ts';
import { githubTool, inRepo, repoInput } from '../tool.ts';

export const updatePullBranch = githubTool({
  name: 'github_update_pull_branch',
  title: 'Update the branch of a pull request',
  description: 'Merges the base branch into the branch of a pull request, so that it is up to date.',
  phrases: 'update branch; bring a PR up to date with main; merge main into the PR',
  effect: 'update',
  input: z.strictObject({
    repo: repoInput,
    number: numberInput,
    sha: shaInput.optional().describe('Only if this is still its head'),
  }),
  output: z.object({ message: z.string() }),
  async run({ repo, number, sha }, github, { signal }, progress) {
    const path = inRepo(repo, 'pulls', String(number));
    const { head } = await github.json(pull.pick({ head: true }), path, { signal, progress });
    // The branch may be in a fork, and GitHub writes there.
    if (head.repo) github.repositories.need(head.repo.full_name);
    const answer = await github.json(z.object({ message: maybe(z.string()) }), [...path, 'update-branch'], {
      method: 'PUT',
      body: sha === undefined ? {} : { expected_head_sha: sha },
      signal,
      progress,
    });
    return { message: `${answer.message ?? 'Updating.'} github_get_pull shows the new head in a moment.` };
  },
});
