import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { maybe } from '../lenient.ts';
import { pageOf } from '../page.ts';
import { scoped } from '../search-scope.ts';
import { searchAnswer, searchInput, searchOutput, totalOf } from '../search.ts';
import { cursorInput, githubTool, limitInput, repoInput } from '../tool.ts';

const found = z.object({
  path: z.string(),
  repository: z.object({ full_name: z.string() }),
  text_matches: maybe(z.array(z.object({ fragment: maybe(z.string()) }))),
});

/** With the lines around what was found. */
const WITH_MATCHES = 'application/vnd.github.text-match+json';
const MOST_FRAGMENTS = 2;

export const searchCode = githubTool({
  name: 'github_search_code',
  title: 'Search code',
  description:
    'Searches the code of default branches, and shows the lines around what it finds. Qualifiers: language:go, path:src, filename:x.yml, extension:ts.',
  phrases: 'search code on github; where is this function used; find a string in the repositories; grep the repo',
  effect: 'read',
  input: z.strictObject({
    query: searchInput,
    repo: repoInput.optional().describe('Only in owner/name'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({
    ...searchOutput,
    files: z.array(z.object({ repo: z.string(), path: z.string(), lines: z.array(z.string()).optional() })),
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { query, repo } = asked;
    const { q, isExact } = scoped({ query, repo, repositories: github.repositories, joined: 'by or' });
    const { items, more, answer } = await pageOf(
      github,
      { tool: 'github_search_code', asked, cursor },
      {
        type: searchAnswer(found),
        path: ['search', 'code'],
        query: { q },
        headers: { accept: WITH_MATCHES },
        items: (all) => all.items,
        isAllowed: ({ repository }) => github.repositories.has(repository.full_name),
        shape: ({ path, repository, text_matches }) => {
          const lines = (text_matches ?? []).slice(0, MOST_FRAGMENTS).flatMap(({ fragment }) => fragment ?? []);
          return {
            repo: repository.full_name,
            path: path.slice(0, 500),
            ...(lines.length > 0 && { lines: lines.map((line) => shortened(line, 250)) }),
          };
        },
      },
      { signal, progress },
    );
    return { ...totalOf(answer, isExact), files: items, ...more };
  },
});
