import { Client as V2Client } from '@modelcontextprotocol/client';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { connect, eras } from '../../support/eras.ts';
import { listen } from '../../support/listening.ts';
import { confirmed, done, keyOf, listed, recalled, remember } from '../../support/memory-calls.ts';
import { call, statusOf, toolNames } from '../../support/plain-calls.ts';
import { type AnyClient, connectV1, connectV2, type Json, startGateway, startReference, textOf } from '../harness.ts';

const uriOf = (namespace: string) => `memory://namespaces/${encodeURIComponent(namespace)}`;

async function watched(client: AnyClient, uri: string): Promise<string[]> {
  const heard: string[] = [];
  if (client instanceof V2Client) {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
    await client.listen({ resourceSubscriptions: [uri] });
  } else {
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
    await client.subscribeResource({ uri });
  }
  return heard;
}

describe.each(eras)('for a %s client', (era) => {
  test('a namespace is a resource: listed, read, and watched through every kind of change', async () => {
    await using gateway = await startGateway({});
    await using client = await connect(gateway, era);
    const name = 'notes/größe @home';
    const plain = name.replace(' ', '');
    const { id } = await remember(client, 'The shelf is 80 cm wide.', { namespace: plain, tags: ['flat'] });
    const uri = uriOf(plain);
    const { resources } = await client.listResources();
    expect(resources).toContainEqual(expect.objectContaining({ uri, mimeType: 'application/json' }));
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('memory://namespaces/{namespace}');
    const { contents } = await client.readResource({ uri });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({
      namespace: plain,
      memories: 1,
      newest: [{ id, text: 'The shelf is 80 cm wide.', tags: ['flat'] }],
    });
    for (const missing of ['memory://namespaces/none', 'memory://namespaces/', 'memory://namespaces/%E0%A4%A'])
      await expect(client.readResource({ uri: missing })).rejects.toThrow(/resource/i);

    const heard = await watched(client, uri);
    const changes: (() => Promise<unknown>)[] = [
      () => remember(client, 'The shelf is made of oak.', { namespace: plain }),
      () => done(client, 'pin', { id }),
      () => done(client, 'update', { id, text: 'The shelf is 90 cm wide.' }),
      () => confirmed(client, 'forget', { namespace: plain, tags: ['flat'] }),
    ];
    for (const change of changes) {
      heard.length = 0;
      await change();
      await expect.poll(() => heard).toContain(uri);
    }
    heard.length = 0;
    await remember(client, 'Elsewhere.', { namespace: 'elsewhere' });
    await remember(client, 'Here again.', { namespace: plain });
    await expect.poll(() => heard).toContain(uri);
    expect(new Set(heard)).toEqual(new Set([uri]));
  });

  test('the list changes when a namespace comes or goes', async () => {
    await using gateway = await startGateway({});
    await using client = await connect(gateway, era);
    await remember(client, 'First.');
    using listener = await listen(gateway.mcp, era);
    await remember(client, 'New.', { namespace: 'new' });
    await expect.poll(() => listener.listChanges('resources')).toBeGreaterThan(0);
    listener.forget();
    await confirmed(client, 'drop_namespace', { name: 'new' });
    await expect.poll(() => listener.listChanges('resources')).toBeGreaterThan(0);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).not.toContain(uriOf('new'));
  });
});

test('nobody is told of changes in a namespace of somebody else', async () => {
  await using gateway = await startGateway({ auth: { mode: 'keys' } });
  await using ana = await connectV2(gateway, { headers: (await keyOf(gateway, 'ana')).headers });
  await using ben = await connectV1(gateway, { headers: (await keyOf(gateway, 'ben')).headers });
  await remember(ana, 'Private.', { namespace: 'anas' });
  await expect(ben.subscribeResource({ uri: uriOf('anas') })).rejects.toThrow(/not found/);
  // Once shared, it may be watched; taken back, not any more.
  await done(ana, 'set_namespace', { name: 'anas', belongs_to: 'everybody' });
  const heard = await watched(ben, uriOf('anas'));
  await remember(ana, 'Shared.', { namespace: 'anas' });
  await expect.poll(() => heard).toContain(uriOf('anas'));
});

describe('switched off and on', () => {
  const nothing = async (url: string) => (await toolNames(url)).filter((name) => name.startsWith('memory'));

  test('memory: false hides it; a reload brings it back with what it knew', async () => {
    await using gateway = await startGateway({});
    await using client = await connectV1(gateway);
    await remember(client, 'The bell is broken.');
    await gateway.reload({ memory: false });
    expect(await nothing(gateway.url)).toEqual([]);
    await expect(call(gateway.url, 'memory_store', { text: 'x' })).rejects.toThrow('Unknown tool');
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).not.toContain('memory_recall');
    expect((await client.listResources()).resources.map(({ uri }) => uri)).not.toContain(uriOf('default'));
    await gateway.reload({ memory: { halfLife: 7 } });
    expect(await recalled(client, 'is the bell broken')).toEqual(['The bell is broken.']);
    await gateway.reload({});
    expect(await listed(client)).toEqual(['The bell is broken.']);
  });

  test('a server of the file that is called memory takes the name', async () => {
    await using server = await startReference('http', 'both');
    await using gateway = await startGateway({ mcpServers: { memory: server.entry } });
    expect(textOf(await call(gateway.url, 'memory__echo', { text: 'hi' }))).toBe('hi');
    expect(await nothing(gateway.url)).not.toContain('memory_call');
    expect((await statusOf(gateway.url)).notConfigured).toContainEqual(
      expect.objectContaining({ name: 'memory', reason: expect.stringContaining('has this name') as string }),
    );
    await gateway.reload({});
    await using client = await connectV1(gateway);
    await remember(client, 'Ours again.');
    expect(await listed(client)).toEqual(['Ours again.']);
  });

  test.each<[string, Json]>([
    ['true', { memory: true }],
    ['an unknown key', { memory: { quadrant: {} } }],
    ['a half-life that is none', { memory: { halfLife: -1 } }],
    ['a project without members', { memory: { projects: { atlas: [] } } }],
  ])('refuses %s in the file', async (_, config) => {
    await expect(startGateway(config)).rejects.toThrow('memory');
  });
});

test('what was stored is there after a restart', async () => {
  await using first = await startGateway({});
  const { home } = first;
  {
    await using client = await connectV1(first);
    await remember(client, 'Restarts are survived.', { pin: true });
  }
  await first.runtime[Symbol.asyncDispose]();
  await using second = await startGateway({}, { home });
  await using client = await connectV1(second);
  expect(await recalled(client, 'what survives a restart')).toEqual(['Restarts are survived.']);
});
