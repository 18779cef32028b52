import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LargeN8n extends AsyncDisposable {
  readonly url: string;
  /** Of a workflow whose version `older` and draft have nothing in common. */
  readonly workflow: string;
}

const NODES = 450;

/** The parts of n8n's API that comparing two versions asks for. Its one workflow has about 200,000 connections. */
export async function startLargeN8n(): Promise<LargeN8n> {
  const workflow = 'large';
  const bodies = new Map<string, string>();
  /** Every node leads to every other one. */
  const content = (word: string) => {
    const names = Array.from({ length: NODES }, (_, at) => `${word} ${at}`);
    const targets = names.map((node) => ({ node, type: 'main', index: 0 }));
    return {
      nodes: names.map((name) => ({ id: name, name, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} })),
      connections: Object.fromEntries(names.map((name) => [name, { main: [targets] }])),
    };
  };
  const head = { id: workflow, name: workflow, active: true, versionId: 'draft', activeVersionId: 'older' };
  bodies.set(`/api/v1/workflows/${workflow}`, JSON.stringify({ ...head, ...content('draft') }));
  bodies.set(
    `/api/v1/workflows/${workflow}/versions/older`,
    JSON.stringify({ versionId: 'older', workflowId: workflow, ...content('older') }),
  );
  bodies.set('/api/v1/workflows', JSON.stringify({ data: [{ ...head, nodes: [], connections: {} }] }));
  const server = createServer((request, response) => {
    const body = bodies.get((request.url ?? '').split('?')[0] ?? '');
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(body ?? '{"message":"not found"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    workflow,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
