import { z } from 'zod';
import { issue } from '../api/issues.ts';
import { labelsInput } from '../issue-input.ts';
import { pageOf } from '../page.ts';
import { issueOutput, shownIssue } from '../shown-issue.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, repoInput } from '../tool.ts';

const TOOL = 'github_list_issues';

export const listIssues = githubTool({
  name: TOOL,
  title: 'List issues',
  description:
    'Lists the issues of a repository, without pull requests: by state, labels, assignee, author or milestone.',
  phrases: 'list issues; open bugs; what is assigned to me; issues with a label; tickets of a repository',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    state: z.enum(['open', 'closed', 'all']).default('open'),
    labels: labelsInput.optional().describe('Has all of them'),
    assignee: z.string().max(100).optional().describe('A user; * for any, none for nobody'),
    author: z.string().max(100).optional().describe('Login of who opened it'),
    milestone: z
      .union([z.int().min(1), z.enum(['*', 'none'])])
      .optional()
      .describe('Its number; * for any, none for no milestone'),
    since: z.iso.datetime().optional().describe('Updated since, such as 2026-01-31T00:00:00Z'),
    sort: z.enum(['created', 'updated', 'comments']).default('created').describe('The latest or most first'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({ issues: z.array(issueOutput), ...moreOutput }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { state, labels, assignee, author, milestone, since, sort } = asked;
    const { items, more } = await pageOf(
      github,
      { tool: TOOL, asked, cursor },
      {
        type: z.array(issue),
        path: inRepo(asked.repo, 'issues'),
        query: { state, labels: labels?.join(','), assignee, creator: author, milestone, since, sort },
        items: (answer) => answer,
        shape: (one) => (one.pull_request ? undefined : shownIssue(one)),
      },
      { signal, progress },
    );
    return { issues: items, ...more };
  },
});
