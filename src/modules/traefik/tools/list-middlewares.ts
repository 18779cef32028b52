import { z } from 'zod';
import { elements } from '../configured.ts';
import { paged } from '../../paged.ts';
import { protocols } from '../problems.ts';
import { middlewareOutput, shownMiddleware } from '../shown-elements.ts';
import { cursorInput, cursorOutput, filters, protocolInput, traefikTool } from '../tool.ts';

export const listMiddlewares = traefikTool({
  name: 'traefik_list_middlewares',
  title: 'List middlewares',
  description: 'Middlewares with their type, status, errors, and the routers that use them.',
  phrases:
    'which middlewares are there; who uses this middleware; rate limits and redirects of traefik; basic auth in traefik',
  effect: 'read',
  input: z.strictObject({
    protocol: protocolInput.optional().describe('All unless given'),
    ...filters,
    search: filters.search.describe('Part of the name'),
    cursor: cursorInput,
  }),
  output: z.object({ total: z.number(), middlewares: z.array(middlewareOutput), cursor: cursorOutput }),
  async run({ protocol, cursor, ...asked }, traefik, { signal }, progress) {
    const found = await elements(traefik, 'middlewares', protocol ? [protocol] : protocols, asked, {
      signal,
      progress,
    });
    const { page, next } = paged(found, (middleware) => shownMiddleware(middleware), {
      list: 'traefik_list_middlewares',
      asked: { ...asked, protocol },
      cursor,
    });
    return { total: found.length, middlewares: page, ...next };
  },
});
