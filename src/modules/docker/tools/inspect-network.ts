import { z } from 'zod';
import { containersInReach } from '../containers.ts';
import { fitted } from '../fitted.ts';
import { maskedLabels } from '../masked.ts';
import { findNetwork } from '../networks.ts';
import { dockerTool } from '../tool.ts';

export const inspectNetwork = dockerTool({
  name: 'docker_inspect_network',
  title: 'Inspect a network',
  description:
    'Shows a network: driver, subnets, gateway, labels, and the containers that are connected with their addresses.',
  phrases:
    'inspect a network; which containers are in this network; can these containers reach each other; gateway of a network',
  effect: 'read',
  input: z.strictObject({ network: z.string().min(1).max(200).describe('Name or id') }),
  output: z.object({
    name: z.string(),
    id: z.string(),
    driver: z.string(),
    scope: z.string(),
    internal: z.boolean(),
    ipv6: z.boolean(),
    subnets: z.array(z.object({ subnet: z.string(), gateway: z.string().optional() })),
    containers: z.array(z.object({ name: z.string(), address: z.string().optional() })),
    out_of_reach: z.int().optional().describe('Connected containers that the allow-list hides'),
    labels: z.record(z.string(), z.string()),
    left_out: z.array(z.string()).optional().describe('Lists of which only the beginning is shown'),
  }),
  async run({ network: wanted }, docker, { signal }) {
    const [network, inReach] = await Promise.all([
      findNetwork(docker, wanted, signal),
      containersInReach(docker, signal),
    ]);
    const ids = new Set(inReach.map(({ id }) => id));
    const connected = Object.entries(network.Containers);
    const visible = connected.filter(([id]) => ids.has(id));
    return fitted({
      name: network.Name,
      id: network.Id.slice(0, 12),
      driver: network.Driver,
      scope: network.Scope,
      internal: network.Internal,
      ipv6: network.EnableIPv6,
      subnets: (network.IPAM?.Config ?? []).map(({ Subnet, Gateway }) => ({
        subnet: Subnet,
        ...(Gateway !== '' && { gateway: Gateway }),
      })),
      containers: visible.map(([, { Name, IPv4Address }]) => ({
        name: Name,
        ...(IPv4Address !== '' && { address: IPv4Address }),
      })),
      ...(visible.length < connected.length && { out_of_reach: connected.length - visible.length }),
      labels: maskedLabels(network.Labels),
    });
  },
});
