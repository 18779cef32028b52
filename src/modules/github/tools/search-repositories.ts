import { z } from 'zod';
import { pageOf } from '../page.ts';
import { scoped } from '../search-scope.ts';
import { searchAnswer, searchInput, searchOutput, totalOf } from '../search.ts';
import { repository, repositoryOutput, shownRepository } from '../shown-repository.ts';
import { cursorInput, githubTool, limitInput } from '../tool.ts';

export const searchRepositories = githubTool({
  name: 'github_search_repositories',
  title: 'Search repositories',
  description:
    'Searches repositories by name, description and topic. Qualifiers: language:go, topic:mcp, stars:>100, user:acme, archived:false.',
  phrases:
    'search repositories on github; find a repo by name; repositories about a topic; popular repos in a language',
  effect: 'read',
  input: z.strictObject({
    query: searchInput,
    sort: z.enum(['stars', 'forks', 'updated']).optional().describe('Default: best match'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({ ...searchOutput, repositories: z.array(repositoryOutput) }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { query, sort } = asked;
    const { q, isExact } = scoped({ query, repo: undefined, repositories: github.repositories, joined: 'by or' });
    const { items, more, answer } = await pageOf(
      github,
      { tool: 'github_search_repositories', asked, cursor },
      {
        type: searchAnswer(repository),
        path: ['search', 'repositories'],
        query: { q, sort },
        items: (all) => all.items,
        isAllowed: ({ full_name }) => github.repositories.has(full_name),
        shape: shownRepository,
      },
      { signal, progress },
    );
    return { ...totalOf(answer, isExact), repositories: items, ...more };
  },
});
