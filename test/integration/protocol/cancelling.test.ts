import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Handler, startScripted } from '../../fixtures/scripted-server.ts';
import {
  type AnyClient,
  callTool,
  modern,
  open,
  openSession,
  type Reference,
  rpc,
  send,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from '../harness.ts';
import { connect, uncached, ways } from '../../support/eras.ts';

const list: Handler = () => ({
  tools: [{ name: 'tool', inputSchema: { type: 'object' } }],
  ...uncached,
});

describe('cancelling', () => {
  const journal = async (client: AnyClient) => JSON.parse(textOf(await callTool(client, 'ref__journal'))) as string[];
  // expect.poll cannot be used in concurrent tests.
  const seen = (client: AnyClient, ...lines: string[]) =>
    vi.waitFor(async () => expect(await journal(client)).toEqual(expect.arrayContaining(lines)), 10_000);

  describe.each(ways)('reaches a backend over %s, %s era', (transport, backend) => {
    let reference: Reference;
    let gateway: TestGateway;
    beforeAll(async () => {
      reference = await startReference(transport, backend);
      gateway = await startGateway({ mcpServers: { ref: reference.entry } });
    });
    afterAll(async () => {
      await gateway[Symbol.asyncDispose]();
      await reference[Symbol.asyncDispose]();
    });

    it.concurrent.each(ways)('from a client over %s, %s era, and only the right call', async (front, era) => {
      await using client = await connect(gateway, era, { transport: front });
      await using other = await connect(gateway, era, { transport: front });
      const [mine, theirs] = ['mine', 'theirs'].map((whose) => `${whose} ${front} ${era}`);
      // Both SDK clients number their requests alike, so the ids are equal.
      const abort = new AbortController();
      const cancelled = callTool(client, 'ref__slow', { ms: 20_000, tag: mine }, { signal: abort.signal });
      const kept = callTool(other, 'ref__slow', { ms: 600, tag: theirs });
      cancelled.catch(() => {});
      await seen(other, `slow started ${mine}`, `slow started ${theirs}`);
      abort.abort();
      await expect(cancelled).rejects.toThrow(/abort/i);
      await seen(other, `slow cancelled ${mine}`);
      expect(textOf(await kept)).toBe('slow 600');
      expect(await journal(other)).not.toContain(`slow cancelled ${theirs}`);
    });
  });

  it('closing the stream cancels a 2026 call', async () => {
    await using reference = await startReference('http', 'both');
    await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
    const params = { name: 'ref__slow', arguments: { ms: 20_000, tag: 'x' }, _meta: { progressToken: 1 } };
    const abort = new AbortController();
    const stream = open(gateway.mcp, { ...modern('tools/call', params), signal: abort.signal });
    stream.catch(() => {});
    await expect.poll(() => reference.world.journal).toContain('slow started x');
    abort.abort();
    await expect.poll(() => reference.world.journal).toContain('slow cancelled x');
  });

  it('closing the stream does not cancel a 2025 call: its client may resume it', async () => {
    await using reference = await startReference('http', 'legacy');
    await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
    const headers = await openSession(gateway.mcp);
    const body = rpc(1, 'tools/call', {
      name: 'ref__slow',
      arguments: { ms: 400, tag: 'x' },
      _meta: { progressToken: 1 },
    });
    const stream = await open(gateway.mcp, { headers, body });
    await expect.poll(() => stream.messages.length).toBeGreaterThan(0);
    stream.close();
    await expect.poll(() => reference.world.journal).toContain('slow finished x');
    expect(reference.world.journal).not.toContain('slow cancelled x');
  });

  it('the calls of a client that disconnects are cancelled', async () => {
    await using reference = await startReference('http', 'legacy');
    await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
    for (const [transport, era] of [
      ['sse', 'legacy'],
      ['stdio', 'legacy'],
      ['stdio', 'modern'],
    ] as const) {
      const client = await connect(gateway, era, { transport });
      const tag = `${transport} ${era}`;
      callTool(client, 'ref__slow', { ms: 20_000, tag }).catch(() => {});
      await expect.poll(() => reference.world.journal).toContain(`slow started ${tag}`);
      await client.close();
      await expect.poll(() => reference.world.journal).toContain(`slow cancelled ${tag}`);
    }
    const headers = await openSession(gateway.mcp);
    const body = rpc(1, 'tools/call', { name: 'ref__slow', arguments: { ms: 20_000, tag: 'deleted' } });
    const call = send(gateway.mcp, { headers, body });
    await expect.poll(() => reference.world.journal).toContain('slow started deleted');
    await send(gateway.mcp, { method: 'DELETE', headers });
    await expect.poll(() => reference.world.journal).toContain('slow cancelled deleted');
    await call;
  });

  it('the cancellation carries the id of the backend, and a late answer is ignored', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await using server = await startScripted('legacy', {
      'tools/list': list,
      'tools/call': async () => {
        await held;
        return { content: [] };
      },
    });
    await using gateway = await startGateway({ mcpServers: { srv: server.entry } });
    const headers = await openSession(gateway.mcp);
    const call = send(gateway.mcp, { headers, body: rpc('my-id', 'tools/call', { name: 'srv__tool' }) });
    await expect.poll(() => server.received.at(-1)?.method).toBe('tools/call');
    await send(gateway.mcp, {
      headers,
      body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'other' } },
    });
    await send(gateway.mcp, {
      headers,
      body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'my-id', reason: 'enough' } },
    });
    await expect.poll(() => server.received.at(-1)?.method).toBe('notifications/cancelled');
    const upstream = server.received.find(({ method }) => method === 'tools/call')?.id;
    expect(
      server.received
        .filter(({ method }) => method === 'notifications/cancelled')
        .map(({ params }) => params?.requestId),
    ).toEqual([upstream]);
    letGo();
    expect((await call).messages).toEqual([]);
    expect((await send(gateway.mcp, { headers, body: rpc('my-id', 'ping') })).messages).toEqual([
      { jsonrpc: '2.0', id: 'my-id', result: {} },
    ]);
  });
});
