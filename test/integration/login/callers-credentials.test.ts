import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { streamableHttp, httpWithSse } from '../../fixtures/reference/http.ts';
import { createWorld } from '../../fixtures/reference/world.ts';
import { callTool, connectV1, connectV2, modern, send, startGateway, textOf, type TransportName } from '../harness.ts';

const CANARY = 'canary-7d1f';

/** A backend that records every byte it receives. */
async function startKeeper(transport: 'http' | 'sse') {
  const world = createWorld();
  const seen: string[] = [];
  const inner = transport === 'sse' ? httpWithSse(world) : streamableHttp(world, 'both');
  const server = createServer((request: IncomingMessage, response) => {
    seen.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`);
    const emit = request.emit.bind(request);
    request.emit = ((event: string, ...args: unknown[]) => {
      if (event === 'data') seen.push(String(args[0]));
      return emit(event as 'data', ...(args as [Buffer]));
    }) as typeof request.emit;
    inner(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${transport === 'sse' ? 'sse' : 'mcp'}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const reference = fileURLToPath(new URL('../../fixtures/reference-server.ts', import.meta.url));

describe("a client's credentials never reach a backend", () => {
  it.each(['shared', 'session', 'principal'] as const)(
    'under isolation: %s, over every transport',
    async (isolation) => {
      await using http = await startKeeper('http');
      await using sse = await startKeeper('sse');
      const args = [reference, '--transport', 'stdio'];
      await using gateway = await startGateway({
        auth: { mode: 'keys' },
        mcpServers: {
          http: { url: http.url, isolation },
          sse: { url: sse.url, isolation },
          stdio: { command: process.execPath, args, isolation },
        },
      });
      const grant = { name: 'k', scopes: ['admin'], createdAt: new Date().toISOString(), createdBy: 'test' };
      const { key } = await createKey(gateway.runtime.store.keys, grant);
      const secrets = {
        authorization: `Bearer ${key}`,
        'x-api-key': key,
        cookie: `session=${CANARY}`,
        'x-token': CANARY,
      };
      for (const transport of ['http', 'sse'] satisfies TransportName[]) {
        await using client = await connectV1(gateway, { transport, headers: secrets });
        for (const server of ['http', 'sse', 'stdio']) {
          expect(textOf(await callTool(client, `${server}__echo`, { text: 'arrives' }))).toContain('arrives');
          const { content } = await callTool(client, `${server}__whoami`);
          expect(JSON.stringify(content)).not.toContain(key);
          expect(JSON.stringify(content)).not.toContain(CANARY);
        }
      }
      await using latest = await connectV2(gateway, { era: 'modern', headers: secrets });
      for (const server of ['http', 'sse', 'stdio'])
        expect(JSON.stringify(await callTool(latest, `${server}__whoami`))).not.toContain(CANARY);
      const { headers, body } = modern('tools/call', { name: 'http__echo', arguments: { text: 'arrives' } });
      const raw = await send(gateway.mcp, {
        headers: { ...secrets, ...headers, 'proxy-authorization': CANARY },
        body,
      });
      expect(raw.status).toBe(200);
      // Make sure that the recording works.
      expect(http.seen.join('\n')).toContain('arrives');
      for (const { seen } of [http, sse]) {
        expect(seen.length).toBeGreaterThan(0);
        expect(seen.join('\n')).not.toContain(CANARY);
        expect(seen.join('\n')).not.toContain(key);
      }
    },
    20_000,
  );
});
