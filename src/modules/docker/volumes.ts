import type { Docker } from './connection.ts';
import { findNamed } from './named.ts';
import { type Volume, volumes } from './shapes.ts';

async function allVolumes(docker: Docker, signal: AbortSignal): Promise<Volume[]> {
  return (await docker.ask(volumes, '/volumes', { signal })).Volumes;
}

export async function volumesInReach(docker: Docker, signal: AbortSignal): Promise<Volume[]> {
  return (await allVolumes(docker, signal)).filter(({ Name }) => docker.reach.volumes.has(Name));
}

export async function findVolume(docker: Docker, wanted: string, signal: AbortSignal): Promise<Volume> {
  return findNamed(await allVolumes(docker, signal), wanted, {
    what: 'volume',
    allowed: docker.reach.volumes,
    list: 'docker_list_volumes',
  });
}

/** The volume, or undefined if Docker would make a new one of this name. */
export async function knownVolume(docker: Docker, name: string, signal: AbortSignal): Promise<Volume | undefined> {
  return (await allVolumes(docker, signal)).find(({ Name }) => Name === name);
}
