import { z } from 'zod';
import { pull } from '../api/pulls.ts';
import { pageOf } from '../page.ts';
import { pullOutput, shownPull } from '../shown-pull.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, ownerAndName, repoInput } from '../tool.ts';

const TOOL = 'github_list_pulls';

export const listPulls = githubTool({
  name: TOOL,
  title: 'List pull requests',
  description: 'Lists the pull requests of a repository: by state, head or base branch.',
  phrases: 'list pull requests; open PRs; which pull requests wait for review; merge requests; PRs of a branch',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    state: z.enum(['open', 'closed', 'all']).default('open').describe('closed includes merged'),
    head: z.string().max(300).optional().describe('Branch; owner:branch of a fork'),
    base: z.string().max(300).optional().describe('Branch that it is to be merged into'),
    sort: z.enum(['created', 'updated', 'popularity', 'long-running']).default('created'),
    direction: z.enum(['asc', 'desc']).default('desc'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({ pulls: z.array(pullOutput), ...moreOutput }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { repo, state, head, base, sort, direction } = asked;
    // GitHub ignores a branch without its owner.
    const owned = head === undefined || head.includes(':') ? head : `${ownerAndName(repo).owner}:${head}`;
    const { items, more } = await pageOf(
      github,
      { tool: TOOL, asked, cursor },
      {
        type: z.array(pull),
        path: inRepo(repo, 'pulls'),
        query: { state, head: owned, base, sort, direction },
        items: (answer) => answer,
        shape: shownPull,
      },
      { signal, progress },
    );
    return { pulls: items, ...more };
  },
});
