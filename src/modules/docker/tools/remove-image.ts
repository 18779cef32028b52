import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { Docker } from '../connection.ts';
import { imagesInUse, usersOfImage } from '../image-users.ts';
import { findImage, type Image, imagePath, shortId } from '../images.ts';
import { removedImages } from '../shapes.ts';
import { dockerTool } from '../tool.ts';
import { imageInput } from './inspect-image.ts';

export const removeImage = dockerTool({
  name: 'docker_remove_image',
  title: 'Remove an image',
  description: 'Removes an image, or one of its tags, from the host. An image that a container uses is refused.',
  phrases: 'docker rmi; delete an image; remove an old image tag; remove an unused image',
  effect: 'delete',
  input: z.strictObject({ image: imageInput }),
  output: z.object({ removed: z.array(z.string()).describe('Tags and ids'), id: z.string() }),
  async preview({ image: wanted }, docker, { signal }) {
    const { image, target } = await removable(docker, wanted, signal);
    const others = image.tags.filter((tag) => tag !== target);
    return others.length > 0
      ? `Removes the tag ${target}. The image ${shortId(image.id)} stays as ${others.slice(0, 5).join(', ')}.`
      : `Removes the image ${target} (${shortId(image.id)}, ${megabytes(image.bytes)}) from the host.`;
  },
  async run({ image: wanted }, docker, { signal }) {
    const { image, target } = await removable(docker, wanted, signal);
    const removed = await docker.ask(removedImages, imagePath(target), { method: 'DELETE', signal });
    const names = removed.flatMap(({ Untagged, Deleted }) => Untagged ?? (Deleted ? shortId(Deleted) : []));
    return { removed: names.slice(0, 30), id: shortId(image.id) };
  },
});

export const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;

interface Removable {
  readonly image: Image;
  /** A tag, or the id of an image without one. */
  readonly target: string;
}

async function removable(docker: Docker, wanted: string, signal: AbortSignal): Promise<Removable> {
  const [image, inUse] = await Promise.all([findImage(docker, wanted, signal), imagesInUse(docker, signal)]);
  const isTag = (tag: string) =>
    tag === wanted || tag === `${wanted}:latest` || tag.endsWith(`/${wanted}`) || tag.endsWith(`/${wanted}:latest`);
  const tag = image.tags.find(isTag);
  if (tag === undefined && image.tags.length > 1)
    throw new AppError(
      'conflict',
      `This image has several tags: ${image.tags.slice(0, 10).join(', ')}. Name the one to remove.`,
    );
  const users = usersOfImage(inUse, image.id);
  if (users.length > 0 && image.tags.length < 2)
    throw new AppError(
      'conflict',
      `${wanted} is used by ${users.slice(0, 5).join(', ')}. Remove the ${users.length === 1 ? 'container' : 'containers'} first.`,
    );
  return { image, target: tag ?? image.tags[0] ?? image.id };
}
