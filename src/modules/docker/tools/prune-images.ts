import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { momentOf } from '../../../kernel/moment.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import type { Docker } from '../connection.ts';
import { imagesInUse, usersOfImage } from '../image-users.ts';
import { type Image, imagePath, imagesInReach, shortId } from '../images.ts';
import { dockerTool } from '../tool.ts';
import { megabytes } from './remove-image.ts';

/** In one call. */
const MOST = 100;

const input = z.strictObject({
  all: z.boolean().default(false).describe('Also tagged images that no container uses'),
  older_than: z.string().max(60).optional().describe('Only made before this: ISO time, or 7d'),
  dry_run: z.boolean().default(false).describe('Only say what would be removed'),
});

export const pruneImages = dockerTool({
  name: 'docker_prune_images',
  title: 'Remove unused images',
  description:
    'Removes images without a tag that no container uses; with all also tagged ones. Try dry_run first: it says which and how much they take.',
  phrases: 'docker image prune; clean up images; free disk space; remove unused images; remove dangling images',
  effect: 'delete',
  input,
  output: z.object({
    images: z.array(z.object({ id: z.string(), tags: z.array(z.string()).optional(), bytes: z.number() })),
    count: z.int(),
    bytes: z.number().describe('At most: layers that other images share stay'),
    removed: z.boolean(),
    failed: z.array(z.string()).optional(),
    note: z.string().optional(),
  }),
  async preview(given, docker, { signal }) {
    if (given.dry_run) return undefined;
    const unused = await unusedImages(docker, given, signal);
    if (unused.length === 0) return undefined;
    const now = unused.slice(0, MOST);
    const names = now.map(nameOf).slice(0, 20).join(', ');
    return `Removes ${now.length} images that no container uses (up to ${megabytes(total(now))}): ${names}${now.length > 20 ? ', …' : ''}.`;
  },
  async run(given, docker, { signal }, progress) {
    const unused = await unusedImages(docker, given, signal);
    const now = unused.slice(0, MOST);
    const failed: string[] = [];
    const done: Image[] = given.dry_run ? now : [];
    if (!given.dry_run)
      for (const [index, image] of now.entries()) {
        const problem = await removeAll(docker, image, signal);
        if (problem === undefined) done.push(image);
        else failed.push(`${nameOf(image)}: ${problem}`.slice(0, 200));
        progress(index + 1, now.length);
      }
    const images = done.map(({ id, tags, bytes }) => ({
      id: shortId(id),
      ...(tags.length > 0 && { tags: tags.slice(0, 5) }),
      bytes,
    }));
    const shown = images.length === 0 ? 0 : fittingItems(images, failed.slice(0, 5));
    return {
      images: images.slice(0, shown),
      count: images.length,
      bytes: total(done),
      removed: !given.dry_run,
      ...(failed.length > 0 && { failed: failed.slice(0, 5) }),
      ...(unused.length > now.length && {
        note: `${unused.length - now.length} more are unused. Call it again for them.`,
      }),
    };
  },
});

const nameOf = ({ id, tags }: Image): string => tags[0] ?? shortId(id);
const total = (images: readonly Image[]): number => images.reduce((sum, { bytes }) => sum + bytes, 0);

async function unusedImages(
  docker: Docker,
  { all, older_than }: z.output<typeof input>,
  signal: AbortSignal,
): Promise<Image[]> {
  const before = older_than === undefined ? Infinity : momentOf(older_than).getTime() / 1000;
  const [images, inUse] = await Promise.all([imagesInReach(docker, signal), imagesInUse(docker, signal)]);
  return (
    images
      .filter(
        ({ id, tags, created }) =>
          (all || tags.length === 0) && created < before && usersOfImage(inUse, id).length === 0,
      )
      // One name in reach does not make an image ours that others use under other names.
      .filter(({ tags }) => tags.every((tag) => docker.reach.images.has(tag)))
  );
}

/** Says why it could not be removed. Every tag goes by itself: an image with several is not removed by its id. */
async function removeAll(docker: Docker, { id, tags }: Image, signal: AbortSignal): Promise<string | undefined> {
  try {
    for (const target of tags.length > 0 ? tags : [id])
      await docker.act(imagePath(target), { method: 'DELETE', signal });
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    return error.message;
  }
}
