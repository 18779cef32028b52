import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { known, maybe } from '../lenient.ts';
import { pageOf } from '../page.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, repoInput } from '../tool.ts';

const TOOL = 'github_list_milestones';

const milestone = z.object({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  open_issues: maybe(z.int()),
  closed_issues: maybe(z.int()),
  due_on: maybe(z.string()),
});

export const listMilestones = githubTool({
  name: TOOL,
  title: 'List milestones',
  description: 'Lists the milestones of a repository with their numbers and how much is done.',
  phrases: 'list milestones; progress of a milestone; when is a version due',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    state: z.enum(['open', 'closed', 'all']).default('open'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({
    milestones: z.array(
      z.object({
        number: z.int(),
        title: z.string(),
        state: z.string(),
        open_issues: z.int().optional(),
        closed_issues: z.int().optional(),
        due_on: z.string().optional(),
      }),
    ),
    ...moreOutput,
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { items, more } = await pageOf(
      github,
      { tool: TOOL, asked, cursor },
      {
        type: z.array(milestone),
        path: inRepo(asked.repo, 'milestones'),
        query: { state: asked.state },
        items: (answer) => answer,
        shape: ({ number, title, state, ...rest }) => ({
          number,
          title: shortened(title, 200),
          state,
          ...known(rest),
        }),
      },
      { signal, progress },
    );
    return { milestones: items, ...more };
  },
});
