import { z } from 'zod';
import type { Vault } from './connection.ts';
import { type Mount, mountFrom } from './kv.ts';

const answer = z.object({
  data: z.object({
    secret: z
      .record(
        z.string(),
        z.object({
          type: z.string(),
          description: z.string().optional(),
          options: z.object({ version: z.string().optional() }).nullish(),
        }),
      )
      .nullish(),
  }),
});

/** The engines that the token may use and that may hold allowed secrets, in the order of their paths. */
export async function readMounts(
  vault: Vault,
  signal: AbortSignal,
): Promise<readonly (Mount & { readonly description: string })[]> {
  const { data } = await vault.ask(answer, ['sys', 'internal', 'ui', 'mounts'], { signal });
  return Object.entries(data.secret ?? {})
    .filter(([path]) => vault.holdsAllowed(path))
    .map(([path, mount]) => ({ ...mountFrom(path, mount), description: mount.description ?? '' }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
