import { z } from 'zod';
import { projectOf, serviceOf } from '../compose.ts';
import { containersInReach } from '../containers.ts';
import { page } from '../page.ts';
import { dockerTool, offsetInput } from '../tool.ts';

export const listContainers = dockerTool({
  name: 'docker_list_containers',
  title: 'List containers',
  description:
    'Lists containers with image, state and ports: the running ones, or all of them. Filters by text, state or Compose project.',
  phrases:
    'which containers are running; docker ps; list all containers; is the container up; stopped containers; what ports are published',
  effect: 'read',
  input: z.strictObject({
    all: z.boolean().default(false).describe('Also those that do not run'),
    query: z.string().min(1).max(200).optional().describe('Only with this text in the name or image'),
    state: z
      .enum(['created', 'running', 'paused', 'restarting', 'exited', 'dead'])
      .optional()
      .describe('Only in this state'),
    project: z.string().min(1).max(200).optional().describe('Only of this Compose project'),
    offset: offsetInput,
  }),
  output: z.object({
    containers: z.array(
      z.object({
        name: z.string(),
        id: z.string(),
        image: z.string(),
        state: z.string(),
        status: z.string().optional(),
        ports: z.array(z.string()).optional(),
        project: z.string().optional(),
        service: z.string().optional(),
      }),
    ),
    total: z.int().describe('That fit the filters'),
    next_offset: z.int().optional().describe('There are more from here on'),
  }),
  async run({ all, query, state, project, offset }, docker, { signal }) {
    const text = query?.toLowerCase();
    const chosen = (await containersInReach(docker, signal)).filter(
      (one) =>
        (all ||
          state !== undefined ||
          one.state === 'running' ||
          one.state === 'paused' ||
          one.state === 'restarting') &&
        (state === undefined || one.state === state) &&
        (project === undefined || projectOf(one) === project) &&
        (text === undefined || `${one.name}\n${one.image}`.toLowerCase().includes(text)),
    );
    const { items, ...rest } = page(
      chosen
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map((one) => {
          const [ofProject, service] = [projectOf(one), serviceOf(one)];
          return {
            name: one.name,
            id: one.id.slice(0, 12),
            image: one.image.slice(0, 200),
            state: one.state,
            ...(one.status !== '' && { status: one.status }),
            ...(one.ports.length > 0 && { ports: one.ports.slice(0, 20) }),
            ...(ofProject !== undefined && { project: ofProject.slice(0, 100) }),
            ...(service !== undefined && { service: service.slice(0, 100) }),
          };
        }),
      offset,
    );
    return { containers: items, ...rest };
  },
});
