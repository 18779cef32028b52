import { realpath } from 'node:fs/promises';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { isWithin, type OwnPlace, overlap, trimmed } from './own-place.ts';
import type { Mounted } from './shapes.ts';

/** Whoever can write to one of these is root on the host. */
const SOCKETS = [
  '/var/run/docker.sock',
  '/run/docker.sock',
  '/run/podman/podman.sock',
  '/var/run/podman/podman.sock',
  '/run/containerd/containerd.sock',
  '/var/run/containerd/containerd.sock',
  '/run/crio/crio.sock',
];

/** Whether mounting this path hands over the control of Docker. */
export const showsSocket = (path: string): boolean =>
  SOCKETS.some((socket) => isWithin(socket, path)) || /(?:docker|podman|containerd|crio)\.sock$/.test(path);

interface Limits {
  readonly mounts: readonly string[];
  readonly own: OwnPlace;
  /** `modules.docker` */
  readonly setting: string;
}

/**
 * The folder, if it is one that the section lists. Nothing below one may be mounted: whoever can write to the folder
 * could replace what is below by a link to anywhere, between every check and the mount.
 */
export function needMountable(given: string, { mounts, own, setting }: Limits): string {
  const refuse = (why: string) => new AppError('forbidden', `${shown(given)} cannot be mounted: ${why}`);
  if (!given.startsWith('/') || given.includes('\0') || given.split('/').includes('..'))
    throw new AppError('invalid_input', `${shown(given)} is not an absolute path of the host without "..".`);
  const path = trimmed(given) || '/';
  if (showsSocket(path)) throw refuse("it is, or contains, Docker's socket, which gives control over the whole host.");
  if (own.paths.some((one) => overlap(one, path)))
    throw refuse("it is, or contains, the folder with Sluice's database and keys.");
  if (mounts.includes(path)) return path;
  throw refuse(
    mounts.length === 0
      ? `no folder of the host may be. List it in ${setting}.mounts in sluice.yaml.`
      : `${setting}.mounts in sluice.yaml allows ${mounts.join(', ')}, and no folder inside. Mount a listed folder, and use its subfolders in the container.`,
  );
}

/** Throws if the folder is a link, or below one: its target may change. */
export async function needNoLink(folder: string, setting: string): Promise<void> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined)
    throw new AppError('not_found', `${shown(folder)} does not exist on the host, or cannot be read. Make it first.`);
  if (real !== folder)
    throw new AppError(
      'forbidden',
      `${shown(folder)} cannot be mounted: it is, or is below, a symbolic link. List the real path of the folder in ${setting}.mounts in sluice.yaml.`,
    );
}

/**
 * Whether a container with these mounts can replace the folder by a link: it may write to a folder around it. One that
 * sees Docker's socket there has the host anyway.
 */
export const canReplace = (mounts: readonly Mounted[], folder: string): boolean =>
  mounts.some(
    ({ Source, RW }) =>
      RW !== false && Source !== '' && !showsSocket(Source) && !isWithin(Source, folder) && isWithin(folder, Source),
  );
