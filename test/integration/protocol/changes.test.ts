import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import type { World } from '../../fixtures/reference/world.ts';
import { connectV1, type Json, send, startGateway, startReference, type TestGateway } from '../harness.ts';
import { ask, askIn, call, said, sessionOf } from '../../support/exchange.ts';
import { listen, type Listening, warm } from '../../support/listening.ts';
import { Refusal, type ScriptedServer, startScripted } from '../../fixtures/scripted-server.ts';
import { as, serve } from '../../support/served-wire.ts';

const eras = ['legacy', 'modern'] as const;
const pairs = eras.flatMap((client) => eras.map((backend) => ({ client, backend })));

/** Waits for a later notice of another kind. Once it is here, no second notice of the first kind can follow. */
async function onlyOne(listener: Listening, sentinel: () => Promise<unknown>): Promise<void> {
  await expect.poll(() => listener.listChanges('tools')).toBe(1);
  await sentinel();
  await expect.poll(() => listener.listChanges('prompts')).toBe(1);
  expect(listener.listChanges('tools')).toBe(1);
}

const names = async (gateway: TestGateway, method = 'tools/list', field = 'tools') =>
  ((await ask(gateway.mcp, method)).result[field] as { name: string }[]).map(({ name }) => name);

test.each(pairs)('list_changed of a $backend backend reaches a $client client once', async ({ client, backend }) => {
  await using reference = await startReference('http', backend);
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: reference.entry } });
  using listener = await listen(gateway.mcp, client);
  const { world } = reference;
  await warm(listener, () => world.toggle('resources'));
  expect(await names(gateway)).not.toContain('ref__test_dynamic_tool');
  await world.toggle('tools');
  await onlyOne(listener, () => world.toggle('prompts'));
  expect(await names(gateway)).toContain('ref__test_dynamic_tool');
  expect(await names(gateway, 'prompts/list', 'prompts')).toContain('ref__test_dynamic_prompt');
});

test.each(pairs)(
  'list_changed of a $backend backend over stdio reaches a $client client once',
  async ({ client, backend }) => {
    await using reference = await startReference('stdio', backend);
    await using gateway = await startGateway({ memory: false, mcpServers: { ref: reference.entry } });
    using listener = await listen(gateway.mcp, client);
    await warm(listener, () => call(gateway.mcp, 'ref__test_trigger_resource_change'));
    await call(gateway.mcp, 'ref__test_trigger_tool_change');
    await onlyOne(listener, () => call(gateway.mcp, 'ref__test_trigger_prompt_change'));
    expect(await names(gateway)).toContain('ref__test_dynamic_tool');
  },
);

test('an SDK client is notified of a new tool and finds it', async () => {
  await using reference = await startReference('http', 'modern');
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: reference.entry } });
  await using client = await connectV1(gateway);
  let heard = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard++);
  await expect
    .poll(async () => {
      if (heard === 0) await reference.world.toggle('tools');
      return heard;
    })
    .toBeGreaterThan(0);
  const { tools } = await client.listTools();
  expect(tools.some(({ name }) => name === 'ref__test_dynamic_tool')).toBe(reference.world.grown.has('tools'));
});

test.each(eras)('a burst of list_changed of a %s backend is one notice', async (era) => {
  let version = 0;
  await using backend = await startScripted(
    era,
    {
      'tools/list': () => ({ tools: [tool(`v${version}`)], ...fresh }),
      'prompts/list': () => ({ prompts: [], ...fresh }),
      'resources/list': () => ({ resources: [], ...fresh }),
    },
    { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { listChanged: true } },
  );
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: backend.entry } });
  using modern = await listen(gateway.mcp, 'modern');
  using legacy = await listen(gateway.mcp, 'legacy');
  for (const listener of [modern, legacy]) {
    await warm(listener, async () => backend.notify('notifications/resources/list_changed'));
  }
  modern.forget();
  version = 1;
  for (let sent = 0; sent < 20; sent++) backend.notify('notifications/tools/list_changed');
  await expect.poll(() => modern.listChanges('tools')).toBe(1);
  await onlyOne(legacy, async () => backend.notify('notifications/prompts/list_changed'));
  expect(modern.listChanges('tools')).toBe(1);
  expect(await names(gateway)).toContain('ref__v1');
});

