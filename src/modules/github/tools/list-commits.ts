import { z } from 'zod';
import { pageOf } from '../page.ts';
import { commit, commitOutput, shownCommit } from '../shown-commit.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, refInput, repoInput } from '../tool.ts';

const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?$/, 'must be a date such as 2026-01-31, or 2026-01-31T14:00:00Z')
  .transform((given) => (given.includes('T') ? given : `${given}T00:00:00Z`));

export const listCommits = githubTool({
  name: 'github_list_commits',
  title: 'List commits',
  description: 'Lists commits, the newest first: of a branch, of a file or folder, of an author, since a date.',
  phrases: 'list commits; show the git log; who changed this file; what was committed this week; commit history',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    ref: refInput.optional().describe('Branch, tag or commit; default: the default branch'),
    path: z.string().min(1).max(1000).optional().describe('Only commits that changed this file or folder'),
    author: z.string().min(1).max(200).optional().describe('GitHub login or email'),
    since: time.optional().describe('E.g. 2026-01-31, or 2026-01-31T14:00:00Z'),
    until: time.optional().describe('Not after this time'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({ commits: z.array(commitOutput), ...moreOutput }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { repo, ref, path, author, since, until } = asked;
    const { items, more } = await pageOf(
      github,
      { tool: 'github_list_commits', asked, cursor },
      {
        type: z.array(commit),
        path: inRepo(repo, 'commits'),
        query: { sha: ref, path, author, since, until },
        items: (all) => all,
        shape: shownCommit,
      },
      { signal, progress },
    );
    return { commits: items, ...more };
  },
});
