import { z } from 'zod';
import { page } from '../page.ts';
import { dockerTool, offsetInput } from '../tool.ts';
import { volumesInReach } from '../volumes.ts';

export const listVolumes = dockerTool({
  name: 'docker_list_volumes',
  title: 'List volumes',
  description:
    'Lists the named volumes of Docker. docker_inspect_volume shows who uses one; docker_get_disk_usage shows sizes.',
  phrases: 'docker volume ls; list volumes; which volumes are there; where is the data of a container',
  effect: 'read',
  input: z.strictObject({
    query: z.string().min(1).max(200).optional().describe('Only with this text in the name'),
    offset: offsetInput,
  }),
  output: z.object({
    volumes: z.array(z.object({ name: z.string(), driver: z.string(), created: z.string().optional() })),
    total: z.int(),
    next_offset: z.int().optional(),
  }),
  async run({ query, offset }, docker, { signal }) {
    const text = query?.toLowerCase();
    const all = (await volumesInReach(docker, signal)).filter(
      ({ Name }) => text === undefined || Name.toLowerCase().includes(text),
    );
    const { items, ...rest } = page(
      all
        .sort((a, b) => (a.Name < b.Name ? -1 : 1))
        .map(({ Name, Driver, CreatedAt }) => ({
          name: Name,
          driver: Driver,
          ...(CreatedAt !== '' && { created: CreatedAt }),
        })),
      offset,
    );
    return { volumes: items, ...rest };
  },
});
