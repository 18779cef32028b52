import { z } from 'zod';
import { pageOf } from '../page.ts';
import { shortSha } from '../shown-commit.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, repoInput } from '../tool.ts';

const tag = z.object({ name: z.string(), commit: z.object({ sha: z.string() }) });

export const listTags = githubTool({
  name: 'github_list_tags',
  title: 'List tags',
  description: 'Lists the tags of a repository with their commits.',
  phrases: 'list git tags; which tags does the repo have; which commit is a version tag',
  effect: 'read',
  input: z.strictObject({ repo: repoInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({ tags: z.array(z.object({ name: z.string(), sha: z.string() })), ...moreOutput }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { items, more } = await pageOf(
      github,
      { tool: 'github_list_tags', asked, cursor },
      {
        type: z.array(tag),
        path: inRepo(asked.repo, 'tags'),
        items: (all) => all,
        shape: ({ name, commit }) => ({ name, sha: shortSha(commit.sha) }),
      },
      { signal, progress },
    );
    return { tags: items, ...more };
  },
});
