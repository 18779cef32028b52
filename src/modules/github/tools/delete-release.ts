import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { release } from '../api/releases.ts';
import { releaseInput } from '../release-input.ts';
import { githubTool, inRepo, repoInput } from '../tool.ts';

export const deleteRelease = githubTool({
  name: 'github_delete_release',
  title: 'Delete a release',
  description: 'Deletes a release or a draft with its files. The tag stays.',
  phrases: 'delete a release; remove a draft release; unpublish a version',
  effect: 'delete',
  input: z.strictObject({ repo: repoInput, release: releaseInput }),
  output: z.object({ release: z.int(), tag: z.string() }),
  async preview({ repo, release: id }, github, { signal }) {
    const found = await github.json(release, inRepo(repo, 'releases', String(id)), { signal });
    const kind = found.draft ? 'draft' : 'published release';
    return `Deletes the ${kind} ${shortened(found.name || found.tag_name, 200)} of ${repo} (tag ${found.tag_name}) with ${found.assets?.length ?? 0} files. The tag stays. This cannot be undone.`;
  },
  async run({ repo, release: id }, github, { signal }, progress) {
    const path = inRepo(repo, 'releases', String(id));
    const { tag_name } = await github.json(release, path, { signal, progress });
    await github.json(z.unknown(), path, { method: 'DELETE', signal, progress });
    return { release: id, tag: tag_name };
  },
});
