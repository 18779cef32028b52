import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { pull } from '../api/pulls.ts';
import { bodyInput, numberInput, titleInput } from '../issue-input.ts';
import { pullOutput, shownPull } from '../shown-pull.ts';
import { githubTool, inRepo, refInput, repoInput } from '../tool.ts';

export const updatePull = githubTool({
  name: 'github_update_pull',
  title: 'Update a pull request',
  description:
    'Changes the title, text, base branch or state of a pull request. Its labels and assignees: github_update_issue.',
  phrases: 'edit a pull request; close a PR; reopen a PR; change the base branch; rename a PR',
  effect: 'update',
  input: z.strictObject({
    repo: repoInput,
    number: numberInput,
    title: titleInput.optional().describe('New title'),
    body: bodyInput.optional(),
    state: z.enum(['open', 'closed']).optional().describe('closed: without merging'),
    base: refInput.optional().describe('Branch to merge into'),
  }),
  output: z.object({ pull: pullOutput }),
  async run({ repo, number, ...body }, github, { signal }, progress) {
    if (Object.keys(body).length === 0)
      throw new AppError('invalid_input', 'Nothing to change. Say title, body, state or base.');
    const path = inRepo(repo, 'pulls', String(number));
    return { pull: shownPull(await github.json(pull, path, { method: 'PATCH', body, signal, progress })) };
  },
});
