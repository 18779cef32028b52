import { z } from 'zod';
import { elements } from '../configured.ts';
import { paged } from '../../paged.ts';
import { protocols } from '../problems.ts';
import { routerOutput, shownRouter } from '../shown-elements.ts';
import { cursorInput, cursorOutput, filters, protocolInput, traefikTool } from '../tool.ts';

export const listRouters = traefikTool({
  name: 'traefik_list_routers',
  title: 'List routers',
  description: 'Routers with their rule, priority, entry points, middlewares, service, TLS and errors.',
  phrases:
    'which routes does traefik have; which hosts are published; rules of the reverse proxy; routers with errors; what listens on this domain',
  effect: 'read',
  input: z.strictObject({
    protocol: protocolInput.optional().describe('All unless given'),
    ...filters,
    search: filters.search.describe('Part of the rule or the name'),
    cursor: cursorInput,
  }),
  output: z.object({ total: z.number(), routers: z.array(routerOutput), cursor: cursorOutput }),
  async run({ protocol, cursor, ...asked }, traefik, { signal }, progress) {
    const found = await elements(traefik, 'routers', protocol ? [protocol] : protocols, asked, { signal, progress });
    const { page, next } = paged(found, (router) => shownRouter(router), {
      list: 'traefik_list_routers',
      asked: { ...asked, protocol },
      cursor,
    });
    return { total: found.length, routers: page, ...next };
  },
});
