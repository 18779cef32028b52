import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { release } from '../api/releases.ts';
import { bodyInput } from '../issue-input.ts';
import { releaseInput, tagInput } from '../release-input.ts';
import { releaseOutput, shownRelease } from '../shown-release.ts';
import { githubTool, inRepo, refInput, repoInput } from '../tool.ts';

export const updateRelease = githubTool({
  name: 'github_update_release',
  title: 'Update a release',
  description: 'Changes the name, notes or tag of a release. It does not publish a draft.',
  phrases: 'edit release notes; rename a release; mark as prerelease; change a draft release',
  effect: 'update',
  input: z.strictObject({
    repo: repoInput,
    release: releaseInput,
    tag: tagInput.optional().describe('Another tag'),
    target: refInput.optional().describe('Branch or commit of a new tag'),
    name: z.string().min(1).max(256).optional().describe('New title'),
    body: bodyInput.optional(),
    prerelease: z.boolean().optional().describe('Marks it as a pre-release'),
  }),
  output: z.object({ release: releaseOutput }),
  async run({ repo, release: id, tag, target, ...given }, github, { signal }, progress) {
    const body = {
      ...given,
      ...(tag !== undefined && { tag_name: tag }),
      ...(target !== undefined && { target_commitish: target }),
    };
    if (Object.keys(body).length === 0)
      throw new AppError('invalid_input', 'Nothing to change. Say name, body, tag, target or prerelease.');
    const path = inRepo(repo, 'releases', String(id));
    return { release: shownRelease(await github.json(release, path, { method: 'PATCH', body, signal, progress })) };
  },
});
