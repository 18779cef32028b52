import { z } from 'zod';
import { allowList } from '../allowed.ts';
import type { SettingsOf } from '../module.ts';
import { isWithin, trimmed } from './own-place.ts';
import { DEFAULT_URL, type Place, placeIn } from './place.ts';

const url = z
  .string()
  .min(1)
  .superRefine((given, context) => {
    const place = placeIn(given, false);
    if (typeof place === 'string') context.addIssue({ code: 'custom', message: place });
  });

const hostPath = z
  .string()
  .regex(/^\/(?!.*(?:^|\/)\.\.(?:\/|$))/, 'must be an absolute path without ..')
  .transform(trimmed)
  .refine((path) => path !== '', 'must not be /: name the folders that containers may mount');

const hostPaths = z
  .array(hostPath)
  .min(1)
  .superRefine((folders, context) => {
    for (const [at, inner] of folders.entries()) {
      const outer = folders.find((one) => one !== inner && isWithin(inner, one));
      if (outer === undefined) continue;
      const message = `must not be inside ${outer}: a container that mounts ${outer} could replace it by a link. List one of the two`;
      context.addIssue({ code: 'custom', path: [at], message });
    }
  });

export const dockerSettings = z.object({
  /** The socket, or the address of the API or of a socket proxy, as DOCKER_HOST has it. */
  url: url.default(DEFAULT_URL),
  /** Globs of names, or `label:key=value`. */
  containers: allowList,
  /** Globs of images that are seen, pulled, run and removed: `nginx:*`, `ghcr.io/acme/*`. */
  images: allowList,
  /** Globs of networks that are seen, and that docker_run_container may join. */
  networks: allowList,
  /** Globs of volumes that are seen, mounted and removed. */
  volumes: allowList,
  /** Folders of the host that docker_run_container may mount: these themselves, nothing below. */
  mounts: hostPaths.optional(),
});

export type DockerSettings = SettingsOf<typeof dockerSettings>;

export function placeOf({ url: given, ca, cert, key, insecure }: DockerSettings): Place {
  const place = placeIn(given, ca !== undefined || cert !== undefined || key !== undefined || insecure);
  // The section was checked with the same code.
  if (typeof place === 'string') throw new Error(place);
  return place;
}
