import { Client as V2Client } from '@modelcontextprotocol/client';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import type { KeyGrant } from '../../../src/store/store.ts';
import { createDiary } from '../../fixtures/diary-part.ts';
import { startScripted } from '../../fixtures/scripted-server.ts';
import { connect, eras, type Era } from '../../support/eras.ts';
import { ask, askIn, sessionOf } from '../../support/exchange.ts';
import { listen } from '../../support/listening.ts';
import {
  type AnyClient,
  type ClientOptions,
  connectV1,
  type Json,
  startGateway,
  type TestGateway,
} from '../harness.ts';

const { diary, parts } = createDiary();
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ memory: false }, { parts });
});
afterAll(() => gateway[Symbol.asyncDispose]());

const ways: [Era, NonNullable<ClientOptions['transport']>][] = [
  ['legacy', 'http'],
  ['modern', 'http'],
  ['legacy', 'stdio'],
  ['modern', 'stdio'],
  ['legacy', 'sse'],
];

describe.each(ways)('a %s client over %s', (era, transport) => {
  let client: AnyClient & AsyncDisposable;
  beforeAll(async () => {
    client = await connect(gateway, era, { transport });
  });
  afterAll(() => client[Symbol.asyncDispose]());

  test('is told of prompts, resources and completions', () => {
    expect(client.getServerCapabilities()).toMatchObject({
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
    });
  });

  test('lists a prompt as it is, gets it, and completes its argument', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts).toContainEqual({
      name: 'diary_about',
      title: 'About something',
      description: 'What the diary says about something.',
      arguments: [
        { name: 'topic', description: 'A word to look for', required: true },
        { name: 'mood', description: 'How to say it' },
      ],
    });
    const got = await client.getPrompt({ name: 'diary_about', arguments: { topic: 'rained', mood: '' } });
    expect(got).toMatchObject({
      description: 'Found',
      messages: [{ role: 'user', content: { type: 'text', text: 'monday (topic)' } }],
    });
    const ref = { type: 'ref/prompt', name: 'diary_about' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'topic', value: 'rain' } });
    expect(completion).toEqual({ values: ['rain', 'rainbow'], total: 2, hasMore: false });
  });

  test('lists, reads and completes resources', async () => {
    const { resources } = await client.listResources();
    expect(resources).toContainEqual({ uri: 'diary://monday', name: 'monday', mimeType: 'text/plain' });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'diary://{page}' }]);
    const { contents } = await client.readResource({ uri: 'diary://monday' });
    expect(contents).toEqual([{ uri: 'diary://monday', mimeType: 'text/plain', text: 'It rained.' }]);
    const ref = { type: 'ref/resource', uri: 'diary://{page}' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'page', value: 'm' } });
    expect(completion).toMatchObject({ total: 150, hasMore: true });
    expect(completion.values).toHaveLength(100);
  });

  test('is told of a change of what it watches, until it stops', async () => {
    const heard: string[] = [];
    const stop = await watch(client, era, ['diary://monday', 'diary://no-such-page'], heard);
    diary.write('monday', 'It rained.');
    await expect.poll(() => heard).toEqual(['diary://monday']);
    diary.write('tuesday', 'It snowed.');
    await stop();
    await using other = await connect(gateway, era, { transport });
    const others: string[] = [];
    await watch(other, era, ['diary://monday'], others);
    // 2026 clients do not wait for the end of a subscription. When the other one hears of a change, this one would have, too.
    await expect
      .poll(async () => {
        heard.length = others.length = 0;
        diary.write('monday', 'It rained.');
        await expect.poll(() => others).toEqual(['diary://monday']);
        await client.listPrompts();
        return heard;
      })
      .toEqual([]);
  });
});

/** Watches resources as the SDKs do; the returned function ends it. */
async function watch(client: AnyClient, era: Era, uris: string[], heard: string[]): Promise<() => Promise<unknown>> {
  if (client instanceof V2Client) {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
    if (era === 'modern') {
      const subscription = await client.listen({ resourceSubscriptions: uris });
      return () => subscription.close();
    }
  } else {
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
  }
  const known = uris.filter((uri) => !uri.includes('no-such'));
  for (const uri of uris) {
    const asked = client.subscribeResource({ uri });
    if (known.includes(uri)) await asked;
    else await expect(asked).rejects.toThrow(`Resource not found: ${uri}`);
  }
  return () => Promise.all(known.map((uri) => client.unsubscribeResource({ uri })));
}

