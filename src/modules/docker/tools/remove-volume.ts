import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { segment } from '../../http.ts';
import { findOwnPlace } from '../containers.ts';
import type { Docker } from '../connection.ts';
import type { Volume } from '../shapes.ts';
import { dockerTool } from '../tool.ts';
import { usersOf } from '../volume-users.ts';
import { findVolume } from '../volumes.ts';
import { volumeInput } from './inspect-volume.ts';

export const removeVolume = dockerTool({
  name: 'docker_remove_volume',
  title: 'Remove a volume',
  description:
    'Deletes a volume with all its data, for good. Only volumes that modules.docker.volumes lists and no container mounts.',
  phrases: 'docker volume rm; delete a volume; remove an unused volume; delete the data of a container',
  effect: 'delete',
  input: z.strictObject({ volume: volumeInput }),
  output: z.object({ removed: z.string() }),
  async preview({ volume: wanted }, docker, { signal }) {
    const { Name, CreatedAt } = await removable(docker, wanted, signal);
    return `Deletes the volume ${Name}${CreatedAt === '' ? '' : ` (made ${CreatedAt})`} with all its data. This cannot be undone.`;
  },
  async run({ volume: wanted }, docker, { signal }) {
    const { Name } = await removable(docker, wanted, signal);
    await docker.act(`/volumes/${segment(Name)}`, { method: 'DELETE', signal });
    return { removed: Name };
  },
});

async function removable(docker: Docker, wanted: string, signal: AbortSignal): Promise<Volume> {
  const { reach } = docker;
  if (!reach.lists.volumes)
    throw new AppError(
      'forbidden',
      `No volume may be removed. List those that may in ${reach.setting}.volumes in sluice.yaml.`,
    );
  const volume = await findVolume(docker, wanted, signal);
  const [own, { names, hidden }] = await Promise.all([
    findOwnPlace(docker, signal),
    usersOf(docker, volume.Name, signal),
  ]);
  if (own.volumes.includes(volume.Name))
    throw new AppError(
      'forbidden',
      `The volume ${volume.Name} has Sluice's database and keys, and no tool may remove it.`,
    );
  if (names.length + hidden === 0) return volume;
  const by = [...names.slice(0, 5), ...(hidden > 0 ? [`${hidden} out of reach`] : [])].join(', ');
  throw new AppError('conflict', `The volume ${volume.Name} is used by ${by}. Remove the containers first.`);
}
