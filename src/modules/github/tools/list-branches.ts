import { z } from 'zod';
import { pageOf } from '../page.ts';
import { shortSha } from '../shown-commit.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, repoInput } from '../tool.ts';

const branch = z.object({
  name: z.string(),
  commit: z.object({ sha: z.string() }),
  protected: z.boolean().default(false),
});

export const listBranches = githubTool({
  name: 'github_list_branches',
  title: 'List branches',
  description: 'Lists the branches of a repository with their last commit, and which are protected.',
  phrases: 'list branches; which branches does the repo have; show protected branches',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    protected: z.boolean().optional().describe('Only protected ones, or only others'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({
    branches: z.array(z.object({ name: z.string(), sha: z.string(), protected: z.literal(true).optional() })),
    ...moreOutput,
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { items, more } = await pageOf(
      github,
      { tool: 'github_list_branches', asked, cursor },
      {
        type: z.array(branch),
        path: inRepo(asked.repo, 'branches'),
        query: { protected: asked.protected },
        items: (all) => all,
        shape: ({ name, commit, protected: isProtected }) => ({
          name,
          sha: shortSha(commit.sha),
          ...(isProtected && { protected: true as const }),
        }),
      },
      { signal, progress },
    );
    return { branches: items, ...more };
  },
});