test.each(eras)('a new page is announced to a %s client', async (era) => {
  using listener = await listen(gateway.mcp, era);
  diary.write(`new-for-${era}`, '');
  await expect.poll(() => listener.listChanges('resources')).toBe(1);
  expect([listener.listChanges('tools'), listener.listChanges('prompts')]).toEqual([0, 0]);
});

test('a 2026 subscription is acknowledged without what the client may not watch', async () => {
  diary.write('of-somebody', 'private');
  const resourceSubscriptions = ['diary://monday', 'diary://of-somebody', 'diary://none', 'x://y', 7];
  using listener = await listen(gateway.mcp, 'modern', { filter: { resourceSubscriptions } });
  await expect
    .poll(() => listener.stream.messages()[0])
    .toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { resourceSubscriptions: ['diary://monday'] } },
    });
  const { result } = await ask(gateway.mcp, 'resources/list');
  expect((result.resources as Json[]).map(({ uri }) => uri)).not.toContain('diary://of-somebody');
});

test('a client that leaves while its subscription is looked up is not kept', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  diary.gate = promise;
  const before = diary.watched.length;
  const listener = await listen(gateway.mcp, 'modern', { filter: { resourceSubscriptions: ['diary://monday'] } });
  const session = await sessionOf(gateway.mcp, {});
  const subscribing = askIn(gateway.mcp, session, 'resources/subscribe', { uri: 'diary://monday' });
  await expect.poll(() => diary.watched.length).toBe(before + 2);
  listener.stream.close();
  await listener.stream.ended;
  await fetch(gateway.mcp, { method: 'DELETE', headers: session });
  resolve();
  await subscribing.catch(() => {});
  diary.gate = Promise.resolve();
  // The next one is served, and nobody else is told.
  using next = await listen(gateway.mcp, 'modern', { filter: { resourceSubscriptions: ['diary://monday'] } });
  await expect.poll(() => next.stream.messages()).toHaveLength(1);
  diary.write('monday', 'It rained.');
  await expect.poll(() => next.updates()).toEqual(['diary://monday']);
  expect(listener.updates()).toEqual([]);
});

