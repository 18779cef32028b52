import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { element } from '../configured.ts';
import { paged } from '../../paged.ts';
import { serversOf } from '../servers.ts';
import { serviceOutput, shownConfig, shownService } from '../shown-elements.ts';
import { cursorInput, cursorOutput, nameInput, protocolInput, traefikTool } from '../tool.ts';

export const getService = traefikTool({
  name: 'traefik_get_service',
  title: 'Get service',
  description: 'One service: its servers with their state, health check, stickiness and other settings.',
  phrases:
    'servers of a service; is the backend up; which server is down; health check of a service; load balancer settings',
  effect: 'read',
  input: z.strictObject({ name: nameInput, protocol: protocolInput.default('http'), cursor: cursorInput }),
  output: z.object({
    service: serviceOutput,
    servers: z.array(
      z.object({
        at: z.string(),
        status: z.string().describe('up, down, or unchecked: without a health check Traefik does not look'),
        weight: z.number().optional(),
      }),
    ),
    config: z.string().describe('The rest of it as JSON'),
    cursor: cursorOutput,
  }),
  async run({ name, protocol, cursor }, traefik, { signal }, progress) {
    const service = await element(traefik, 'services', { name, protocol }, { signal, progress });
    const { servers: _, ...balancer } = service.loadBalancer ?? {};
    const config = shownConfig({ ...service, ...(service.loadBalancer && { loadBalancer: balancer }) }, [], 900);
    const shown = shownService({ ...service, protocol });
    const { page, next } = paged(serversOf(service), (server) => ({ ...server, at: shortened(server.at, 300) }), {
      list: 'traefik_get_service',
      asked: { name, protocol },
      cursor,
      besides: { shown, config },
    });
    return { service: shown, servers: page, config, ...next };
  },
});
