import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { pull } from '../api/pulls.ts';
import { loginsInput, numberInput } from '../issue-input.ts';
import { orSay } from '../refusal.ts';
import { pullOutput, shownPull } from '../shown-pull.ts';
import { githubTool, inRepo, repoInput } from '../tool.ts';

export const requestReviewers = githubTool({
  name: 'github_request_reviewers',
  title: 'Request reviewers',
  description: 'Asks users or teams to review a pull request.',
  phrases: 'request a review; ask somebody to review; add reviewers',
  effect: 'update',
  input: z.strictObject({
    repo: repoInput,
    number: numberInput,
    reviewers: loginsInput.optional().describe('Users'),
    teams: z.array(z.string().min(1).max(100)).max(10).optional().describe('Slugs of teams of the organization'),
  }),
  output: z.object({ pull: pullOutput }),
  async run({ repo, number, reviewers = [], teams = [] }, github, { signal }, progress) {
    if (reviewers.length + teams.length === 0) throw new AppError('invalid_input', 'Say reviewers, teams, or both.');
    const sent = github.json(pull, inRepo(repo, 'pulls', String(number), 'requested_reviewers'), {
      method: 'POST',
      body: { reviewers, team_reviewers: teams },
      signal,
      progress,
    });
    const changed = await orSay(sent, ({ status, body }) =>
      status === 422 && /author|collaborator/i.test(body)
        ? new AppError(
            'invalid_input',
            'GitHub asks nobody: reviewers have to be collaborators of the repository, and not the author of the pull request.',
          )
        : undefined,
    );
    return { pull: shownPull(changed) };
  },
});
