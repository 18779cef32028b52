import { duplexPair } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { connectClient } from './client.ts';

const hello = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } };

/** A gateway that answers every request by its method, and shows what it was told. */
function gateway(answers: Record<string, (params: unknown, send: (message: object) => void) => object | undefined>) {
  const [near, far] = duplexPair();
  const heard: { id?: number; method?: string; params?: unknown }[] = [];
  const send = (message: object) => far.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  far.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().trim().split('\n')) {
      const message = JSON.parse(line) as (typeof heard)[number];
      heard.push(message);
      const result = message.method === 'initialize' ? hello : answers[message.method ?? '']?.(message.params, send);
      if (result && message.id !== undefined) send({ id: message.id, result });
    }
  });
  return { near, far, heard, send };
}

test('lists and calls; progress and questions belong to the call', async () => {
  const { near, heard, send } = gateway({
    'tools/list': () => ({ tools: [{ name: 'a', inputSchema: {} }] }),
    'tools/call': (params) => {
      const { _meta } = params as { _meta: { progressToken: number } };
      send({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, progress: 1 } });
      send({ id: 99, method: 'elicitation/create', params: { message: 'Sure?' } });
      return undefined;
    },
  });
  await using client = await connectClient(near, '1.0.0');
  expect(await client.tools()).toEqual([{ name: 'a', inputSchema: {} }]);
  const onProgress = vi.fn<(progress: object) => void>();
  const called = client.call('a', { x: 1 }, { onProgress, onAsk: async () => ({ result: { action: 'accept' } }) });
  await expect.poll(() => heard).toContainEqual({ jsonrpc: '2.0', id: 99, result: { action: 'accept' } });
  const { id } = heard.find(({ method }) => method === 'tools/call') ?? {};
  send({ id, result: { content: [] } });
  expect(await called).toMatchObject({ result: { content: [] } });
  expect(onProgress).toHaveBeenCalledWith(expect.objectContaining({ progress: 1 }));
});

test('an abort tells the gateway, also when the client goes at once', async () => {
  const { near, heard } = gateway({});
  const stop = new AbortController();
  {
    await using client = await connectClient(near, '1.0.0');
    const called = client.call('a', {}, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(called).rejects.toThrow('enough');
  }
  await expect.poll(() => heard.map(({ method }) => method)).toContain('notifications/cancelled');
});

test('a gateway that goes away is said so', async () => {
  const { near, far } = gateway({});
  await using client = await connectClient(near, '1.0.0');
  const called = client.call('a', {});
  far.end();
  await expect(called).rejects.toMatchObject({ code: 'unavailable', message: 'The gateway closed the connection.' });
});

test('something else behind the socket cannot be reached', async () => {
  const [near, far] = duplexPair();
  far.end('220 welcome to another protocol\r\n');
  await expect(connectClient(near, '1.0.0')).rejects.toMatchObject({ code: 'unavailable' });
});
