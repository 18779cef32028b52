import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { createAllowances } from '../../../src/wire/allowance.ts';
import { createHttpEndpoint } from '../../../src/wire/http.ts';
import { startGateway } from '../harness.ts';

test('a client that hangs up during the token check leaves no stream open', async () => {
  await using gateway = await startGateway({});
  const allowances = createAllowances();
  const checked: Promise<unknown>[] = [];
  await using endpoint = createHttpEndpoint({
    service: gateway.runtime.apis.gateway.service,
    allowances,
    admit(_, response) {
      const gone = new Promise((resolve) => response.once('close', resolve));
      checked.push(gone);
      return gone.then(() => ({ id: 'somebody', scopes: 'all' as const }));
    },
  });
  const server = createServer((request, response) => void endpoint.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (let i = 0; i < 3; i++) {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /sse HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n');
    await expect.poll(() => checked.length).toBe(i + 1);
    socket.destroy();
  }
  await Promise.all(checked);
  await new Promise((resolve) => setImmediate(resolve));
  expect({ streams: allowances.of('somebody').streams, sessions: endpoint.sessions() }).toEqual({
    streams: 0,
    sessions: 0,
  });
  await new Promise((resolve) => server.close(resolve));
});
