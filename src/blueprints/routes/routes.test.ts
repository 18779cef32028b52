import { expect, test, vi } from 'vitest';
import { blueprintRoutes } from './routes.ts';

const { failsOnce } = vi.hoisted(() => ({
  failsOnce(made: object) {
    let uses = 0;
    return () => {
      if (uses++ === 0) throw new Error('EMFILE');
      return made;
    };
  },
}));

vi.mock('./handling.ts', () => ({ createHandling: failsOnce({ tool: async () => new Response('listed') }) }));
vi.mock('./detail-answers.ts', () => ({ createDetails: failsOnce({ overview: async () => ({ listed: true }) }) }));

test.each(['/api/v1/blueprints', '/api/v1/blueprint-definitions'])(
  'if the code for %s could not be loaded, the next request loads it again',
  async (path) => {
    const route = blueprintRoutes({} as never).find((one) => one.path === path && one.method === undefined);
    const ask = async () => (await route?.handle({} as never))?.text();
    await expect(ask()).rejects.toThrow('EMFILE');
    expect(await ask()).toContain('listed');
  },
);