test.each(eras)('a crash keeps the tools listed; a change after it is one notice to a %s client', async (era) => {
  await using reference = await startReference('stdio', 'legacy');
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: reference.entry } });
  using listener = await listen(gateway.mcp, era);
  await warm(listener, () => call(gateway.mcp, 'ref__test_trigger_resource_change'));
  await call(gateway.mcp, 'ref__test_trigger_tool_change');
  await expect.poll(() => listener.listChanges('tools')).toBe(1);
  await call(gateway.mcp, 'ref__crash');
  // The old list stays until the new process has listed its tools.
  expect(await names(gateway)).toContain('ref__echo');
  await expect.poll(() => listener.listChanges('tools'), { timeout: 10_000 }).toBe(2);
  expect(await names(gateway)).not.toContain('ref__test_dynamic_tool');
  await call(gateway.mcp, 'ref__test_trigger_prompt_change');
  await expect.poll(() => listener.listChanges('prompts')).toBe(1);
  expect(listener.listChanges('tools')).toBe(2);
});

test.each(eras)('a change of the configuration is one notice to a %s client', async (era) => {
  await using first = await startReference('http', 'modern');
  await using second = await startReference('http', 'legacy');
  await using gateway = await startGateway({ memory: false, mcpServers: { first: first.entry } });
  using listener = await listen(gateway.mcp, era);
  await warm(listener, () => first.world.toggle('resources'));
  await gateway.reload({ memory: false, mcpServers: { first: first.entry, second: second.entry } });
  await expect.poll(() => names(gateway)).toContain('second__echo');
  await onlyOne(listener, async () => {});
  listener.forget();
  await gateway.reload({ memory: false, mcpServers: { first: first.entry } });
  await onlyOne(listener, async () => {});
  expect(await names(gateway)).not.toContain('second__echo');
  listener.forget();
  await first.world.toggle('prompts');
  await expect.poll(() => listener.listChanges('prompts')).toBe(1);
  expect(listener.listChanges('tools')).toBe(0);
});

test.each(eras)('a change of a %s backend while its lists are being read is not missed', async (era) => {
  let version = 0;
  const backend: ScriptedServer = await startScripted(
    era,
    {
      'tools/list': () => ({ tools: [tool(`v${version}`)], ...fresh }),
      'prompts/list': async () => {
        // By now the tools have been read and the gateway listens for changes.
        await expect.poll(() => backend.streams()).toBe(1);
        await expect.poll(() => backend.received.some(({ method }) => method === 'tools/list')).toBe(true);
        if (version++ === 0) backend.notify('notifications/tools/list_changed');
        if (era === 'legacy') await backend.ping();
        return { prompts: [], ...fresh };
      },
    },
    { tools: { listChanged: true }, prompts: {} },
  );
  await using _ = backend;
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: backend.entry } });
  await expect.poll(() => names(gateway)).toContain('ref__v1');
});

test('a 2025 client gets no notice for lists that were not announced to it', async () => {
  let version = 0;
  await using small = await startScripted('legacy', { 'tools/list': () => ({ tools: [tool(`v${version}`)] }) });
  await using full = await startReference('http', 'legacy');
  await using gateway = await startGateway({ memory: false, mcpServers: { small: small.entry } });
  using early = await listen(gateway.mcp, 'legacy');
  await gateway.reload({ memory: false, mcpServers: { small: small.entry, full: full.entry } });
  await expect.poll(() => early.listChanges('tools')).toBeGreaterThan(0);
  await expect.poll(() => names(gateway)).toContain('full__echo');
  using late = await listen(gateway.mcp, 'legacy');
  await warm(late, () => full.world.toggle('resources'));
  await full.world.toggle('prompts');
  await expect.poll(() => late.listChanges('prompts')).toBeGreaterThan(0);
  const before = early.listChanges('tools');
  version = 1;
  small.notify('notifications/tools/list_changed');
  await expect.poll(() => early.listChanges('tools')).toBeGreaterThan(before);
  expect([early.listChanges('prompts'), early.listChanges('resources')]).toEqual([0, 0]);
});

test('a 2026 client gets the notices it asked for, and a confirmation of which', async () => {
  await using reference = await startReference('http', 'modern');
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: reference.entry } });
  using tools = await listen(gateway.mcp, 'modern', { filter: { toolsListChanged: true } });
  using all = await listen(gateway.mcp, 'modern');
  expect(tools.stream.messages()[0]).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { toolsListChanged: true } },
  });
  await warm(all, () => reference.world.toggle('resources'));
  tools.forget();
  await reference.world.toggle('prompts');
  await expect.poll(() => all.listChanges('prompts')).toBe(1);
  await reference.world.toggle('tools');
  await expect.poll(() => tools.listChanges('tools')).toBe(1);
  expect([tools.listChanges('prompts'), tools.listChanges('resources')]).toEqual([0, 0]);
});

const WATCHED = 'test://watched-resource';
const subscriptions = ({ journal }: World) => journal.filter((line) => line.endsWith(WATCHED));

