import { z } from 'zod';
import { issue, labelsOf } from '../api/issues.ts';
import { bodyInput, labelsInput, loginsInput, titleInput } from '../issue-input.ts';
import { issueOutput, shownIssue } from '../shown-issue.ts';
import { githubTool, inRepo, repoInput } from '../tool.ts';

export const createIssue = githubTool({
  name: 'github_create_issue',
  title: 'Create an issue',
  description: 'Opens an issue in a repository.',
  phrases: 'create an issue; report a bug; open a ticket; file a feature request',
  effect: 'create',
  input: z.strictObject({
    repo: repoInput,
    title: titleInput.describe('Title of the issue'),
    body: bodyInput.optional(),
    labels: labelsInput.optional().describe('Names of labels'),
    assignees: loginsInput.optional().describe('Logins of users'),
    milestone: z.int().min(1).optional().describe('Its number, from github_list_milestones'),
  }),
  output: z.object({ issue: issueOutput, note: z.string().optional() }),
  async run({ repo, ...body }, github, { signal }, progress) {
    const made = await github.json(issue, inRepo(repo, 'issues'), { method: 'POST', body, signal, progress });
    const has = { labels: labelsOf(made).length > 0, assignees: (made.assignees ?? []).length > 0 };
    // Without the right to write, GitHub ignores these and says nothing.
    const ignored = (['labels', 'assignees'] as const).filter((key) => (body[key]?.length ?? 0) > 0 && !has[key]);
    return {
      issue: shownIssue(made),
      ...(ignored.length > 0 && {
        note: `GitHub ignored ${ignored.join(' and ')}: the token may not write to the repository, or the users cannot be assigned.`,
      }),
    };
  },
});
