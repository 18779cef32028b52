import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { maybe } from '../lenient.ts';
import { pageOf } from '../page.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, repoInput } from '../tool.ts';

const TOOL = 'github_list_labels';

const label = z.object({ name: z.string(), description: maybe(z.string()) });

export const listLabels = githubTool({
  name: TOOL,
  title: 'List labels',
  description: 'Lists the labels of a repository with what they are for.',
  phrases: 'list labels; which labels are there; tags for issues',
  effect: 'read',
  input: z.strictObject({ repo: repoInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({
    labels: z.array(z.object({ name: z.string(), description: z.string().optional() })),
    ...moreOutput,
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { items, more } = await pageOf(
      github,
      { tool: TOOL, asked, cursor },
      {
        type: z.array(label),
        path: inRepo(asked.repo, 'labels'),
        items: (answer) => answer,
        shape: ({ name, description }) => ({
          name,
          ...(description && { description: shortened(description, 150) }),
        }),
      },
      { signal, progress },
    );
    return { labels: items, ...more };
  },
});
