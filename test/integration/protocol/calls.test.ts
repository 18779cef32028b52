import { describe, expect, it } from 'vitest';
import { type Handler, startScripted } from '../../fixtures/scripted-server.ts';
import {
  callTool,
  connectV2,
  type Json,
  modern,
  openSession,
  rpc,
  send,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from '../harness.ts';
import { complete, connect, type Era, eras, pairs, uncached, ways } from '../../support/eras.ts';

const list: Handler = () => ({
  tools: [{ name: 'tool', inputSchema: { type: 'object' } }],
  ...uncached,
});

/** tools/call as raw HTTP. */
async function call(gateway: TestGateway, era: Era, params: Json) {
  const request =
    era === 'modern'
      ? modern('tools/call', params)
      : { headers: await openSession(gateway.mcp), body: rpc(1, 'tools/call', params) };
  return send(gateway.mcp, request);
}

describe('tool errors and protocol errors stay distinct', () => {
  it.each(pairs)('a %s client and a %s backend', async (era, backend) => {
    const failed = { content: [{ type: 'text', text: 'no luck' }], isError: true, 'x-why': [1] };
    const error = { code: 1234, message: 'of its own', data: { reason: 'asked', list: [1, null] } };
    let answer: Json = {};
    await using server = await startScripted(backend, { 'tools/list': list, 'tools/call': () => answer });
    await using gateway = await startGateway({ mcpServers: { srv: server.entry } });
    await using client = await connect(gateway, era);

    answer = backend === 'modern' ? { ...complete, ...failed } : failed;
    expect((await call(gateway, era, { name: 'srv__tool' })).messages).toMatchObject([{ id: 1, result: failed }]);
    expect(await callTool(client, 'srv__tool')).toMatchObject({ isError: true, content: failed.content });

    answer = { error };
    const sent = await call(gateway, era, { name: 'srv__tool' });
    expect(sent.status).toBe(200);
    expect(sent.messages).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
    await expect(callTool(client, 'srv__tool')).rejects.toMatchObject({
      code: 1234,
      message: expect.stringContaining('of its own'),
      data: error.data,
    });
  });

  it.each<[Era, Era, number, number]>([
    ['legacy', 'legacy', -32000, -32000],
    ['legacy', 'legacy', -32002, -32002],
    ['legacy', 'legacy', -32042, -32042],
    ['legacy', 'legacy', -32601, -32601],
    ['legacy', 'modern', -32000, -32000],
    ['legacy', 'modern', -32602, -32602],
    ['legacy', 'modern', -32020, -32600],
    ['legacy', 'modern', -32021, -32600],
    ['legacy', 'modern', -32022, -32600],
    ['modern', 'legacy', -32000, -32000],
    ['modern', 'legacy', -32002, -32602],
    ['modern', 'legacy', -32601, -32601],
    ['modern', 'modern', -32000, -32000],
    ['modern', 'modern', -32021, -32021],
    ['modern', 'modern', -32601, -32601],
  ])('a %s client gets from a %s backend for %i: %i', async (era, backend, code, expected) => {
    const error = { code, message: 'refused', data: { code } };
    await using server = await startScripted(backend, { 'tools/list': list, 'tools/call': () => ({ error }) });
    await using gateway = await startGateway({ mcpServers: { srv: server.entry } });
    const { messages } = await call(gateway, era, { name: 'srv__tool' });
    expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, error: { ...error, code: expected } }]);
    await using client = await connect(gateway, era);
    await expect(callTool(client, 'srv__tool')).rejects.toMatchObject({ code: expected, data: { code } });
  });

  it('a 2026 client gets the -32042 of a 2025 backend as a 2026 URL elicitation', async () => {
    let opened = false;
    const page = { mode: 'url', message: 'Sign in', url: 'https://example.com/', elicitationId: 'e1' };
    await using server = await startScripted('legacy', {
      'tools/list': list,
      'tools/call': () => {
        if (opened) return { content: [{ type: 'text', text: 'in' }] };
        opened = true;
        return { error: { code: -32042, message: 'Open the page first', data: { elicitations: [page] } } };
      },
    });
    await using gateway = await startGateway({ mcpServers: { srv: server.entry } });
    const asked: (Json | undefined)[] = [];
    const answer = (_: string, params: Json | undefined) => {
      asked.push(params);
      return { action: 'accept' };
    };
    await using client = await connectV2(gateway, { era: 'modern', answer });
    expect(textOf(await callTool(client, 'srv__tool'))).toBe('in');
    expect(asked).toMatchObject([{ mode: 'url', url: page.url, message: page.message }]);
  });

  it.each(eras)('an unknown resource, for a %s client', async (era) => {
    await using legacy = await startReference('http', 'legacy');
    await using recent = await startReference('http', 'modern');
    await using gateway = await startGateway({ mcpServers: { legacy: legacy.entry, recent: recent.entry } });
    await using client = await connect(gateway, era);
    const read = client.readResource({ uri: 'test://no-such' });
    await expect(read).rejects.toMatchObject({ code: era === 'legacy' ? -32002 : -32602 });
  });

  it.each(eras)('an unknown tool is a protocol error with the nearest names, for a %s client', async (era) => {
    await using server = await startScripted('modern', { 'tools/list': list });
    await using gateway = await startGateway({ mcpServers: { srv: server.entry } });
    await using client = await connect(gateway, era);
    await expect(callTool(client, 'srv__tol')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('srv__tool'),
    });
  });
});

