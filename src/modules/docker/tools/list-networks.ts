import { z } from 'zod';
import { networksInReach } from '../networks.ts';
import { page } from '../page.ts';
import { dockerTool, offsetInput } from '../tool.ts';

export const listNetworks = dockerTool({
  name: 'docker_list_networks',
  title: 'List networks',
  description: 'Lists the networks of Docker with driver and subnets. docker_inspect_network shows who is connected.',
  phrases: 'docker network ls; list networks; which networks are there; subnet of a network',
  effect: 'read',
  input: z.strictObject({ offset: offsetInput }),
  output: z.object({
    networks: z.array(
      z.object({
        name: z.string(),
        driver: z.string(),
        internal: z.boolean().optional(),
        subnets: z.array(z.string()),
      }),
    ),
    total: z.int(),
    next_offset: z.int().optional(),
  }),
  async run({ offset }, docker, { signal }) {
    const all = await networksInReach(docker, signal);
    const { items, ...rest } = page(
      all
        .sort((a, b) => (a.Name < b.Name ? -1 : 1))
        .map(({ Name, Driver, Internal, IPAM }) => ({
          name: Name,
          driver: Driver,
          ...(Internal && { internal: true }),
          subnets: (IPAM?.Config ?? []).flatMap(({ Subnet }) => Subnet || []),
        })),
      offset,
    );
    return { networks: items, ...rest };
  },
});
