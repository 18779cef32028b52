import { z } from 'zod';
import { findContainer } from '../containers.ts';
import { page } from '../page.ts';
import { changes } from '../shapes.ts';
import { containerInput, dockerTool, offsetInput } from '../tool.ts';

const kinds = ['changed', 'added', 'deleted'] as const;

export const listChanges = dockerTool({
  name: 'docker_list_changes',
  title: 'List changed files of a container',
  description:
    'Lists the files that a container changed, added or deleted since it was made from its image, as `docker diff` does. Volumes are not part of it.',
  phrases:
    'docker diff; what did the container write; changed files in a container; files added since the container started',
  effect: 'read',
  input: z.strictObject({
    container: containerInput,
    under: z.string().min(1).max(500).optional().describe('Only below this path, e.g. /etc'),
    offset: offsetInput,
  }),
  output: z.object({
    container: z.string(),
    changes: z.array(z.object({ path: z.string(), change: z.enum(kinds) })),
    total: z.int(),
    next_offset: z.int().optional(),
  }),
  async run({ container: wanted, under, offset }, docker, { signal }) {
    const container = await findContainer(docker, wanted, signal);
    const all = await docker.ask(changes, `/containers/${container.id}/changes`, { signal });
    const { items, ...rest } = page(
      all
        .filter(({ Path }) => under === undefined || Path.startsWith(under))
        .map(({ Path, Kind }) => ({
          path: Path.slice(0, 500),
          change: kinds[Kind as 0 | 1 | 2] ?? ('changed' as const),
        })),
      offset,
    );
    return { container: container.name, changes: items, ...rest };
  },
});
