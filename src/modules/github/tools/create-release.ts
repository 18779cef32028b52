import { z } from 'zod';
import { release } from '../api/releases.ts';
import { bodyInput } from '../issue-input.ts';
import { tagInput } from '../release-input.ts';
import { releaseOutput, shownRelease } from '../shown-release.ts';
import { githubTool, inRepo, refInput, repoInput } from '../tool.ts';

export const createRelease = githubTool({
  name: 'github_create_release',
  title: 'Create a draft release',
  description: 'Drafts a release, which nobody sees yet. github_publish_release publishes it and makes its tag.',
  phrases: 'create a release; draft a release; prepare a version; generate release notes',
  effect: 'create',
  input: z.strictObject({
    repo: repoInput,
    tag: tagInput.describe('Made when it is published, if it does not exist'),
    target: refInput.optional().describe('Branch or commit of a new tag. Default: the default branch'),
    name: z.string().min(1).max(256).optional().describe('Title of the release'),
    body: bodyInput.optional(),
    prerelease: z.boolean().default(false).describe('Marks it as a pre-release'),
    generate_notes: z.boolean().default(false).describe('GitHub writes notes from merged pull requests, after body'),
  }),
  output: z.object({ release: releaseOutput }),
  async run({ repo, tag, target, generate_notes, ...given }, github, { signal }, progress) {
    const made = await github.json(release, inRepo(repo, 'releases'), {
      method: 'POST',
      body: {
        tag_name: tag,
        draft: true,
        generate_release_notes: generate_notes,
        ...(target !== undefined && { target_commitish: target }),
        ...given,
      },
      signal,
      progress,
    });
    return { release: shownRelease(made) };
  },
});
