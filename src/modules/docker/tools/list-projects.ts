import { z } from 'zod';
import { projectsIn } from '../compose.ts';
import { containersInReach } from '../containers.ts';
import { page } from '../page.ts';
import { dockerTool, offsetInput } from '../tool.ts';

export const listProjects = dockerTool({
  name: 'docker_list_projects',
  title: 'List Compose projects',
  description: 'Lists the projects of Docker Compose with their services and the state of each container.',
  phrases:
    'docker compose ls; docker compose ps; which stacks are running; services of a compose project; is the stack up',
  effect: 'read',
  input: z.strictObject({
    project: z.string().min(1).max(200).optional().describe('Only this one'),
    offset: offsetInput,
  }),
  output: z.object({
    projects: z.array(
      z.object({
        name: z.string(),
        running: z.int(),
        containers: z.int(),
        services: z.array(
          z.object({
            name: z.string(),
            containers: z.array(z.object({ name: z.string(), state: z.string(), status: z.string().optional() })),
          }),
        ),
      }),
    ),
    total: z.int(),
    next_offset: z.int().optional(),
  }),
  async run({ project, offset }, docker, { signal }) {
    const all = projectsIn(await containersInReach(docker, signal)).filter(
      ({ name }) => project === undefined || name === project,
    );
    const { items, ...rest } = page(
      all.map(({ name, services }) => {
        const containers = services.flatMap((service) => service.containers);
        return {
          name,
          running: containers.filter(({ state }) => state === 'running').length,
          containers: containers.length,
          services: services.slice(0, 25).map((service) => ({
            name: service.name,
            containers: service.containers.slice(0, 5).map(({ name: container, state, status }) => ({
              name: container,
              state,
              ...(all.length < 4 && status !== '' && { status: status.slice(0, 60) }),
            })),
          })),
        };
      }),
      offset,
    );
    return { projects: items, ...rest };
  },
});
