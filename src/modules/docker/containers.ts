import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { Docker } from './connection.ts';
import { isById, isSelf, type OwnPlace, ownPlaceOf, usesOwn } from './own-place.ts';
import { type ContainerDetails, containerDetails, listedContainer, type Mounted } from './shapes.ts';

/** A container in the list. */
export interface Container {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  readonly imageId: string;
  readonly command: string;
  readonly created: number;
  readonly state: string;
  readonly status: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly mounts: readonly Mounted[];
}

/** All containers, those out of reach too. */
export async function allContainers(docker: Docker, signal: AbortSignal): Promise<Container[]> {
  const listed = await docker.ask(z.array(listedContainer).nullish(), '/containers/json', {
    query: { all: true },
    signal,
  });
  return (listed ?? []).map((one) => ({
    id: one.Id,
    name: nameOf(one.Names, one.Id),
    image: one.Image,
    imageId: one.ImageID,
    command: one.Command,
    created: one.Created,
    state: one.State,
    status: one.Status,
    labels: one.Labels,
    ports: [...new Set(one.Ports.map(portOf))].sort(),
    mounts: one.Mounts,
  }));
}

/** Links give a container further names, with a slash inside. */
function nameOf(names: readonly string[], id: string): string {
  const plain = names.map((name) => name.replace(/^\//, ''));
  return plain.find((name) => !name.includes('/')) ?? plain[0] ?? id.slice(0, 12);
}

function portOf(port: {
  IP?: string | null | undefined;
  PrivatePort: number;
  PublicPort?: number | null | undefined;
  Type: string;
}): string {
  const inside = `${port.PrivatePort}/${port.Type}`;
  if (!port.PublicPort) return inside;
  const host = !port.IP || port.IP === '0.0.0.0' || port.IP === '::' ? '' : `${port.IP}:`;
  return `${host}${port.PublicPort}->${inside}`;
}

/** The containers that the section allows. */
export async function containersInReach(docker: Docker, signal: AbortSignal): Promise<Container[]> {
  const all = await allContainers(docker, signal);
  return all.filter(docker.reach.hasContainer);
}

/** The container of this name or id. Its id goes into paths, never what the caller wrote. */
export async function findContainer(docker: Docker, wanted: string, signal: AbortSignal): Promise<Container> {
  const all = await allContainers(docker, signal);
  const found = named(all, wanted.replace(/^\//, ''));
  if (found) {
    docker.reach.needContainer(found);
    return found;
  }
  const names = all.filter(docker.reach.hasContainer).map(({ name }) => name);
  const near = nearestNames(wanted, names);
  throw new AppError(
    'not_found',
    `There is no container "${shown(wanted)}". ${didYouMean(near, 'docker_list_containers with all: true shows them.')}`,
  );
}

function named(all: readonly Container[], wanted: string): Container | undefined {
  const exact = all.find(({ name, id }) => name === wanted || id === wanted);
  if (exact || !/^[\da-f]{4,64}$/.test(wanted)) return exact;
  const begins = all.filter(({ id }) => id.startsWith(wanted));
  if (begins.length < 2) return begins[0];
  throw new AppError('invalid_input', `Several containers have an id that begins with ${wanted}. Write more of it.`);
}

export async function inspectContainer(docker: Docker, id: string, signal: AbortSignal): Promise<ContainerDetails> {
  return await docker.ask(containerDetails, `/containers/${id}/json`, { signal });
}

/** What is Sluice's own on Docker's host. */
export async function findOwnPlace(docker: Docker, signal: AbortSignal): Promise<OwnPlace> {
  const self = (await allContainers(docker, signal)).find((one) => isSelf(docker.self, one));
  if (!self) return ownPlaceOf(docker.self, undefined);
  const { Mounts } = await inspectContainer(docker, self.id, signal);
  const mounted = ownPlaceOf(docker.self, Mounts);
  // A label says less than an id: it may be another Sluice's, and this one may run on the host.
  return isById(docker.self, self.id) ? mounted : { ...mounted, paths: [...mounted.paths, ...docker.self.homes] };
}

export interface Found {
  readonly container: Container;
  readonly details: ContainerDetails;
}

/** A container that may be changed: it is in reach, and neither Sluice itself nor one that holds Sluice's files. */
export async function containerToChange(docker: Docker, wanted: string, signal: AbortSignal): Promise<Found> {
  const container = await findContainer(docker, wanted, signal);
  return { container, details: await needForeign(docker, container, signal) };
}

/** Throws if it is Sluice's own. */
export async function needForeign(
  docker: Docker,
  container: Container,
  signal: AbortSignal,
): Promise<ContainerDetails> {
  if (isSelf(docker.self, container))
    throw new AppError(
      'forbidden',
      `${container.name} is the container in which Sluice runs, and no tool may change it. Use docker on the host.`,
    );
  const [own, details] = await Promise.all([
    findOwnPlace(docker, signal),
    inspectContainer(docker, container.id, signal),
  ]);
  if (usesOwn(own, details.Mounts))
    throw new AppError(
      'forbidden',
      `${container.name} mounts the folder with Sluice's database and keys, and no tool may change it. Use docker on the host.`,
    );
  return details;
}

export const stateOf = ({ State }: ContainerDetails): string =>
  State.Health?.Status && State.Health.Status !== 'none' ? `${State.Status} (${State.Health.Status})` : State.Status;

/** Docker writes the year 1 for times that have not come. */
export const timeOr = (time: string): string | undefined =>
  time === '' || time.startsWith('0001-') ? undefined : time;