describe('errors', () => {
  const get = (args: Json, name = 'diary_about') => ask(gateway.mcp, 'prompts/get', { name, arguments: args });

  test.each<[string, Json, number, string]>([
    ['a missing argument', {}, -32602, 'diary_about needs the argument topic (A word to look for).'],
    ['an empty argument', { topic: '' }, -32602, 'diary_about needs the argument topic'],
    ['an unknown argument', { topic: 'x', tone: 'y' }, -32602, 'has no argument tone. It takes topic, mood.'],
    ['an argument with a telling name', { topic: 'x', ['__proto__x']: 'y' }, -32602, 'has no argument __proto__x.'],
    ['a number', { topic: 7 }, -32602, 'the argument topic must be a string.'],
    ['an AppError', { topic: 'secrets' }, -32600, 'The diary does not tell its secrets.'],
    ['a bug', { topic: 'bug' }, -32603, 'Sluice failed unexpectedly.'],
  ])('%s', async (_, args, code, message) => {
    const { error } = await get(args);
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(message);
  });

  test('an unknown prompt, with the nearest name', async () => {
    expect((await get({}, 'diary_abuot')).error?.message).toBe(
      'Unknown prompt: diary_abuot. Did you mean diary_about?',
    );
  });

  test('an unknown argument, and an incomplete request, to complete', async () => {
    const ref = { type: 'ref/prompt', name: 'diary_about' };
    const complete = async (argument: unknown) =>
      (await ask(gateway.mcp, 'completion/complete', { ref, argument })).error?.message;
    expect(await complete({ name: 'tone', value: '' })).toBe('Invalid params: there is no argument tone.');
    expect(await complete({ name: 'topic' })).toContain('argument needs a name and a value');
    expect(await complete(undefined)).toContain('argument needs a name and a value');
  });

  test.each<[Era, number]>([
    ['legacy', -32002],
    ['modern', -32602],
  ])('an unknown page, to a %s client', async (era, code) => {
    await using client = await connect(gateway, era);
    await expect(client.readResource({ uri: 'diary://nowhere' })).rejects.toMatchObject({
      code,
      message: expect.stringContaining('The diary has no page nowhere. diary_list_pages shows them.') as string,
      data: { uri: 'diary://nowhere' },
    });
  });

  test('a list that fails is an error only if there is nothing else to list', async () => {
    await using server = await startScripted(
      'modern',
      {
        'resources/list': () => ({ resources: [{ uri: 'x://y', name: 'y' }], ttlMs: 0, cacheScope: 'private' }),
      },
      { tools: {}, resources: {} },
    );
    const other = createDiary();
    await using alone = await startGateway({ memory: false }, { parts: other.parts });
    other.diary.trouble = new Error('The pages are stuck together.');
    expect((await ask(alone.mcp, 'resources/list')).error?.message).toContain('failed unexpectedly');
    await alone.reload({ memory: false, mcpServers: { server: server.entry } });
    const uris = async () =>
      ((await ask(alone.mcp, 'resources/list')).result.resources as Json[])?.map(({ uri }) => uri);
    await expect.poll(uris).toEqual(['x://y']);
    other.diary.trouble = undefined;
    expect(await uris()).toEqual(['diary://monday', 'diary://tuesday', 'x://y']);
  });
});

test('a server that claims our names and URIs gets others, and hears of no request to ours', async () => {
  const asked: string[] = [];
  await using server = await startScripted(
    'legacy',
    {
      'prompts/list': () => ({ prompts: [{ name: 'diary_about' }] }),
      'resources/list': () => ({ resources: [{ uri: 'diary://monday', name: 'mine' }] }),
      'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'diary://{any}', name: 'mine' }] }),
      'resources/read': ({ uri }) => {
        asked.push(String(uri));
        return { contents: [{ uri, text: 'of the server' }] };
      },
      'resources/subscribe': () => ({}),
    },
    { tools: {}, prompts: {}, resources: { subscribe: true } },
  );
  const other = createDiary();
  const mcpServers = { clear: { ...server.entry, prefix: '' } };
  await using crowded = await startGateway({ memory: false, mcpServers }, { parts: other.parts });
  await using client = await connectV1(crowded);

  const prompts = (await client.listPrompts()).prompts.map(({ name }) => name);
  expect(prompts.slice(0, 2)).toEqual(['diary_about', 'diary_chore']);
  expect(prompts[2]).toMatch(/^clear__diary_about-[0-9a-f]{6}$/);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(['diary://monday', 'diary://tuesday', 'clear+diary://monday']);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['diary://{page}', 'clear+diary://{any}']);

  expect((await client.readResource({ uri: 'diary://monday' })).contents).toMatchObject([{ text: 'It rained.' }]);
  await expect(client.readResource({ uri: 'diary://nowhere' })).rejects.toThrow('The diary has no page nowhere.');
  expect(asked).toEqual([]);
  expect((await client.readResource({ uri: 'clear+diary://monday' })).contents).toMatchObject([
    { text: 'of the server' },
  ]);
  expect(asked).toEqual(['diary://monday']);

  const heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
  await client.subscribeResource({ uri: 'diary://monday' });
  await client.subscribeResource({ uri: 'clear+diary://monday' });
  server.notify('notifications/resources/updated', { uri: 'diary://monday' });
  await expect.poll(() => heard).toEqual(['clear+diary://monday']);
  other.diary.write('monday', '');
  await expect.poll(() => heard).toEqual(['clear+diary://monday', 'diary://monday']);
});

