import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { segment } from '../http.ts';
import type { Docker } from './connection.ts';
import { imageNameOf, wholeName } from './image-name.ts';
import { type ImageDetails, imageDetails, type ListedImage, listedImage } from './shapes.ts';

export interface Image {
  readonly id: string;
  /** `nginx:1.27`; none if newer images took its names. */
  readonly tags: readonly string[];
  readonly digests: readonly string[];
  readonly created: number;
  readonly bytes: number;
}

export const shortId = (id: string): string => id.replace(/^sha256:/, '').slice(0, 12);

async function allImages(docker: Docker, signal: AbortSignal): Promise<Image[]> {
  const listed = await docker.ask(z.array(listedImage).nullish(), '/images/json', { signal });
  return (listed ?? []).map(imageOf);
}

const NONE = '<none>';

const imageOf = (one: ListedImage): Image => ({
  id: one.Id,
  tags: one.RepoTags.filter((tag) => !tag.includes(NONE)),
  digests: one.RepoDigests.filter((digest) => !digest.includes(NONE)),
  created: one.Created,
  bytes: one.Size,
});

/** An image is in reach if one of its names is. Without a name, only if no list restricts images. */
const isInReach = ({ reach }: Docker, { tags, digests }: Pick<Image, 'tags' | 'digests'>): boolean =>
  tags.length + digests.length === 0
    ? !reach.lists.images
    : [...tags, ...digests].some((name) => reach.images.has(name));

export async function imagesInReach(docker: Docker, signal: AbortSignal): Promise<Image[]> {
  return (await allImages(docker, signal)).filter((image) => isInReach(docker, image));
}

/** The image of this name or id on the host. Throws `not_found` if it has not been pulled. */
export async function findImage(docker: Docker, wanted: string, signal: AbortSignal): Promise<Image> {
  const name = wanted.replace(/^sha256:/, '');
  const whole = /^[\da-f]{64}$/.test(name) ? '' : wholeName(imageNameOf(wanted));
  const all = await allImages(docker, signal);
  // Podman puts `localhost/` before the names of images that were made here.
  const isNamed = (given: string) =>
    given === wanted ||
    wholeName(imageNameOf(given)) === whole ||
    given === `localhost/${wanted}` ||
    given === `localhost/${wanted}:latest`;
  const found =
    all.find(({ tags, digests }) => [...tags, ...digests].some(isNamed)) ??
    (/^[\da-f]{6,64}$/.test(name) ? all.find(({ id }) => id.replace(/^sha256:/, '').startsWith(name)) : undefined);
  if (found && isInReach(docker, found)) return found;
  if (found) {
    docker.reach.images.need(found.tags[0] ?? found.digests[0] ?? wanted);
    throw new AppError(
      'forbidden',
      `${shown(wanted)} has no name, and ${docker.reach.setting}.images allows names only.`,
    );
  }
  const tags = all.filter((image) => isInReach(docker, image)).flatMap((image) => image.tags);
  throw new AppError(
    'not_found',
    `The image ${shown(wanted)} is not on the host. ${didYouMean(nearestNames(wanted, tags), 'docker_list_images shows those that are; docker_pull_image fetches others.')}`,
  );
}

export async function inspectImage(docker: Docker, { id }: Image, signal: AbortSignal): Promise<ImageDetails> {
  return await docker.ask(imageDetails, `/images/${segment(id)}/json`, { signal });
}

/** A name as a path: its slashes stay. */
export const imagePath = (name: string): string => `/images/${name.split('/').map(segment).join('/')}`;
