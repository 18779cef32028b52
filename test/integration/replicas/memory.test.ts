import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresIsMissing } from '../../support/postgres.ts';
import { startReplicas, type TwoReplicas } from '../../support/two-replicas.ts';
import { callTool, connectV1, type Json } from '../harness.ts';

describe.skipIf(postgresIsMissing)('memory on two replicas', () => {
  let replicas: TwoReplicas;
  beforeAll(async () => {
    replicas = await startReplicas({});
  });
  afterAll(() => replicas?.[Symbol.asyncDispose]());

  const data = async (client: Parameters<typeof callTool>[0], tool: string, params: Json) =>
    (await callTool(client, 'memory_call', { tool, params })).structuredContent as Json;

  test('what one stores, the other finds, updates and tells its subscribers', async () => {
    await using a = await connectV1(replicas.a);
    await using b = await connectV1(replicas.b);
    const { id } = await data(a, 'store', { text: 'The harbour opens at six.', namespace: 'harbour' });
    const heard: string[] = [];
    b.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
    await b.subscribeResource({ uri: 'memory://namespaces/harbour' });
    expect(await data(b, 'search', { query: 'when does the harbour open' })).toMatchObject({ results: [{ id }] });
    await data(a, 'store', { text: 'The harbour master is Ola.', namespace: 'harbour' });
    await expect.poll(() => heard, { timeout: 10_000 }).toContain('memory://namespaces/harbour');
    const { id: next } = await data(b, 'update', { id, text: 'The harbour opens at seven.' });
    expect(await data(a, 'get', { id })).toMatchObject({ superseded_by: next, text: 'The harbour opens at six.' });
  });
});
