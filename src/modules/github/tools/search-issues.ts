import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { known, maybe } from '../lenient.ts';
import { pageOf } from '../page.ts';
import { scoped } from '../search-scope.ts';
import { searchAnswer, searchInput, searchOutput, totalOf } from '../search.ts';
import { cursorInput, githubTool, limitInput, repoInput } from '../tool.ts';

const found = z.object({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  repository_url: z.string(),
  user: maybe(z.object({ login: maybe(z.string()) })),
  comments: maybe(z.int()),
  updated_at: maybe(z.string()),
  labels: maybe(z.array(z.object({ name: maybe(z.string()) }))),
  pull_request: maybe(z.object({ merged_at: maybe(z.string()) })),
});

/** Its URL ends with `owner/name`. */
const repoOf = ({ repository_url }: z.output<typeof found>): string => repository_url.split('/').slice(-2).join('/');

export const searchIssues = githubTool({
  name: 'github_search_issues',
  title: 'Search issues and pull requests',
  description:
    'Searches issues and pull requests by text. Qualifiers: is:issue, is:pr, is:open, author:x, assignee:@me, label:bug, review-requested:@me.',
  phrases:
    'search issues; find pull requests; which issues are assigned to me; pull requests waiting for my review; has this bug been reported',
  effect: 'read',
  input: z.strictObject({
    query: searchInput,
    repo: repoInput.optional().describe('Only in owner/name'),
    sort: z.enum(['created', 'updated', 'comments']).optional().describe('Default: best match'),
    order: z.enum(['asc', 'desc']).default('desc'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({
    ...searchOutput,
    issues: z.array(
      z.object({
        repo: z.string(),
        number: z.int(),
        kind: z.enum(['issue', 'pull request']),
        title: z.string(),
        state: z.string().describe('open, closed or merged'),
        author: z.string().optional(),
        labels: z.array(z.string()).optional(),
        comments: z.int().optional(),
        updated: z.string().optional(),
      }),
    ),
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { query, repo, sort, order } = asked;
    const { q, isExact } = scoped({ query, repo, repositories: github.repositories, joined: 'with OR' });
    const { items, more, answer } = await pageOf(
      github,
      { tool: 'github_search_issues', asked, cursor },
      {
        type: searchAnswer(found),
        path: ['search', 'issues'],
        query: { q, sort, order, advanced_search: 'true' },
        items: (all) => all.items,
        isAllowed: (one) => github.repositories.has(repoOf(one)),
        shape: (one) => ({
          repo: repoOf(one),
          number: one.number,
          kind: one.pull_request ? ('pull request' as const) : ('issue' as const),
          title: shortened(one.title, 200),
          state: one.pull_request?.merged_at ? 'merged' : one.state,
          ...known({
            author: one.user?.login,
            labels: one.labels?.flatMap(({ name }) => name ?? []).slice(0, 10),
            comments: one.comments,
            updated: one.updated_at,
          }),
        }),
      },
      { signal, progress },
    );
    return { ...totalOf(answer, isExact), issues: items, ...more };
  },
});
