import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { type Found, containerToChange } from '../containers.ts';
import { containerInput, dockerTool } from '../tool.ts';

export const removeContainer = dockerTool({
  name: 'docker_remove_container',
  title: 'Remove a container',
  description:
    'Removes a container for good, with the files it wrote outside of volumes. Its named volumes stay. A running one needs force.',
  phrases: 'remove a container; docker rm; delete a container; clean up a stopped container',
  effect: 'delete',
  input: z.strictObject({
    container: containerInput,
    force: z.boolean().default(false).describe('Kill it first if it runs'),
    volumes: z.boolean().default(false).describe('Also its volumes without a name'),
  }),
  output: z.object({ removed: z.string(), id: z.string() }),
  async preview({ container, force, volumes }, docker, { signal }) {
    const found = await containerToChange(docker, container, signal);
    needStopped(found, force);
    const named = found.details.Mounts.filter(({ Type, Name }) => Type === 'volume' && Name && !isAnonymous(Name));
    const anonymous = found.details.Mounts.filter(({ Type, Name }) => Type === 'volume' && Name && isAnonymous(Name));
    return [
      `Removes the container ${found.container.name} (${found.container.image}, ${found.container.status || found.container.state}) with the files it wrote outside of volumes.`,
      ...(found.details.State.Running ? ['It runs, and is killed first.'] : []),
      ...(named.length > 0 ? [`The volumes ${named.map(({ Name }) => Name).join(', ')} stay.`] : []),
      ...(volumes && anonymous.length > 0 ? [`${anonymous.length} volumes without a name are deleted.`] : []),
    ].join(' ');
  },
  async run({ container, force, volumes }, docker, { signal }) {
    const found = await containerToChange(docker, container, signal);
    needStopped(found, force);
    await docker.act(`/containers/${found.container.id}`, {
      method: 'DELETE',
      query: { force, v: volumes },
      signal,
    });
    return { removed: found.container.name, id: found.container.id.slice(0, 12) };
  },
});

/** Docker names volumes that nobody named by 64 digits. */
const isAnonymous = (name: string): boolean => /^[\da-f]{64}$/.test(name);

function needStopped({ container, details }: Found, force: boolean): void {
  if (force || !(details.State.Running || details.State.Paused)) return;
  throw new AppError(
    'conflict',
    `${container.name} runs. Stop it first with docker_stop_container, or say force: true to kill it.`,
  );
}
