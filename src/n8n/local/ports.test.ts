import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { choosePorts } from './ports.ts';

let holder: Server | undefined;
afterEach(() => void holder?.close());

async function hold(): Promise<number> {
  const server = createServer();
  holder = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

test('does not choose a port that is in use', async () => {
  const port = await hold();
  expect((await choosePorts({ last: { port } })).port).not.toBe(port);
});

test('waits for an n8n that is shutting down, and reuses its port', async () => {
  const port = await hold();
  let asked = 0;
  const chosen = await choosePorts({
    last: { port },
    isEnding() {
      asked++;
      if (asked === 2) holder?.close();
      return true;
    },
  });
  expect(chosen.port).toBe(port);
  expect(asked).toBeGreaterThan(1);
});