describe('a key', () => {
  let locked: TestGateway;
  let made = 0;
  beforeAll(async () => {
    const toolsets = { diary: { include: ['diary_*'] }, other: { include: ['gateway_*'] } };
    locked = await startGateway({ memory: false, auth: { mode: 'keys' }, toolsets }, { parts: createDiary().parts });
  });
  afterAll(() => locked[Symbol.asyncDispose]());

  async function headersOf(grant: Partial<KeyGrant>): Promise<Record<string, string>> {
    const name = `k${made++}`;
    const whole = { name, scopes: [], createdAt: new Date().toISOString(), createdBy: 'test', ...grant };
    return { authorization: `Bearer ${(await createKey(locked.runtime.store.keys, whole)).key}` };
  }

  /** What a key sees and may do, in one look. */
  async function seen(grant: Partial<KeyGrant>, path = '') {
    const headers = await headersOf(grant);
    const url = locked.mcp + path;
    const { result } = await ask(url, 'server/discover', {}, { headers });
    const capabilities = Object.keys(result.capabilities as Json);
    const prompts = ((await ask(url, 'prompts/list', {}, { headers })).result.prompts ?? []) as Json[];
    const read = await ask(url, 'resources/read', { uri: 'diary://monday' }, { headers });
    const session = await sessionOf(url, headers);
    const watched = await askIn(url, session, 'resources/subscribe', { uri: 'diary://monday' });
    using listener = await listen(url, 'modern', {
      headers,
      filter: { toolsListChanged: true, resourceSubscriptions: ['diary://monday'] },
    });
    await expect.poll(() => listener.stream.messages()).not.toEqual([]);
    const acknowledged = (listener.stream.messages()[0] as { params: { notifications: Json } }).params.notifications;
    return {
      capabilities: capabilities.filter((name) => name !== 'tools'),
      prompts: prompts.map(({ name }) => name),
      reads: read.error === undefined,
      watches: watched.error === undefined,
      hears: ((acknowledged.resourceSubscriptions ?? []) as string[]).length > 0,
    };
  }

  const everything = {
    capabilities: ['resources', 'prompts', 'completions'],
    prompts: ['diary_about', 'diary_chore'],
    reads: true,
    watches: true,
    hears: true,
  };
  const nothing = { capabilities: [], prompts: [], reads: false, watches: false, hears: false };

  test.each<[string, Partial<KeyGrant>, string, object]>([
    ['for every tool sees all', { scopes: ['tools:execute'] }, '', everything],
    ['with both scopes sees all', { scopes: ['diary:read', 'diary:write'] }, '', everything],
    ['that reads misses the other prompt', { scopes: ['diary:read'] }, '', { ...everything, prompts: ['diary_about'] }],
    [
      'that writes has one prompt',
      { scopes: ['diary:write'] },
      '',
      { ...nothing, capabilities: ['prompts'], prompts: ['diary_chore'] },
    ],
    ['that only lists tools sees nothing', { scopes: ['tools:read'] }, '', nothing],
    ['of another source sees nothing', { scopes: ['n8n:read'] }, '', nothing],
    ['with all of its tools sees all', { scopes: ['tools:execute'], tools: ['diary_*'] }, '', everything],
    ['with some of its tools sees nothing', { scopes: ['tools:execute'], tools: ['diary_write'] }, '', nothing],
    ['sees all in a toolset with its tools', { scopes: ['tools:execute'] }, '/diary', everything],
    ['sees nothing in a toolset without them', { scopes: ['tools:execute'] }, '/other', nothing],
  ])('%s', async (_, grant, path, expected) => {
    expect(await seen(grant, path)).toEqual(expected);
  });

  test('without the scope gets the answer for a prompt that does not exist', async () => {
    const headers = await headersOf({ scopes: ['diary:read'] });
    const { error } = await ask(locked.mcp, 'prompts/get', { name: 'diary_chore' }, { headers });
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^Unknown prompt: diary_chore\./) as string,
    });
  });
});

test('without prompts and resources of ours or of a server, capabilities are only tools', async () => {
  await using plain = await startGateway({ memory: false });
  await using client = await connectV1(plain);
  expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
  expect((await ask(plain.mcp, 'prompts/list')).error?.code).toBe(-32601);
});
