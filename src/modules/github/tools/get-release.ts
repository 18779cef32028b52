import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { release } from '../api/releases.ts';
import { fittedBody } from '../body-text.ts';
import { offsetInput } from '../issue-input.ts';
import { orSay } from '../refusal.ts';
import { releaseInput, tagInput } from '../release-input.ts';
import { releaseOutput, shownRelease } from '../shown-release.ts';
import { shortened } from '../../shown.ts';
import { githubTool, inRepo, repoInput, slashed } from '../tool.ts';

/** More would leave no room for the notes. */
const MOST_ASSETS = 12;
const ROOM = { body: 'x'.repeat(700) };

export const getRelease = githubTool({
  name: 'github_get_release',
  title: 'Get a release',
  description: 'Shows the latest release, or one by tag or id: notes and files.',
  phrases: 'latest release; release notes; what is new in a version; download a release; changelog of a tag',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    tag: tagInput.optional().describe('Tag of the release'),
    release: releaseInput.optional(),
    offset: offsetInput,
  }),
  output: z.object({
    release: releaseOutput,
    files: z
      .array(z.object({ name: z.string(), bytes: z.int(), downloads: z.int().optional(), url: z.string() }))
      .optional(),
    files_left: z.int().optional(),
    body: z.string().optional(),
    next_offset: z.int().optional().describe('The notes have more: call again with this as offset'),
  }),
  async run({ repo, tag, release: id, offset }, github, { signal }, progress) {
    if (tag !== undefined && id !== undefined)
      throw new AppError('invalid_input', 'Say either tag or release, or none for the latest.');
    const which = tag === undefined ? [id === undefined ? 'latest' : String(id)] : ['tags', ...slashed(tag)];
    const asked = github.json(release, inRepo(repo, 'releases', ...which), { signal, progress });
    const found = await orSay(asked, ({ status }) =>
      status === 404 && id === undefined
        ? new AppError(
            'not_found',
            `${repo} has no published release${tag === undefined ? '' : ` with the tag ${tag}`}, or the token may not see it. github_list_releases shows all; a draft is read with release, its id.`,
          )
        : undefined,
    );
    const assets = found.assets ?? [];
    const some = assets.slice(0, MOST_ASSETS).map((one) => ({
      name: shortened(one.name, 80),
      bytes: one.size,
      ...(typeof one.download_count === 'number' && { downloads: one.download_count }),
      url: one.browser_download_url,
    }));
    const shown = shownRelease(found);
    const files = some.length === 0 ? [] : some.slice(0, fittingItems(some, { release: shown, ...ROOM }));
    const besides = {
      release: shown,
      ...(files.length > 0 && offset === undefined && { files }),
      ...(assets.length > files.length && { files_left: assets.length - files.length }),
    };
    return { ...besides, ...fittedBody(found.body, besides, { offset }) };
  },
});
