import { readFile, realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { normalize } from 'node:path/posix';
import type { Mounted } from './shapes.ts';

/** A container with this label is Sluice itself, where nothing else shows it. */
export const OWN_LABEL = 'sluice.self';

/** What this process can know about the container it may be running in. */
export interface Self {
  /** Ids, or the beginnings of ids. */
  readonly ids: readonly string[];
  /** Its home, as it sees it. */
  readonly homes: readonly string[];
}

export async function findSelf(home: string): Promise<Self> {
  const read = (path: string) => readFile(path, 'utf8').catch(() => '');
  const [mounts, groups, real] = await Promise.all([
    read('/proc/self/mountinfo'),
    read('/proc/self/cgroup'),
    realpath(home).catch(() => home),
  ]);
  return { ids: idsIn(mounts, groups, hostname()), homes: [...new Set([normalize(home), real])] };
}

const ID = /(?<![\da-f])[\da-f]{64}(?![\da-f])/;
/** Docker and Podman mount these from the folder of the container. Others mount points may be of other containers. */
const OF_CONTAINER = new Set(['/etc/hostname', '/etc/hosts', '/etc/resolv.conf']);

export function idsIn(mountinfo: string, cgroup: string, host: string): string[] {
  const mounted = mountinfo.split('\n').flatMap((line) => {
    const [, , , root = '', point = ''] = line.split(' ');
    return OF_CONTAINER.has(point) ? (ID.exec(root)?.[0] ?? []) : [];
  });
  const grouped = cgroup.split('\n').flatMap((line) => ID.exec(line)?.[0] ?? []);
  // Unless it is set, a container's host name is the beginning of its id.
  const named = /^[\da-f]{12}$/.test(host) ? [host] : [];
  return [...new Set([...mounted, ...grouped, ...named])];
}

interface Known {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
}

export const isById = ({ ids }: Self, id: string): boolean => ids.some((own) => id.startsWith(own));

export const isSelf = (self: Self, { id, labels }: Known): boolean =>
  isById(self, id) || new Map(Object.entries(labels)).has(OWN_LABEL);

/** What is Sluice's own on the host: folders and volumes that no other container may use. */
export interface OwnPlace {
  readonly paths: readonly string[];
  readonly volumes: readonly string[];
}

/** Where its home is on the host. `mounts` are those of the container Sluice runs in, if it does. */
export function ownPlaceOf({ homes }: Self, mounts: readonly Mounted[] | undefined): OwnPlace {
  if (!mounts) return { paths: homes, volumes: [] };
  const holding = mounts.filter(({ Destination }) => homes.some((home) => overlap(Destination, home)));
  return {
    paths: holding.flatMap(({ Type, Source, Destination }) =>
      Type === 'volume' || Source === '' ? [] : homes.map((home) => onHost(Source, Destination, home)),
    ),
    volumes: holding.flatMap(({ Type, Name }) => (Type === 'volume' && Name ? [Name] : [])),
  };
}

/** The home's path on the host, if the mount has it inside; the whole mount if it is inside the home. */
const onHost = (source: string, destination: string, home: string): string =>
  isWithin(home, destination) ? normalize(`${source}/${home.slice(trimmed(destination).length)}`) : source;

/** One spelling for each path. The root is empty. */
export const trimmed = (path: string): string => normalize(path).replace(/\/+$/, '');

/** Whether a path is this folder or inside it. */
export function isWithin(path: string, folder: string): boolean {
  const [inner, outer] = [trimmed(path), trimmed(folder)];
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** Whether one is inside the other: mounting either shows a part of the other. */
export const overlap = (one: string, other: string): boolean => isWithin(one, other) || isWithin(other, one);

export function usesOwn(own: OwnPlace, mounts: readonly Mounted[]): boolean {
  return mounts.some(({ Type, Name, Source }) =>
    Type === 'volume'
      ? Name !== undefined && Name !== null && own.volumes.includes(Name)
      : Source !== '' && own.paths.some((path) => overlap(path, Source)),
  );
}
