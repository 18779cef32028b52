import { z } from 'zod';
import { release } from '../api/releases.ts';
import { pageOf } from '../page.ts';
import { releaseOutput, shownRelease } from '../shown-release.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, repoInput } from '../tool.ts';

const TOOL = 'github_list_releases';

export const listReleases = githubTool({
  name: TOOL,
  title: 'List releases',
  description: 'Lists the releases of a repository, the latest first; drafts only if you may write to it.',
  phrases: 'list releases; which versions are there; draft releases; release history',
  effect: 'read',
  input: z.strictObject({ repo: repoInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({ releases: z.array(releaseOutput), ...moreOutput }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { items, more } = await pageOf(
      github,
      { tool: TOOL, asked, cursor },
      {
        type: z.array(release),
        path: inRepo(asked.repo, 'releases'),
        items: (answer) => answer,
        shape: shownRelease,
      },
      { signal, progress },
    );
    return { releases: items, ...more };
  },
});
