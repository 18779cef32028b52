import { z } from 'zod';
import { comment, issue } from '../api/issues.ts';
import { fittedBody } from '../body-text.ts';
import { numberInput } from '../issue-input.ts';
import { pageOf } from '../page.ts';
import { commentOutput, shownComment } from '../shown-comment.ts';
import { issueOutput, shownIssue } from '../shown-issue.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, repoInput } from '../tool.ts';

const TOOL = 'github_get_issue';
/** Leaves room for comments. github_get_comment reads the rest. */
const MOST_OF_BODY = 800;
const ROOM = { comment: 'x'.repeat(1500) };

export const getIssue = githubTool({
  name: TOOL,
  title: 'Get an issue',
  description: 'Shows an issue with its text and comments, oldest first. Also the conversation of a pull request.',
  phrases: 'show an issue; read the comments of an issue; what does issue 42 say; conversation of a pull request',
  effect: 'read',
  input: z.strictObject({ repo: repoInput, number: numberInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({
    issue: issueOutput,
    is_pull: z.boolean().optional().describe('A pull request: github_get_pull shows the rest'),
    body: z.string().optional(),
    body_next_offset: z.int().optional().describe('There is more: read it with github_get_comment'),
    comments: z.array(commentOutput),
    ...moreOutput,
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const path = inRepo(asked.repo, 'issues', String(asked.number));
    const found = await github.json(issue, path, { signal, progress });
    const shown = shownIssue(found);
    const { body, next_offset } =
      cursor === undefined ? fittedBody(found.body, { shown, ...ROOM }, { most: MOST_OF_BODY }) : {};
    const besides = {
      issue: shown,
      ...(found.pull_request && { is_pull: true }),
      ...(body !== undefined && { body }),
      ...(next_offset !== undefined && { body_next_offset: next_offset }),
    };
    if (found.comments === 0) return { ...besides, comments: [] };
    const { items, more } = await pageOf(
      github,
      { tool: TOOL, asked, cursor },
      {
        type: z.array(comment),
        path: [...path, 'comments'],
        items: (answer) => answer,
        shape: shownComment,
        besides,
      },
      { signal, progress },
    );
    return { ...besides, comments: items, ...more };
  },
});
