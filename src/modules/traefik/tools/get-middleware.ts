import { z } from 'zod';
import { element } from '../configured.ts';
import { middlewareOutput, shownConfig, shownMiddleware } from '../shown-elements.ts';
import { nameInput, traefikTool } from '../tool.ts';

export const getMiddleware = traefikTool({
  name: 'traefik_get_middleware',
  title: 'Get middleware',
  description: 'One middleware with its settings. Passwords, tokens and hashes are masked.',
  phrases: 'settings of a middleware; what does this middleware do; which headers are added; which users may log in',
  effect: 'read',
  input: z.strictObject({ name: nameInput, protocol: z.enum(['http', 'tcp']).default('http') }),
  output: middlewareOutput.extend({ config: z.string().describe('Its settings as JSON') }),
  async run({ name, protocol }, traefik, { signal }, progress) {
    const middleware = await element(traefik, 'middlewares', { name, protocol }, { signal, progress });
    return { ...shownMiddleware({ ...middleware, protocol }), config: shownConfig(middleware, [], 1800) };
  },
});
