import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { type Container, containersInReach, findContainer } from '../containers.ts';
import type { Docker } from '../connection.ts';
import { page } from '../page.ts';
import { statistics } from '../shapes.ts';
import { hasReading, type Usage, usageOf } from '../statistics.ts';
import { containerInput, dockerTool } from '../tool.ts';

const MOST = 50;
const AT_ONCE = 8;
const PAUSE_MS = 300;

export const getStats = dockerTool({
  name: 'docker_get_stats',
  title: 'Resource use of containers',
  description:
    'Measures CPU, memory, network and disk use of one running container, or of all of them, the busiest first. CPU is in percent of one processor: 200 is two. Takes a second or two.',
  phrases:
    'docker stats; cpu usage of a container; how much memory does it use; which container uses the most memory; network traffic of a container',
  effect: 'read',
  input: z.strictObject({ container: containerInput.optional().describe('Only this one') }),
  output: z.object({
    containers: z.array(
      z.object({
        name: z.string(),
        cpu_percent: z.number().optional(),
        memory_bytes: z.number(),
        memory_limit_bytes: z.number().optional(),
        memory_percent: z.number().optional(),
        network_received_bytes: z.number(),
        network_sent_bytes: z.number(),
        disk_read_bytes: z.number(),
        disk_written_bytes: z.number(),
        processes: z.int().optional(),
      }),
    ),
    note: z.string().optional(),
  }),
  async run({ container }, docker, { signal }) {
    const running = await chosen(docker, container, signal);
    const measured: ({ name: string } & Usage)[] = [];
    const waiting = running.slice(0, MOST);
    const work = async () => {
      for (let one = waiting.shift(); one; one = waiting.shift()) {
        const usage = await measure(docker, one.id, signal);
        if (usage) measured.push({ name: one.name, ...usage });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    measured.sort((a, b) => (b.cpu_percent ?? 0) - (a.cpu_percent ?? 0) || b.memory_bytes - a.memory_bytes);
    const { items } = page(measured, 0);
    return {
      containers: items,
      ...(items.length < running.length && {
        note: `${items.length} of ${running.length} running containers. Name one to see it.`,
      }),
    };
  },
});

async function chosen(docker: Docker, wanted: string | undefined, signal: AbortSignal): Promise<Container[]> {
  if (wanted === undefined) return (await containersInReach(docker, signal)).filter(({ state }) => state === 'running');
  const container = await findContainer(docker, wanted, signal);
  if (container.state !== 'running')
    throw new AppError(
      'conflict',
      `${container.name} does not run (${container.state}), so there is nothing to measure.`,
    );
  return [container];
}

/** Undefined if it has just ended. */
async function measure(docker: Docker, id: string, signal: AbortSignal): Promise<Usage | undefined> {
  const read = () => docker.ask(statistics, `/containers/${id}/stats`, { query: { stream: false }, signal });
  try {
    const first = await read();
    if (hasReading(first.precpu_stats)) return usageOf(first);
    // Podman sends one reading only. The share of the processors needs two.
    await delay(PAUSE_MS, undefined, { signal });
    return usageOf(await read(), first);
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'conflict')) return undefined;
    throw error;
  }
}