describe('progress', () => {
  const steps = Array.from({ length: 10 }, (_, index) => index + 1);
  const progressIn = (messages: Json[]) =>
    messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params as Json);

  describe.each(ways)('from a backend over %s, %s era', (transport, backend) => {
    it('arrives completely and in order, with the original token', async () => {
      await using reference = await startReference(transport, backend);
      await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
      const params = (progressToken: string | number) => ({
        name: 'ref__slow',
        arguments: { ms: 50 },
        _meta: { progressToken },
      });
      const session = await openSession(gateway.mcp);
      const sent = await Promise.all([
        ...['tök/1', 0, 7].map(async (token) => ({
          token,
          ...(await send(gateway.mcp, modern('tools/call', params(token)))),
        })),
        ...['t', 1, 0].map(async (token, id) => ({
          token,
          ...(await send(gateway.mcp, { headers: session, body: rpc(id, 'tools/call', params(token)) })),
        })),
      ]);
      for (const { token, messages } of sent) {
        expect(progressIn(messages)).toEqual(steps.map((progress) => ({ progressToken: token, progress, total: 10 })));
        expect(messages.at(-1)).toMatchObject({ result: { content: [{ text: 'slow 50' }] } });
      }
    });

    it.each(eras)('is seen by a real %s client', async (era) => {
      await using reference = await startReference(transport, backend);
      await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
      await using client = await connect(gateway, era);
      const seen: number[] = [];
      await callTool(client, 'ref__slow', { ms: 200 }, { onprogress: ({ progress }) => seen.push(progress) });
      // The SDKs lose an event that arrives together with the answer.
      expect(seen.slice(0, 9)).toEqual(steps.slice(0, 9));
    });
  });

  it.each(pairs)('arrives even in one chunk with the answer: %s client, %s backend', async (era, backend) => {
    await using server = await startScripted(backend, {
      'tools/list': list,
      'tools/call': ({ _meta }, { send }) => {
        const { progressToken } = _meta as Json;
        for (const progress of steps)
          send({
            method: 'notifications/progress',
            params: { progressToken, progress, message: `step ${progress}`, 'x-more': 1 },
          });
        return { content: [], ...(backend === 'modern' && complete) };
      },
    });
    await using gateway = await startGateway({ mcpServers: { srv: server.entry } });
    const { messages } = await call(gateway, era, { name: 'srv__tool', _meta: { progressToken: 'mine' } });
    expect(progressIn(messages)).toEqual(
      steps.map((progress) => ({ progressToken: 'mine', progress, message: `step ${progress}`, 'x-more': 1 })),
    );
    expect(messages).toHaveLength(11);
  });

  it.each(ways)('reaches a client over %s, %s era', async (transport, era) => {
    await using reference = await startReference('http', 'both');
    await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
    await using client = await connect(gateway, era, { transport });
    const seen: number[] = [];
    await callTool(client, 'ref__slow', { ms: 200 }, { onprogress: ({ progress }) => seen.push(progress) });
    expect(seen.slice(0, 9)).toEqual(steps.slice(0, 9));
  });

  it('goes to the right client if two use the same token', async () => {
    await using reference = await startReference('stdio', 'legacy');
    await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
    const run = async (ms: number) =>
      send(gateway.mcp, {
        headers: await openSession(gateway.mcp),
        body: rpc(1, 'tools/call', { name: 'ref__slow', arguments: { ms }, _meta: { progressToken: 1 } }),
      });
    for (const { messages } of await Promise.all([run(60), run(90)])) {
      expect(progressIn(messages).map(({ progress }) => progress)).toEqual(steps);
    }
  });

  it('is not sent to a client that did not ask for it', async () => {
    await using server = await startScripted('legacy', {
      'tools/list': list,
      'tools/call': (_, { request, send }) => {
        for (const progressToken of [request.id, 1, 'x', undefined])
          send({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
        return { content: [] };
      },
    });
    await using gateway = await startGateway({ mcpServers: { srv: server.entry } });
    expect((await call(gateway, 'legacy', { name: 'srv__tool' })).messages).toHaveLength(1);
  });
});
