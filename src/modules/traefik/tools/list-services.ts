import { z } from 'zod';
import { elements } from '../configured.ts';
import { paged } from '../../paged.ts';
import { protocols } from '../problems.ts';
import { serviceOutput, shownService } from '../shown-elements.ts';
import { cursorInput, cursorOutput, filters, protocolInput, traefikTool } from '../tool.ts';

export const listServices = traefikTool({
  name: 'traefik_list_services',
  title: 'List services',
  description: 'Services with their type, how many servers they have and how many are down, and who uses them.',
  phrases:
    'which backends does traefik have; which servers are down; load balancers; services with errors; where does traffic go',
  effect: 'read',
  input: z.strictObject({
    protocol: protocolInput.optional().describe('All unless given'),
    ...filters,
    search: filters.search.describe('Part of the name'),
    cursor: cursorInput,
  }),
  output: z.object({ total: z.number(), services: z.array(serviceOutput), cursor: cursorOutput }),
  async run({ protocol, cursor, ...asked }, traefik, { signal }, progress) {
    const found = await elements(traefik, 'services', protocol ? [protocol] : protocols, asked, { signal, progress });
    const { page, next } = paged(found, (service) => shownService(service), {
      list: 'traefik_list_services',
      asked: { ...asked, protocol },
      cursor,
    });
    return { total: found.length, services: page, ...next };
  },
});