async function subscribe(url: string, { session }: Listening, uri = WATCHED, method = 'resources/subscribe') {
  const { error } = await askIn(url, session, method, { uri });
  expect(error).toBeUndefined();
}

test('a resource is subscribed at the backend once for all clients, until the last one leaves', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: reference.entry } });
  const { world } = reference;
  using one = await listen(gateway.mcp, 'legacy');
  using two = await listen(gateway.mcp, 'legacy');
  using other = await listen(gateway.mcp, 'legacy');
  const filter = { resourceSubscriptions: [WATCHED] };
  using modern = await listen(gateway.mcp, 'modern', { filter });
  await subscribe(gateway.mcp, one);
  await subscribe(gateway.mcp, one);
  await subscribe(gateway.mcp, two);
  await expect.poll(() => subscriptions(world)).toEqual([`subscribed ${WATCHED}`]);
  await world.touch(WATCHED);
  for (const listener of [one, two, modern]) await expect.poll(() => listener.updates()).toEqual([WATCHED]);
  expect(other.updates()).toEqual([]);

  await subscribe(gateway.mcp, one, WATCHED, 'resources/unsubscribe');
  await send(gateway.mcp, { method: 'DELETE', headers: two.session });
  await world.touch(WATCHED);
  await expect.poll(() => modern.updates()).toEqual([WATCHED, WATCHED]);
  expect(one.updates()).toEqual([WATCHED]);
  expect(subscriptions(world)).toEqual([`subscribed ${WATCHED}`]);

  modern.stream.close();
  await expect.poll(() => subscriptions(world)).toEqual([`subscribed ${WATCHED}`, `unsubscribed ${WATCHED}`]);
});

test('the gateway subscribes at a 2026 backend while a client watches a resource', async () => {
  const uris = ['x://1', 'x://2'];
  await using backend = await startScripted(
    'modern',
    { 'resources/list': () => ({ resources: uris.map((uri) => ({ uri, name: uri })), ...fresh }) },
    { resources: { subscribe: true } },
  );
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: backend.entry } });
  const watched = () => backend.listening().flatMap(({ resourceSubscriptions }) => resourceSubscriptions);
  expect(watched()).toEqual([]);
  using one = await listen(gateway.mcp, 'legacy');
  await subscribe(gateway.mcp, one, 'x://1');
  await expect.poll(watched).toEqual(['x://1']);
  using two = await listen(gateway.mcp, 'modern', { filter: { resourceSubscriptions: ['x://1', 'x://2'] } });
  await expect.poll(watched).toEqual(['x://1', 'x://2']);
  backend.notify('notifications/resources/updated', { uri: 'x://2' });
  backend.notify('notifications/resources/updated', { uri: 'x://1' });
  await expect.poll(() => two.updates()).toEqual(['x://2', 'x://1']);
  await expect.poll(() => one.updates()).toEqual(['x://1']);
  two.stream.close();
  await expect.poll(watched).toEqual(['x://1']);
  await subscribe(gateway.mcp, one, 'x://1', 'resources/unsubscribe');
  await expect.poll(watched).toEqual([]);
});

test('a subscription goes to the backend that owns the URI, even if two have it', async () => {
  await using a = await startReference('http', 'legacy');
  await using b = await startReference('http', 'legacy');
  await using gateway = await startGateway({ memory: false, mcpServers: { a: a.entry, b: b.entry } });
  using one = await listen(gateway.mcp, 'legacy');
  using two = await listen(gateway.mcp, 'legacy');
  await subscribe(gateway.mcp, one, WATCHED);
  await subscribe(gateway.mcp, two, `b+${WATCHED}`);
  expect(subscriptions(a.world)).toEqual([`subscribed ${WATCHED}`]);
  expect(subscriptions(b.world)).toEqual([`subscribed ${WATCHED}`]);
  await b.world.touch(WATCHED);
  await expect.poll(() => two.updates()).toEqual([`b+${WATCHED}`]);
  await a.world.touch(WATCHED);
  await expect.poll(() => one.updates()).toEqual([WATCHED]);
  expect(two.updates()).toEqual([`b+${WATCHED}`]);
});

test('subscriptions are restored after a crash', async () => {
  await using reference = await startReference('stdio', 'legacy');
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: reference.entry } });
  using listener = await listen(gateway.mcp, 'legacy');
  await subscribe(gateway.mcp, listener);
  await call(gateway.mcp, 'ref__crash');
  await expect
    .poll(async () => JSON.parse(said(await call(gateway.mcp, 'ref__journal'))) as string[], { timeout: 10_000 })
    .toEqual([`subscribed ${WATCHED}`]);
  await call(gateway.mcp, 'ref__touch', { uri: WATCHED });
  await expect.poll(() => listener.updates()).toEqual([WATCHED]);
});

