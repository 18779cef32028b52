import { hostname } from 'node:os';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { allContainers, findOwnPlace } from './containers.ts';
import type { Docker } from './connection.ts';
import { canReplace, needMountable, needNoLink } from './host-paths.ts';
import { type Image, findImage } from './images.ts';
import { findNetwork } from './networks.ts';
import type { Checked, RunInput } from './run-body.ts';
import { OWN_LABEL, type OwnPlace } from './own-place.ts';
import { info, type Volume } from './shapes.ts';
import { knownVolume } from './volumes.ts';

type Asked = RunInput & { readonly image: string; readonly autoRemove: boolean };

/** Whether this container may be made. Throws what forbids it. */
export async function checkRun(docker: Docker, input: Asked, signal: AbortSignal): Promise<Checked> {
  const labels = input.labels ?? {};
  docker.reach.needContainer({ name: input.name, labels });
  if (Object.hasOwn(labels, OWN_LABEL))
    throw new AppError('forbidden', `The label ${OWN_LABEL} is for the container in which Sluice runs.`);
  const [image, own, network] = await Promise.all([
    findImage(docker, input.image, signal),
    findOwnPlace(docker, signal),
    networkFor(docker, input.network, signal),
  ]);
  const mounts: Checked['mounts'][number][] = [];
  for (const { source, target, read_only } of input.mounts ?? []) {
    const type = source.startsWith('/') ? 'bind' : 'volume';
    const found =
      type === 'bind' ? await hostPath(docker, source, own, signal) : await volume(docker, source, own, signal);
    mounts.push({ type, source: found, target, readOnly: read_only });
  }
  return { image: nameToRun(image, input.image), network, mounts, autoRemove: input.autoRemove };
}

/** Docker shows the image of a container as it was asked for. */
const nameToRun = ({ tags, id }: Image, wanted: string): string =>
  tags.find((tag) => tag === wanted || tag === `${wanted}:latest`) ?? tags[0] ?? id;

async function hostPath(docker: Docker, source: string, own: OwnPlace, signal: AbortSignal): Promise<string> {
  const { mounts, setting, hasContainer } = docker.reach;
  const folder = needMountable(source, { mounts, setting, own });
  const replacing = (await allContainers(docker, signal)).find((one) => canReplace(one.mounts, folder));
  if (replacing)
    throw new AppError(
      'forbidden',
      `${shown(folder)} cannot be mounted: ${hasContainer(replacing) ? `the container ${replacing.name}` : 'a container out of reach'} can write to a folder around it, and could replace it by a link to any other. Mount that folder read-only there, or list another one in ${setting}.mounts in sluice.yaml.`,
    );
  // Elsewhere Sluice cannot see the files.
  if (await isThisHost(docker, signal)) await needNoLink(folder, setting);
  return folder;
}

/** A socket can be forwarded from another host. */
async function isThisHost(docker: Docker, signal: AbortSignal): Promise<boolean> {
  if (!docker.isLocal) return false;
  const { Name } = await docker.ask(info, '/info', { signal });
  return Name === hostname();
}

async function volume(docker: Docker, name: string, own: OwnPlace, signal: AbortSignal): Promise<string> {
  const { reach } = docker;
  if (!/^[a-zA-Z0-9][\w.-]{0,254}$/.test(name))
    throw new AppError('invalid_input', `"${shown(name)}" is neither an absolute path nor the name of a volume.`);
  if (!reach.lists.volumes)
    throw new AppError(
      'forbidden',
      `The volume ${shown(name)} cannot be mounted: no volume may be. List it in ${reach.setting}.volumes in sluice.yaml.`,
    );
  reach.volumes.need(name);
  if (own.volumes.includes(name))
    throw new AppError('forbidden', `The volume ${name} has Sluice's database and keys, and cannot be mounted.`);
  const known = await knownVolume(docker, name, signal);
  if (known) await needHarmless(docker, known, own, signal);
  return name;
}

/** A volume can be a folder of the host under another name: `--opt type=none --opt o=bind --opt device=/etc`. */
async function needHarmless(
  docker: Docker,
  { Name, Options }: Volume,
  own: OwnPlace,
  signal: AbortSignal,
): Promise<void> {
  const device = new Map(Object.entries(Options)).get('device');
  if (device === undefined || !device.startsWith('/')) return;
  try {
    await hostPath(docker, device, own, signal);
  } catch (error) {
    throw new AppError(
      'forbidden',
      `The volume ${Name} is a folder of the host (${shown(device)}) that may not be mounted. List it in ${docker.reach.setting}.mounts in sluice.yaml.`,
      { cause: error },
    );
  }
}

/** Networks that show nothing of other containers, unless somebody put them there on purpose. */
const COMMON = new Set(['bridge', 'none']);

async function networkFor(docker: Docker, wanted: string | undefined, signal: AbortSignal): Promise<string> {
  // Said, because an engine can be set up to use the network of the host otherwise.
  if (wanted === undefined) return 'bridge';
  if (/^(?:host|slirp4netns|pasta|private|default)$|:/i.test(wanted))
    throw new AppError(
      'forbidden',
      `The network ${shown(wanted)} is refused: a container that Sluice makes joins bridge, none or a network of its own, never that of the host or of another container.`,
    );
  const { reach } = docker;
  if (COMMON.has(wanted)) {
    if (reach.lists.networks && wanted !== 'none') reach.networks.need(wanted);
    return wanted;
  }
  if (!reach.lists.networks)
    throw new AppError(
      'forbidden',
      `The network ${shown(wanted)} cannot be joined: only bridge and none may be. List it in ${reach.setting}.networks in sluice.yaml.`,
    );
  const { Name, Driver } = await findNetwork(docker, wanted, signal);
  if (Driver === 'bridge' || Driver === 'overlay') return Name;
  throw new AppError(
    'forbidden',
    `The network ${Name} is refused: its driver ${Driver} is not one of bridge and overlay.`,
  );
}
