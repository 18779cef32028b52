import { expect, test } from 'vitest';
import { loadOrFail } from './runtime.ts';
import { createGatewaySettings } from './gateway-settings.ts';
import type { Servers } from './store/store.ts';

test('a server that was added while running has the time-out of the environment, where it has none of its own', async () => {
  const { config } = await loadOrFail({ home: '/nowhere', cwd: '/nowhere', env: {} });
  const list = async () => [
    { name: 'a', config: { url: 'http://127.0.0.1:9/mcp' } },
    { name: 'b', config: { url: 'http://127.0.0.1:9/mcp', callTimeout: '1m' } },
  ];
  const read = (timeout: number | undefined) =>
    createGatewaySettings({
      servers: { list } as unknown as Servers,
      config: () => config,
      timeout: () => timeout,
      expose: undefined,
      bridged: () => ({}),
    }).read();
  expect((await read(2000)).servers).toMatchObject({
    a: { timeout: 2000, callTimeout: 2000 },
    b: { timeout: 2000, callTimeout: 60_000 },
  });
  expect((await read(undefined)).servers.a).toMatchObject({ timeout: 30_000, callTimeout: 300_000 });
});
