import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { shortened } from '../../shown.ts';
import { findProject, projectsIn, servicesToStart } from '../compose.ts';
import { type Container, containersInReach, inspectContainer, needForeign, stateOf } from '../containers.ts';
import type { Docker } from '../connection.ts';
import { page } from '../page.ts';
import { dockerTool, graceInput } from '../tool.ts';

export const controlProject = dockerTool({
  name: 'docker_control_project',
  title: 'Start, stop or restart a Compose project',
  description:
    'Starts, stops or restarts the containers of a Compose project, or of some of its services, in the order of their dependencies. It makes no containers: docker compose up does.',
  phrases:
    'docker compose restart; restart the stack; stop a compose project; start the stack; restart a service of the project',
  effect: 'update',
  input: z.strictObject({
    project: z.string().min(1).max(200).describe('Name of the Compose project'),
    action: z.enum(['start', 'stop', 'restart']),
    services: z.array(z.string().min(1).max(200)).min(1).max(100).optional().describe('Only these'),
    grace_seconds: graceInput,
  }),
  output: z.object({
    project: z.string(),
    containers: z.array(
      z.object({
        container: z.string(),
        service: z.string(),
        state: z.string().optional(),
        changed: z.boolean(),
        problem: z.string().optional(),
      }),
    ),
    failed: z.int(),
    more: z.int().optional().describe('Containers that do not fit the answer'),
  }),
  async run({ project: wanted, action, services, grace_seconds }, docker, { signal }, progress) {
    const project = findProject(projectsIn(await containersInReach(docker, signal)), wanted);
    const ordered = servicesToStart(project, services);
    const steps = action === 'stop' ? ordered.toReversed() : ordered;
    const results: Changed[] = [];
    const total = steps.reduce((sum, { containers }) => sum + containers.length, 0);
    for (const { name, containers } of steps) {
      const t = action === 'start' ? undefined : grace_seconds;
      const done = containers.map(async (one) => ({
        service: name,
        ...(await change(docker, one, action, t, signal)),
      }));
      results.push(...(await Promise.all(done)));
      progress(results.length, total, `${action} ${name}`);
    }
    const { items, next_offset } = page(results, 0);
    return {
      project: project.name,
      containers: items,
      failed: results.filter(({ problem }) => problem !== undefined).length,
      ...(next_offset !== undefined && { more: results.length - next_offset }),
    };
  },
});

interface Changed {
  readonly service: string;
  readonly container: string;
  readonly state?: string;
  readonly changed: boolean;
  readonly problem?: string;
}

/** One that cannot be changed does not keep the others from it. */
async function change(
  docker: Docker,
  container: Container,
  action: string,
  t: number | undefined,
  signal: AbortSignal,
): Promise<Omit<Changed, 'service'>> {
  try {
    await needForeign(docker, container, signal);
    const changed = await docker.act(`/containers/${container.id}/${action}`, { query: { t }, signal });
    return { container: container.name, state: stateOf(await inspectContainer(docker, container.id, signal)), changed };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    return { container: container.name, changed: false, problem: shortened(error.message, 200) };
  }
}
