import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { issue, labelsOf } from '../api/issues.ts';
import { bodyInput, labelsInput, loginsInput, numberInput, titleInput } from '../issue-input.ts';
import { issueOutput, shownIssue } from '../shown-issue.ts';
import { githubTool, inRepo, repoInput } from '../tool.ts';

export const updateIssue = githubTool({
  name: 'github_update_issue',
  title: 'Update an issue',
  description:
    'Changes an issue: title, text, state, labels, assignees, milestone. Also the labels, assignees and milestone of a pull request.',
  phrases: 'close an issue; reopen an issue; label an issue; assign somebody; edit an issue; set the milestone',
  effect: 'update',
  input: z.strictObject({
    repo: repoInput,
    number: numberInput,
    title: titleInput.optional().describe('New title'),
    body: bodyInput.optional(),
    state: z.enum(['open', 'closed']).optional(),
    state_reason: z.enum(['completed', 'not_planned', 'reopened']).optional().describe('With state'),
    labels: labelsInput.optional().describe('Replaces all of them'),
    add_labels: labelsInput.optional().describe('Labels to add'),
    remove_labels: labelsInput.optional().describe('Labels to take away'),
    assignees: loginsInput.optional().describe('Replaces all of them'),
    milestone: z
      .union([z.int().min(1), z.null()])
      .optional()
      .describe('Its number; null for none'),
  }),
  output: z.object({ issue: issueOutput }),
  async run({ repo, number, add_labels, remove_labels, ...given }, github, { signal }, progress) {
    if (given.labels && (add_labels ?? remove_labels))
      throw new AppError('invalid_input', 'Say either labels, or add_labels and remove_labels.');
    const path = inRepo(repo, 'issues', String(number));
    const body: Record<string, unknown> = { ...given };
    if (add_labels ?? remove_labels) {
      const had = labelsOf(await github.json(issue, path, { signal, progress }));
      body.labels = changed(had, add_labels ?? [], remove_labels ?? []);
    }
    if (Object.keys(body).length === 0)
      throw new AppError('invalid_input', 'Nothing to change. Say title, body, state, labels, assignees or milestone.');
    return { issue: shownIssue(await github.json(issue, path, { method: 'PATCH', body, signal, progress })) };
  },
});

/** Upper and lower case are the same label. */
function changed(had: readonly string[], added: readonly string[], removed: readonly string[]): string[] {
  const lower = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()));
  const [gone, old] = [lower(removed), lower(had)];
  return [
    ...had.filter((name) => !gone.has(name.toLowerCase())),
    ...added.filter((name) => !old.has(name.toLowerCase())),
  ];
}
