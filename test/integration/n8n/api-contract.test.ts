import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createN8nClient, type N8nClient } from '../../../src/n8n/client/client.ts';
import { scopeOf } from '../../../src/n8n/endpoint-scopes.ts';
import { n8nTools } from '../../../src/n8n/own-source.ts';
import { type N8nContract, n8nContract } from '../../support/n8n-contract.ts';
import { sampleCalls } from './sample-calls.ts';

const contract = await n8nContract();

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Undefined for a form. */
  readonly body: unknown;
}

/** Enough of every answer that the client goes on after its first request. */
const ANSWER = {
  data: [],
  nextCursor: null,
  count: 0,
  id: '1',
  name: 'n',
  nodes: [],
  connections: {},
  status: 'success',
  workflowId: '1',
  versionId: 'v',
};

describe.skipIf(!contract)('the description of the API in the installed n8n', () => {
  const described = contract as N8nContract;
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    void read(request).then((one) => {
      sent.push(one);
      response.end(JSON.stringify(ANSWER));
    });
  });
  let client: N8nClient;

  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = createN8nClient('x', { url, apiKey: 'k', timeoutMs: 5000 });
  });

  afterAll(() => server.close());

  test.each(Object.entries(sampleCalls))('allows what %s sends', async (_, call) => {
    sent.length = 0;
    // The canned answer does not fit every shape. Only the requests matter here.
    await call(client).catch(() => {});
    expect(sent.length).toBeGreaterThan(0);
    for (const { method, path, query, body } of sent) {
      const matched = described.match(method, path.replace(/^\/api\/v1/, ''));
      expect(matched, `${method} ${path} is not described`).toBeDefined();
      if (matched) expect(described.requestProblems(matched, { query, body })).toEqual([]);
    }
  });

  test('is compared with every method of the client', () => {
    const apart = new Set(['session', 'http', 'plain', 'abilities', 'presence', 'turns', 'credentialDatabase']);
    const methods = Object.entries(client).flatMap(([part, inner]) =>
      typeof inner === 'object' && inner !== null && !apart.has(part)
        ? Object.keys(inner).map((method) => `${part}.${method}`)
        : [],
    );
    expect(Object.keys(sampleCalls).toSorted()).toEqual(methods.toSorted());
  });

  test('wants the scopes that errors name', () => {
    const named = described.endpoints.map(({ key, method, template, scope }) => ({
      key,
      scope,
      named: scopeOf(method, `/api/v1${template.replaceAll(/\{[^}]*\}/g, 'x')}`),
    }));
    expect(named.filter((one) => one.named !== undefined && one.named !== one.scope)).toEqual([]);
    // All of them but those that need none, or one of several.
    const unnamed = named.filter((one) => one.named === undefined && one.scope !== undefined);
    expect(unnamed.filter(({ scope }) => scope?.includes(',') !== true)).toEqual([]);
  });

  test('has the endpoints in docs/n8n-api.md, where each tool exists', async () => {
    const text = await readFile(new URL('../../../docs/n8n-api.md', import.meta.url), 'utf8');
    const rows = [...text.matchAll(/^\| `([A-Z]+ \/\S+)` \| (.+) \|$/gm)].map(([, key, how]) => ({ key, how }));
    expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(described.endpoints.map(({ key }) => key)));
    expect(rows).toHaveLength(described.endpoints.length);
    const known = new Set(n8nTools.map(({ name }) => name));
    const named = rows.flatMap(({ how = '' }) => [...how.matchAll(/`(n8n_\w+)`/g)].map(([, tool]) => tool as string));
    expect(named.filter((tool) => !known.has(tool))).toEqual([]);
  });
});

async function read(request: IncomingMessage): Promise<Sent> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
  const isJson = request.headers['content-type']?.includes('json') === true;
  const body: unknown = isJson ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
  return { method: request.method ?? '', path: pathname, query: searchParams, body };
}
