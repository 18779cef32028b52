import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createN8nClient } from './client.ts';

test('deletes a workflow that n8n is still publishing', async () => {
  const answers = new Map([
    ['DELETE', [409, 500, 409, 200]],
    ['POST', [200]],
  ]);
  const server = createServer(({ method = '' }, response) => {
    response.writeHead(answers.get(method)?.shift() ?? 404, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createN8nClient('default', { url, apiKey: 'key', timeoutMs: 5000 });
  try {
    await client.workflows.delete('a1');
    expect([...answers.values()]).toEqual([[], []]);
    answers.set('DELETE', [500]);
    await expect(client.workflows.delete('a1')).rejects.toMatchObject({ data: { status: 500 } });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
