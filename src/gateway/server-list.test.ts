import { expect, test } from 'vitest';
import { load } from '../runtime.ts';
import type { Servers } from '../store/store.ts';
import { createServerList } from './server-list.ts';

test('an added server without a timeout gets the one of the environment', async () => {
  const { config } = await load({ home: '/nowhere', cwd: '/nowhere', env: {} });
  const list = async () => [
    { name: 'a', config: { url: 'http://127.0.0.1:9/mcp' } },
    { name: 'b', config: { url: 'http://127.0.0.1:9/mcp', callTimeout: '1m' } },
  ];
  const read = (timeout: number | undefined) =>
    createServerList({
      servers: { list } as unknown as Servers,
      config: () => config,
      presets: () => ({ servers: {}, unavailable: [], events: { watch: [] } }),
      claims: () => [],
      timeout: () => timeout,
    }).read();
  expect((await read(2000)).servers).toMatchObject({
    a: { timeout: 2000, callTimeout: 2000 },
    b: { timeout: 2000, callTimeout: 60_000 },
  });
  expect((await read(undefined)).servers.a).toMatchObject({ timeout: 30_000, callTimeout: 300_000 });
});
