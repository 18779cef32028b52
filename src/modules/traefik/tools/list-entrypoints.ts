import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { type EntryPoint, entryPointAnswer } from '../answers.ts';
import { paged } from '../../paged.ts';
import { names } from '../shown-elements.ts';
import { cursorInput, cursorOutput, traefikTool } from '../tool.ts';

const entryPointOutput = z.object({
  name: z.string(),
  address: z.string(),
  default: z.boolean().optional().describe('Routers that name none listen here'),
  tls: z.boolean().describe('Whether routers get TLS from it'),
  redirects_to: z.string().optional(),
  middlewares: z.array(z.string()).optional().describe('They come before those of the router'),
});

export const listEntrypoints = traefikTool({
  name: 'traefik_list_entrypoints',
  title: 'List entry points',
  description: 'Where Traefik listens: address, TLS, redirection, middlewares for all routers.',
  phrases: 'on which ports does traefik listen; entry points; is http redirected to https; default entry point',
  effect: 'read',
  input: z.strictObject({ cursor: cursorInput }),
  output: z.object({ total: z.number(), entry_points: z.array(entryPointOutput), cursor: cursorOutput }),
  async run({ cursor }, traefik, { signal }, progress) {
    const all = await traefik.all(entryPointAnswer, '/api/entrypoints', { signal, progress });
    const { page, next } = paged(all, shown, { list: 'traefik_list_entrypoints', asked: {}, cursor });
    return { total: all.length, entry_points: page, ...next };
  },
});

function shown({ name, address, asDefault, http }: EntryPoint): z.output<typeof entryPointOutput> {
  const target = http?.redirections?.entryPoint?.to;
  return {
    name: shortened(name, 100),
    address: shortened(address, 100),
    ...(asDefault != null && { default: asDefault }),
    tls: Boolean(http?.tls),
    ...(target && { redirects_to: shortened(target, 100) }),
    ...(http && http.middlewares.length > 0 && { middlewares: names(http.middlewares) }),
  };
}
