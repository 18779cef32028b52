import { z } from 'zod';
import { loginOf } from '../api/fields.ts';
import { known } from '../lenient.ts';
import { review } from '../api/pulls.ts';
import { plainBody } from '../body-text.ts';
import { numberInput } from '../issue-input.ts';
import { pageOf } from '../page.ts';
import { shortened } from '../../shown.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, repoInput } from '../tool.ts';

const TOOL = 'github_list_reviews';
const MOST_OF_BODY = 1000;

export const listReviews = githubTool({
  name: TOOL,
  title: 'List reviews',
  description: 'Lists the reviews of a pull request, oldest first: who approved, asked for changes or commented.',
  phrases: 'reviews of a pull request; who approved; what did the reviewers say; requested changes',
  effect: 'read',
  input: z.strictObject({ repo: repoInput, number: numberInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({
    reviews: z.array(
      z.object({
        id: z.int(),
        author: z.string(),
        state: z.string().describe('approved, changes_requested, commented, dismissed or pending'),
        submitted_at: z.string().optional(),
        sha: z.string().optional().describe('The commit that was reviewed'),
        body: z.string().optional(),
        url: z.string(),
      }),
    ),
    ...moreOutput,
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { items, more } = await pageOf(
      github,
      { tool: TOOL, asked, cursor },
      {
        type: z.array(review),
        path: inRepo(asked.repo, 'pulls', String(asked.number), 'reviews'),
        items: (answer) => answer,
        shape: (one) => ({
          id: one.id,
          author: loginOf(one.user),
          state: one.state.toLowerCase(),
          url: one.html_url,
          ...known({
            submitted_at: one.submitted_at,
            sha: one.commit_id,
            body: shortened(plainBody(one.body), MOST_OF_BODY) || undefined,
          }),
        }),
      },
      { signal, progress },
    );
    return { reviews: items, ...more };
  },
});
