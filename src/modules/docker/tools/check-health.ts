import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { type Container, containersInReach, inspectContainer } from '../containers.ts';
import type { Docker } from '../connection.ts';
import { diskIn } from '../disk.ts';
import { type Problem, problemsOf, problemsOfDisk } from '../health.ts';
import { page } from '../page.ts';
import { diskUsage } from '../shapes.ts';
import { dockerTool } from '../tool.ts';

const MOST = 200;
const AT_ONCE = 8;

export const checkHealth = dockerTool({
  name: 'docker_check_health',
  title: 'Check the health of containers',
  description:
    'Looks at all containers and says what is wrong: unhealthy, restarting, out of memory, ended with an error, paused. With disk it also measures wasted space, which may take long.',
  phrases:
    'is everything ok with docker; which containers are unhealthy; what is broken in the stack; crash loop; containers that failed; health report',
  effect: 'read',
  input: z.strictObject({ disk: z.boolean().default(false).describe('Measure the disk, too') }),
  output: z.object({
    healthy: z.boolean().describe('No errors'),
    containers: z.int(),
    running: z.int(),
    problems: z.array(
      z.object({
        severity: z.enum(['error', 'warning']),
        about: z.string(),
        problem: z.string(),
        next: z.string(),
      }),
    ),
    more: z.int().optional().describe('Problems that do not fit the answer'),
    note: z.string().optional(),
  }),
  async run({ disk }, docker, { signal }) {
    const all = await containersInReach(docker, signal);
    const [found, wasted] = await Promise.all([
      problemsIn(docker, all.slice(0, MOST), signal),
      disk ? docker.ask(diskUsage, '/system/df', { signal }).then((usage) => problemsOfDisk(diskIn(usage))) : [],
    ]);
    const problems = [...found, ...wasted].sort((a, b) =>
      a.severity < b.severity ? -1 : a.severity > b.severity ? 1 : a.about < b.about ? -1 : 1,
    );
    const { items, next_offset } = page(problems, 0);
    return {
      healthy: problems.every(({ severity }) => severity !== 'error'),
      containers: all.length,
      running: all.filter(({ state }) => state === 'running').length,
      problems: items,
      ...(next_offset !== undefined && { more: problems.length - next_offset }),
      ...(all.length > MOST && { note: `Looked at ${MOST} of ${all.length} containers.` }),
    };
  },
});

async function problemsIn(docker: Docker, containers: readonly Container[], signal: AbortSignal): Promise<Problem[]> {
  const waiting = [...containers];
  const found: Problem[] = [];
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift())
      found.push(...(await problemsWith(docker, one, signal)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

async function problemsWith(docker: Docker, { id, name }: Container, signal: AbortSignal): Promise<Problem[]> {
  try {
    return problemsOf(name, await inspectContainer(docker, id, signal), Date.now());
  } catch (error) {
    // It was removed meanwhile.
    if (error instanceof AppError && error.code === 'not_found') return [];
    throw error;
  }
}
