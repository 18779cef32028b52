import { z } from 'zod';
import { element } from '../configured.ts';
import { routerOutput, shownConfig, shownRouter } from '../shown-elements.ts';
import { nameInput, protocolInput, traefikTool } from '../tool.ts';

export const getRouter = traefikTool({
  name: 'traefik_get_router',
  title: 'Get router',
  description: 'One router with its whole rule, TLS options and errors.',
  phrases: 'show this router; which rule does this router have; tls settings of a router; why is this router disabled',
  effect: 'read',
  input: z.strictObject({ name: nameInput, protocol: protocolInput.default('http') }),
  output: routerOutput.extend({ config: z.string().describe('The rest of it as JSON') }),
  async run({ name, protocol }, traefik, { signal }, progress) {
    const router = await element(traefik, 'routers', { name, protocol }, { signal, progress });
    const told = [
      'rule',
      'ruleSyntax',
      'priority',
      'priorityStr',
      'entryPoints',
      'middlewares',
      'service',
      'parentRefs',
    ];
    return { ...shownRouter({ ...router, protocol }, 1500), config: shownConfig(router, told, 500) };
  },
});
