import { realpath } from 'node:fs/promises';
import { normalize } from 'node:path/posix';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { isWithin, type OwnPlace, overlap } from './own-place.ts';

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
  /** The folders that the section lists. */
  readonly mounts: readonly string[];
  readonly own: OwnPlace;
  /** `modules.docker` */
  readonly setting: string;
}

/** The path, if a container may mount it as far as its text shows. Throws what forbids it. */
export function needMountable(given: string, { mounts, own, setting }: Limits): string {
  const refuse = (why: string) => new AppError('forbidden', `${shown(given)} cannot be mounted: ${why}`);
  if (!given.startsWith('/') || given.includes('\0') || given.split('/').includes('..'))
    throw new AppError('invalid_input', `${shown(given)} is not an absolute path of the host without "..".`);
  const path = normalize(given).replace(/\/+$/, '') || '/';
  if (showsSocket(path)) throw refuse("it is, or contains, Docker's socket, which gives control over the whole host.");
  if (own.paths.some((one) => overlap(one, path)))
    throw refuse("it is, or contains, the folder with Sluice's database and keys.");
  if (mounts.some((one) => isWithin(path, one))) return path;
  throw refuse(
    mounts.length === 0
      ? `no folder of the host may be. List it in ${setting}.mounts in sluice.yaml.`
      : `${setting}.mounts in sluice.yaml allows ${mounts.join(', ')}.`,
  );
}

/**
 * A folder below a listed one may be a symbolic link that a container made. Where the files of the host can be seen,
 * the link is followed and judged; elsewhere only the listed folders themselves may be mounted.
 */
export async function needNoLink(
  path: string,
  limits: Limits & { isLocal(): boolean | Promise<boolean> },
): Promise<void> {
  const { mounts, setting } = limits;
  if (!(await limits.isLocal())) {
    if (mounts.some((one) => normalize(one).replace(/\/+$/, '') === path)) return;
    throw new AppError(
      'forbidden',
      `${shown(path)} cannot be mounted: Sluice does not see the files of Docker's host, so it cannot tell whether a symbolic link leads elsewhere. List the folder itself in ${setting}.mounts in sluice.yaml.`,
    );
  }
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined)
    throw new AppError('not_found', `${shown(path)} does not exist on the host, or cannot be read. Make it first.`);
  if (real === path) return;
  const followed = await Promise.all(mounts.map((one) => realpath(one).catch(() => one)));
  try {
    needMountable(real, { ...limits, mounts: followed });
  } catch (error) {
    throw new AppError(
      'forbidden',
      `${shown(path)} cannot be mounted: it is a symbolic link to a folder that is not allowed.`,
      {
        cause: error,
      },
    );
  }
}