test('a subscription that the backend refuses is refused every time', async () => {
  await using backend = await startScripted(
    'legacy',
    {
      'resources/list': () => ({ resources: [{ uri: 'x://1', name: 'one' }] }),
      'resources/subscribe': () => {
        throw new Refusal(-32602, 'Not this one');
      },
    },
    { resources: { subscribe: true } },
  );
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: backend.entry } });
  const session = await sessionOf(gateway.mcp, {});
  for (let tries = 0; tries < 2; tries++) {
    const { error } = await askIn(gateway.mcp, session, 'resources/subscribe', { uri: 'x://1' });
    expect(error?.message, `try ${tries + 1}`).toContain('Not this one');
  }
});

test('clients get no updates of resources they may not see', async () => {
  await using reference = await startReference('http', 'legacy');
  await using open = await startScripted(
    'modern',
    { 'resources/list': () => ({ resources: [], ...fresh }) },
    { resources: { subscribe: true } },
  );
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: reference.entry, open: open.entry } });
  await using wire = await serve(gateway, { people: { outsider: { scopes: new Set(['open:read']) } } });
  const filter = { resourceSubscriptions: [WATCHED] };
  using owner = await listen(wire.mcp, 'modern', { filter, headers: as('owner') });
  using outsider = await listen(wire.mcp, 'modern', { filter, headers: as('outsider') });
  const session = await sessionOf(wire.mcp, as('outsider'));
  expect((await askIn(wire.mcp, session, 'resources/subscribe', { uri: WATCHED })).error).toBeDefined();
  await expect.poll(() => subscriptions(reference.world)).toHaveLength(1);
  await reference.world.touch(WATCHED);
  await expect.poll(() => owner.updates()).toEqual([WATCHED]);
  expect(outsider.updates()).toEqual([]);
});

test('prompts get the prefix of their server, and the server sees its own name', async () => {
  await using a = await startReference('http', 'legacy');
  await using b = await startReference('http', 'modern');
  await using gateway = await startGateway({ memory: false, mcpServers: { a: a.entry, b: b.entry } });
  const listed = await names(gateway, 'prompts/list', 'prompts');
  for (const server of ['a', 'b']) expect(listed).toContain(`${server}__test_prompt_with_arguments`);
  const session = await sessionOf(gateway.mcp, {});
  for (const name of [
    'a__test_prompt_with_arguments',
    'b__test_prompt_with_arguments',
    'b:test_prompt_with_arguments',
  ]) {
    const params = { name, arguments: { arg1: 'x', arg2: 'y' } };
    const answers = [
      await ask(gateway.mcp, 'prompts/get', params),
      await askIn(gateway.mcp, session, 'prompts/get', params),
    ];
    for (const { result } of answers) expect(JSON.stringify(result.messages)).toContain("arg1='x', arg2='y'");
  }
  expect((await ask(gateway.mcp, 'prompts/get', { name: 'test_simple_prompt' })).error).toMatchObject({ code: -32602 });
});

/** A backend with a prompt, resources, a template, and a tool that links to an unlisted resource. */
function library(name: string) {
  const contents = (uri: unknown) => ({ contents: [{ uri, text: `${String(uri)} of ${name}` }], ...fresh });
  const known = new Set(['doc://shared', `doc://${name}`, `doc://${name}/hidden`, 'doc://page/7']);
  return startScripted(
    'modern',
    {
      'tools/list': () => ({ tools: [{ ...tool('link'), _meta: { ui: { resourceUri: `doc://${name}` } } }], ...fresh }),
      'tools/call': () => ({ content: [{ type: 'resource_link', uri: `doc://${name}/hidden`, name: 'hidden' }] }),
      'prompts/list': () => ({ prompts: [{ name: 'summary' }], ...fresh }),
      'resources/list': () => ({
        resources: ['doc://shared', `doc://${name}`].map((uri) => ({ uri, name: uri })),
        ...fresh,
      }),
      'resources/templates/list': () => ({
        resourceTemplates: [{ uriTemplate: 'doc://page/{id}', name: 'page' }],
        ...fresh,
      }),
      'resources/read': ({ uri }) => {
        if (!known.has(String(uri))) throw new Refusal(-32602, `Resource not found: ${String(uri)}`);
        return contents(uri);
      },
      'completion/complete': ({ ref }) => ({ completion: { values: [JSON.stringify(ref), name] } }),
    },
    { tools: {}, prompts: {}, resources: {}, completions: {} },
  );
}

