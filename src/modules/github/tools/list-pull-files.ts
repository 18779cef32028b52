import { z } from 'zod';
import { changedFile } from '../changed-files.ts';
import { numberInput } from '../issue-input.ts';
import { pageOf } from '../page.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, repoInput } from '../tool.ts';

const TOOL = 'github_list_pull_files';

export const listPullFiles = githubTool({
  name: TOOL,
  title: 'List the files of a pull request',
  description: 'Lists the files that a pull request changes, with lines added and deleted.',
  phrases: 'which files does a PR change; files of a pull request; how large is the change',
  effect: 'read',
  input: z.strictObject({ repo: repoInput, number: numberInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        status: z.string(),
        previous_path: z.string().optional(),
        additions: z.int(),
        deletions: z.int(),
      }),
    ),
    ...moreOutput,
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { items, more } = await pageOf(
      github,
      { tool: TOOL, asked, cursor },
      {
        type: z.array(changedFile),
        path: inRepo(asked.repo, 'pulls', String(asked.number), 'files'),
        items: (answer) => answer,
        shape: ({ filename, status, previous_filename, additions, deletions }) => ({
          path: filename,
          status,
          ...(previous_filename && { previous_path: previous_filename }),
          additions,
          deletions,
        }),
      },
      { signal, progress },
    );
    return { files: items, ...more };
  },
});
