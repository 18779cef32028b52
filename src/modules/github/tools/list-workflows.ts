import { z } from 'zod';
import { workflow } from '../api/actions.ts';
import { pageOf } from '../page.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, repoInput } from '../tool.ts';

const TOOL = 'github_list_workflows';

export const listWorkflows = githubTool({
  name: TOOL,
  title: 'List workflows',
  description: 'Lists the GitHub Actions workflows of a repository, with their files.',
  phrases: 'list workflows of a repository; which GitHub actions are there; CI pipelines',
  effect: 'read',
  input: z.strictObject({ repo: repoInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({
    workflows: z.array(z.object({ id: z.int(), name: z.string(), file: z.string(), state: z.string() })),
    ...moreOutput,
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { items, more } = await pageOf(
      github,
      { tool: TOOL, asked, cursor },
      {
        type: z.object({ workflows: z.array(workflow) }),
        path: inRepo(asked.repo, 'actions', 'workflows'),
        items: ({ workflows }) => workflows,
        shape: ({ id, name, path, state }) => ({ id, name, file: path, state }),
      },
      { signal, progress },
    );
    return { workflows: items, ...more };
  },
});
