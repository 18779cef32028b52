import { expect, it } from 'vitest';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { untilAllLive } from './until-live.ts';

const client = {
  url: 'http://127.0.0.1:9',
  session: { possible: false },
  plain: { send: async () => ({ status: 404, headers: new Headers(), body: undefined }) },
} as unknown as N8nClient;

const workflow = (name: string): Workflow => ({
  id: name,
  name,
  active: true,
  isArchived: false,
  nodes: [{ name: 'Hook', type: 'n8n-nodes-base.webhook', parameters: { path: name } }],
  connections: {},
});

it('does not wait for each of many workflows whose webhooks nobody can see', async () => {
  const published = ['a', 'b', 'c'].map((name) => ({ workflow: workflow(name), wasLive: false }));
  expect(await untilAllLive(client, published, new AbortController().signal, 10)).toEqual([
    'Stopped waiting for 3 workflows to be live. n8n may be busy: check them later.',
  ]);
  expect(await untilAllLive(client, published, AbortSignal.abort())).toEqual([]);
});
