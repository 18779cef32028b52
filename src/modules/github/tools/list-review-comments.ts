import { z } from 'zod';
import { known } from '../lenient.ts';
import { reviewComment } from '../api/pulls.ts';
import { numberInput } from '../issue-input.ts';
import { pageOf } from '../page.ts';
import { commentOutput, shownComment } from '../shown-comment.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, repoInput } from '../tool.ts';

const TOOL = 'github_list_review_comments';

export const listReviewComments = githubTool({
  name: TOOL,
  title: 'List review comments',
  description: 'Lists the comments on lines of a pull request, with file and line.',
  phrases: 'review comments; comments on lines; what did the reviewer say about the code; code review feedback',
  effect: 'read',
  input: z.strictObject({ repo: repoInput, number: numberInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({
    comments: z.array(
      commentOutput.extend({
        path: z.string(),
        line: z.int().optional(),
        outdated: z.boolean().optional().describe('The line has changed since'),
        in_reply_to: z.int().optional(),
      }),
    ),
    ...moreOutput,
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { items, more } = await pageOf(
      github,
      { tool: TOOL, asked, cursor },
      {
        type: z.array(reviewComment),
        path: inRepo(asked.repo, 'pulls', String(asked.number), 'comments'),
        items: (answer) => answer,
        shape: (one) => ({
          ...shownComment(one),
          path: one.path,
          ...known({
            line: one.line ?? one.original_line,
            outdated: !one.line && one.original_line ? true : undefined,
            in_reply_to: one.in_reply_to_id,
          }),
        }),
      },
      { signal, progress },
    );
    return { comments: items, ...more };
  },
});
