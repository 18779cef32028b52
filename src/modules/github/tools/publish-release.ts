import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { shortened } from '../../shown.ts';
import { type Release, release } from '../api/releases.ts';
import type { GitHub, Question } from '../connection.ts';
import { releaseInput } from '../release-input.ts';
import { releaseOutput, shownRelease } from '../shown-release.ts';
import { githubTool, inRepo, repoInput } from '../tool.ts';

export const publishRelease = githubTool({
  name: 'github_publish_release',
  title: 'Publish a release',
  description: 'Publishes a draft release: makes its tag, and tells everybody who watches the repository. Asks first.',
  phrases: 'publish a release; release a version; ship it; make a draft release public',
  effect: 'execute',
  confirms: true,
  input: z.strictObject({
    repo: repoInput,
    release: releaseInput,
    latest: z.boolean().default(true).describe('Becomes the latest release; never with a prerelease'),
  }),
  output: z.object({ release: releaseOutput }),
  async preview({ repo, release: id, latest }, github, { signal }) {
    const found = await readDraft(github, repo, id, { signal });
    const kind = found.prerelease ? 'prerelease' : 'release';
    const as = latest && !found.prerelease ? ', as the latest release' : '';
    return `Publishes the ${kind} ${shortened(found.name || found.tag_name, 200)} of ${repo}${as}: tag ${found.tag_name}, made from ${found.target_commitish ?? 'the default branch'} if it does not exist, ${found.assets?.length ?? 0} files. Everybody who watches the repository is told, and workflows for releases run.`;
  },
  async run({ repo, release: id, latest }, github, { signal }, progress) {
    const { prerelease } = await readDraft(github, repo, id, { signal, progress });
    const made = await github.json(release, inRepo(repo, 'releases', String(id)), {
      method: 'PATCH',
      body: { draft: false, ...(!prerelease && { make_latest: String(latest) }) },
      signal,
      progress,
    });
    return { release: shownRelease(made) };
  },
});

async function readDraft(
  github: GitHub,
  repo: string,
  id: number,
  question: Pick<Question, 'signal' | 'progress'>,
): Promise<Release> {
  const found = await github.json(release, inRepo(repo, 'releases', String(id)), question);
  if (found.draft) return found;
  throw new AppError(
    'conflict',
    `The release ${found.tag_name} of ${repo} is published already. Nothing is to be done.`,
  );
}
