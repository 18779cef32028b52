import { z } from 'zod';
import { segment } from '../http.ts';
import type { Docker } from './connection.ts';
import { findNamed } from './named.ts';
import { type Network, network } from './shapes.ts';

async function allNetworks(docker: Docker, signal: AbortSignal): Promise<Network[]> {
  return (await docker.ask(z.array(network).nullish(), '/networks', { signal })) ?? [];
}

export async function networksInReach(docker: Docker, signal: AbortSignal): Promise<Network[]> {
  return (await allNetworks(docker, signal)).filter(({ Name }) => docker.reach.networks.has(Name));
}

/** With its containers, which the list leaves out. */
export async function findNetwork(docker: Docker, wanted: string, signal: AbortSignal): Promise<Network> {
  const { Name } = findNamed(await allNetworks(docker, signal), wanted, {
    what: 'network',
    allowed: docker.reach.networks,
    list: 'docker_list_networks',
  });
  return await docker.ask(network, `/networks/${segment(Name)}`, { signal });
}
