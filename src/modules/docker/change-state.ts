import { z } from 'zod';
import { containerToChange, inspectContainer, stateOf } from './containers.ts';
import type { Docker } from './connection.ts';

export const changedState = z.object({
  container: z.string(),
  state: z.string(),
  changed: z.boolean().describe('False if it was so already'),
});

type Verb = 'start' | 'stop' | 'restart' | 'pause' | 'unpause' | 'kill';

interface Change {
  readonly verb: Verb;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
}

/** Starts, stops or pauses a container, and says how it is afterwards. */
export async function changeState(
  docker: Docker,
  wanted: string,
  { verb, query = {} }: Change,
  signal: AbortSignal,
): Promise<z.output<typeof changedState>> {
  const { container } = await containerToChange(docker, wanted, signal);
  const changed = await docker.act(`/containers/${container.id}/${verb}`, { query, signal });
  const after = await inspectContainer(docker, container.id, signal);
  return { container: container.name, state: stateOf(after), changed };
}