test('URIs stay unchanged; if two servers have the same, the second gets the prefix of its server', async () => {
  await using a = await library('a');
  await using b = await library('b');
  await using gateway = await startGateway({ memory: false, mcpServers: { a: a.entry, b: b.entry } });
  const { result } = await ask(gateway.mcp, 'resources/list');
  const uris = (result.resources as { uri: string }[]).map(({ uri }) => uri);
  expect(uris).toEqual(['doc://shared', 'doc://a', 'b+doc://shared', 'doc://b']);
  const templates = (await ask(gateway.mcp, 'resources/templates/list')).result.resourceTemplates as Json[];
  expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual(['doc://page/{id}', 'b+doc://page/{id}']);
  const read = async (uri: string) => {
    const { result, error } = await ask(gateway.mcp, 'resources/read', { uri });
    return error ? error.message : (result.contents as { text: string }[])[0]?.text;
  };
  expect(await read('doc://a')).toBe('doc://a of a');
  expect(await read('doc://b')).toBe('doc://b of b');
  expect(await read('doc://shared')).toBe('doc://shared of a');
  expect(await read('b+doc://shared')).toBe('doc://shared of b');
  expect(await read('doc://page/7')).toBe('doc://page/7 of a');
  expect(await read('b+doc://page/7')).toBe('doc://page/7 of b');
  expect(await read('doc://nowhere')).toContain('Resource not found');
});

test('links in results and UI references keep their URI and resolve at the server they came from', async () => {
  await using a = await library('a');
  await using b = await library('b');
  await using gateway = await startGateway({ memory: false, mcpServers: { a: a.entry, b: b.entry } });
  const { tools } = (await ask(gateway.mcp, 'tools/list')).result as { tools: { name: string; _meta?: unknown }[] };
  expect(tools.find(({ name }) => name === 'b__link')?._meta).toEqual({ ui: { resourceUri: 'doc://b' } });
  const { result } = await call(gateway.mcp, 'b__link');
  const [link] = result.content as { uri: string }[];
  expect(link?.uri).toBe('doc://b/hidden');
  const before = a.received.length;
  const read = await ask(gateway.mcp, 'resources/read', { uri: 'doc://b/hidden' });
  expect(read.result.contents).toMatchObject([{ uri: 'doc://b/hidden', text: 'doc://b/hidden of b' }]);
  expect(a.received.slice(before)).toEqual([]);
});

test('a server that is down does not hide unlisted resources of another', async () => {
  const a = await library('a');
  await using b = await library('b');
  await using gateway = await startGateway({ memory: false, mcpServers: { a: a.entry, b: b.entry } });
  await a[Symbol.asyncDispose]();
  const { result } = await ask(gateway.mcp, 'resources/read', { uri: 'doc://b/hidden' });
  expect(result.contents).toMatchObject([{ text: 'doc://b/hidden of b' }]);
  const lost = await ask(gateway.mcp, 'resources/read', { uri: 'doc://a' });
  expect(lost.error).toMatchObject({ message: expect.stringContaining('a: '), data: { retryable: true } });
});

test.each(eras)('completion refs of a %s client reach the server with its own names', async (era) => {
  await using a = await library('a');
  await using b = await library('b');
  await using gateway = await startGateway({ memory: false, mcpServers: { a: a.entry, b: b.entry } });
  const session = await sessionOf(gateway.mcp, {});
  const complete = async (ref: Json) => {
    const params = { ref, argument: { name: 'id', value: '' } };
    const method = 'completion/complete';
    const { result, error } = await (era === 'modern'
      ? ask(gateway.mcp, method, params)
      : askIn(gateway.mcp, session, method, params));
    if (error) return error.code;
    const [seen = '', by] = (result.completion as { values: string[] }).values;
    return [JSON.parse(seen) as Json, by];
  };
  const prompt = { type: 'ref/prompt', name: 'summary' };
  expect(await complete({ ...prompt, name: 'a__summary' })).toEqual([prompt, 'a']);
  expect(await complete({ ...prompt, name: 'b__summary' })).toEqual([prompt, 'b']);
  const template = { type: 'ref/resource', uri: 'doc://page/{id}' };
  expect(await complete(template)).toEqual([template, 'a']);
  expect(await complete({ ...template, uri: 'b+doc://page/{id}' })).toEqual([template, 'b']);
  expect(await complete({ ...prompt, name: 'summary' })).toBe(-32602);
});

const fresh = { ttlMs: 0, cacheScope: 'private' };

function tool(name: string): Json {
  return { name, inputSchema: { type: 'object' } };
}
