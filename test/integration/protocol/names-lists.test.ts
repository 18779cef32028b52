import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { type Handler, startScripted } from '../../fixtures/scripted-server.ts';
import {
  callTool,
  connectV1,
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
import { complete, type Era, pairs, uncached } from '../../support/eras.ts';

const anything = { type: 'object' };
const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** Handlers that list these tools and answer every call with the tool's name. */
function tools(...definitions: Json[]): Record<string, Handler> {
  return {
    'tools/list': () => ({ tools: definitions, ...uncached }),
    'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name }], ...complete }),
  };
}

const named = (...names: string[]) => tools(...names.map((name) => ({ name, inputSchema: anything })));

/** tools/list as raw HTTP: the SDKs would normalise it. */
async function list(gateway: TestGateway, era: Era, path = ''): Promise<Json[]> {
  const headers = era === 'legacy' ? await openSession(gateway.mcp) : {};
  const request = era === 'legacy' ? { headers, body: rpc(1, 'tools/list') } : modern('tools/list');
  const [message] = (await send(`${gateway.mcp}${path}`, request)).messages as { result: { tools: Json[] } }[];
  return message?.result.tools ?? [];
}

const namesOf = (listed: Json[]) => listed.map(({ name }) => name as string);
/** The tools of backends: only they are named <server>__<tool>. */
const foreign = (listed: Json[]) => namesOf(listed).filter((name) => name.includes('__'));

describe('names and headers towards a 2026 backend', () => {
  const script = (): Record<string, Handler> => ({
    ...named('echo', 'sécurité'),
    'prompts/list': () => ({ prompts: [{ name: 'greet' }], ...uncached }),
    'prompts/get': () => ({ messages: [], ...complete }),
    'resources/list': () => ({ resources: [{ uri: 'test://ä', name: 'a' }], ...uncached }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'a' }], ...uncached }),
  });

  it.each(['legacy', 'modern'] as const)('Mcp-Name carries the name of the backend, for a %s client', async (era) => {
    await using backend = await startScripted('modern', script());
    await using gateway = await startGateway({ memory: false, mcpServers: { srv: backend.entry } });
    await using client = await connectV2(gateway, { era });
    const { tools } = await client.listTools();
    const accented = tools.find(({ name }) => name.startsWith('srv__s_curit') || name.startsWith('srv__se'))?.name;
    await callTool(client, 'srv__echo');
    await callTool(client, 'srv:echo');
    await callTool(client, String(accented));
    await client.getPrompt({ name: 'srv__greet' });
    await client.readResource({ uri: 'test://ä' });

    const sent = backend.received.filter(({ method }) => /call$|get$|read$/.test(method ?? ''));
    expect(
      sent.map(({ params, headers }) => [headers['mcp-method'], headers['mcp-name'], params?.name ?? params?.uri]),
    ).toEqual([
      ['tools/call', 'echo', 'echo'],
      ['tools/call', 'echo', 'echo'],
      ['tools/call', base64('sécurité'), 'sécurité'],
      ['prompts/get', 'greet', 'greet'],
      ['resources/read', base64('test://ä'), 'test://ä'],
    ]);
    expect(backend.received.every(({ headers }) => headers['mcp-protocol-version'] === '2026-07-28')).toBe(true);
  });

  it.each(['legacy', 'modern'] as const)('a real backend accepts the requests of a %s client', async (era) => {
    await using reference = await startReference('http', 'modern');
    await using gateway = await startGateway({ memory: false, mcpServers: { ref: reference.entry } });
    await using client = await connectV2(gateway, { era });
    await client.listTools();
    const { headers } = JSON.parse(textOf(await callTool(client, 'ref__whoami'))) as {
      headers: Record<string, string>;
    };
    expect(headers).toMatchObject({
      'mcp-method': 'tools/call',
      'mcp-name': 'whoami',
      'mcp-protocol-version': '2026-07-28',
    });
    const mirrored = await callTool(client, 'ref__test_x_mcp_header', { region: 'Zürich' });
    expect(textOf(mirrored)).toBe(`region=Zürichheader=${base64('Zürich')}`);
  });

  it('Mcp-Param-* is forwarded even if no tool declares it', async () => {
    await using backend = await startScripted('modern', script());
    await using gateway = await startGateway({ memory: false, mcpServers: { srv: backend.entry } });
    const { headers, body } = modern('tools/call', { name: 'srv__echo', arguments: {} });
    const extra = { 'Mcp-Param-Tenant': 'acme', 'mcp-param-note': base64('grün') };
    expect((await send(gateway.mcp, { headers: { ...headers, ...extra }, body })).status).toBe(200);
    expect(backend.received.at(-1)?.headers).toMatchObject({
      'mcp-param-tenant': 'acme',
      'mcp-param-note': base64('grün'),
      'mcp-name': 'echo',
    });
  });
});

describe('server/discover reflects the union of live backends', () => {
  interface Discovered {
    capabilities: Json;
    instructions: string;
    supportedVersions: string[];
  }

  async function discover(gateway: TestGateway, path = ''): Promise<Discovered> {
    const [message] = (await send(`${gateway.mcp}${path}`, modern('server/discover'))).messages as {
      result: Discovered;
    }[];
    if (!message) throw new Error('No answer');
    return message.result;
  }

  it('and changes with them', async () => {
    const prompting = { 'prompts/list': () => ({ prompts: [{ name: 'p' }], ...uncached }) };
    const reading = {
      'resources/list': () => ({ resources: [], ...uncached }),
      'completion/complete': () => ({ completion: { values: [] } }),
    };
    await using plain = await startScripted('modern', named('t'));
    await using prompts = await startScripted('legacy', prompting);
    await using resources = await startScripted('modern', reading);
    const dead = { url: 'http://127.0.0.1:9/mcp' };

    await using gateway = await startGateway({ memory: false, mcpServers: { plain: plain.entry, dead } });
    expect((await discover(gateway)).supportedVersions).toEqual(['2026-07-28']);
    expect(Object.keys((await discover(gateway)).capabilities)).toEqual(['tools']);

    await gateway.reload({
      mcpServers: { plain: plain.entry, prompts: prompts.entry, resources: resources.entry, dead },
    });
    await expect
      .poll(async () => Object.keys((await discover(gateway)).capabilities).sort())
      .toEqual(['completions', 'prompts', 'resources', 'tools']);
    await using legacy = await connectV1(gateway);
    expect(Object.keys(legacy.getServerCapabilities() ?? {}).sort()).toEqual([
      'completions',
      'prompts',
      'resources',
      'tools',
    ]);

    await gateway.reload({ memory: false, mcpServers: { plain: plain.entry, prompts: prompts.entry } });
    expect(Object.keys((await discover(gateway)).capabilities).sort()).toEqual(['prompts', 'tools']);
  });

  it('nested capabilities, extensions and instructions are joined', async () => {
    const about = (capabilities: Json, instructions: string) => ({
      ...named('t'),
      'server/discover': () => ({ supportedVersions: ['2026-07-28'], capabilities, instructions, ...uncached }),
    });
    await using one = await startScripted(
      'modern',
      about({ tools: {}, resources: {}, extensions: { 'io.x/a': { v: 1 } } }, 'Use one with care.'),
    );
    await using two = await startScripted(
      'modern',
      about({ tools: {}, resources: { subscribe: true }, extensions: { 'io.x/b': {} } }, 'Use two freely.'),
    );
    await using gateway = await startGateway({ memory: false, mcpServers: { one: one.entry, two: two.entry } });
    const { capabilities, instructions } = await discover(gateway);
    expect(capabilities).toMatchObject({
      resources: { subscribe: true },
      extensions: { 'io.x/a': { v: 1 }, 'io.x/b': {} },
    });
    expect(instructions).toContain('Use one with care.');
    expect(instructions).toContain('Use two freely.');
  });

  it('a toolset shows only what its backends can do', async () => {
    await using one = await startScripted('modern', named('t'));
    await using two = await startScripted('modern', {
      ...named('t'),
      'prompts/list': () => ({ prompts: [{ name: 'p' }], ...uncached }),
    });
    await using gateway = await startGateway({
      mcpServers: { one: one.entry, two: two.entry },
      toolsets: { only: { include: ['one__*'] } },
    });
    expect(Object.keys((await discover(gateway, '/only')).capabilities)).toEqual(['tools']);
  });
});

describe('exposed names', () => {
  const odd = [
    'plain',
    'with.dot',
    'with/slash',
    'with:colon',
    'with space',
    'ünïcödé',
    '東京',
    '_leading',
    'trailing_',
    '-',
    'Case',
    'case',
    'snake_case',
    'snake-case',
    'x'.repeat(60),
    `${'x'.repeat(60)}y`,
    'x'.repeat(128),
  ];

  it('are unique, safe, limited in length, stable across restarts, and reach their tools', async () => {
    await using first = await startScripted('legacy', named(...odd));
    await using second = await startScripted('modern', named(...odd.toReversed()));
    const home = await mkdtemp(join(tmpdir(), 'sluice-test-'));
    const config = { mcpServers: { first: first.entry, 'second-one': second.entry } };
    const seen: string[][] = [];
    try {
      for (const _ of ['start', 'restart']) {
        await using gateway = await startGateway(config, { home });
        const names = foreign(await list(gateway, 'modern'));
        seen.push(names);
        expect(names).toHaveLength(2 * odd.length);
        for (const name of names) {
          expect(name).toMatch(/^[a-zA-Z0-9](?:[a-zA-Z0-9_-]*[a-zA-Z0-9])?$/);
          expect(name.length).toBeLessThanOrEqual(45);
        }
        const folded = names.map((name) => name.toLowerCase().replaceAll('_', '-'));
        expect(new Set(folded).size).toBe(names.length);

        await using client = await connectV2(gateway, { era: 'modern' });
        const answers = await Promise.all(
          names.map(async (name) => `${name.slice(0, 5)} ${textOf(await callTool(client, name))}`),
        );
        expect(answers.sort()).toEqual(odd.flatMap((name) => [`first ${name}`, `secon ${name}`]).sort());
        for (const name of odd) expect(textOf(await callTool(client, `first:${name}`))).toBe(name);
      }
      expect(seen[1]).toEqual(seen[0]);
      expect(seen[0]).toContain('first__plain');
      expect(seen[0]).toContain('second-one__snake-case');
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });

  it('an altered name changes only if another tool would get the same; the former name keeps working', async () => {
    await using alone = await startScripted('modern', named('with.dot'));
    await using among = await startScripted('modern', named(...odd));
    await using one = await startGateway({ memory: false, mcpServers: { srv: alone.entry } });
    await using two = await startGateway({ memory: false, mcpServers: { srv: among.entry } });
    const [name] = foreign(await list(one, 'modern'));
    expect(name).toBe('srv__with_dot');
    expect(foreign(await list(two, 'modern'))).toContain(name);
    await using client = await connectV1(one);
    expect(textOf(await callTool(client, 'srv__with_dot-3f4689'))).toBe('with.dot');

    await using alike = await startScripted('modern', named('with.dot', 'with/dot', 'With_Dot'));
    await using three = await startGateway({ memory: false, mcpServers: { srv: alike.entry } });
    expect(foreign(await list(three, 'modern')).sort()).toEqual([
      'srv__With_Dot',
      'srv__with_dot-3f4689',
      'srv__with_dot-582446',
    ]);
  });

  it('a transparent endpoint keeps every name', async () => {
    await using backend = await startScripted('modern', named('with.dot', 'x'.repeat(60)));
    await using gateway = await startGateway({ memory: false, mcpServers: { srv: { ...backend.entry, prefix: '' } } });
    expect(namesOf(await list(gateway, 'modern'))).toEqual(expect.arrayContaining(['with.dot', 'x'.repeat(60)]));
    await using client = await connectV1(gateway);
    expect(textOf(await callTool(client, 'with.dot'))).toBe('with.dot');
  });

  it('a collision names both owners and the remedy, and both tools can be called', async () => {
    const answering = (name: string, text: string): Record<string, Handler> => ({
      ...named(name),
      'tools/call': () => ({ content: [{ type: 'text', text }], ...complete }),
    });
    await using bare = await startScripted('modern', answering('Gateway-Status', 'of bare'));
    await using one = await startScripted('modern', answering('b__ping', 'of one'));
    await using two = await startScripted('modern', answering('PING', 'of two'));
    const mcpServers = { bare: { ...bare.entry, prefix: '' }, a: one.entry, a__b: two.entry };
    await using gateway = await startGateway({ memory: false, mcpServers });
    const names = namesOf(await list(gateway, 'modern'));
    expect(new Set(names.map((name) => name.toLowerCase().replaceAll('_', '-'))).size).toBe(names.length);
    const [ours, theirs] = names.filter((name) => /gateway.status/i.test(name));
    const [first, second] = names.filter((name) => /ping/i.test(name));
    // By its prefix the name belongs to a__b, whichever is listed first.
    expect([ours, second]).toEqual(['gateway_status', 'a__b__PING']);
    await using client = await connectV2(gateway, { era: 'modern' });
    expect(textOf(await callTool(client, String(theirs)))).toBe('of bare');
    expect(textOf(await callTool(client, String(first)))).toBe('of one');
    expect(textOf(await callTool(client, String(second)))).toBe('of two');

    await vi.waitFor(async () => {
      const found = textOf(await callTool(client, 'get_events', { event_type: 'gateway.name_collision' }));
      const { events } = JSON.parse(found) as { events: { data: { owners: string[]; remedy: string } }[] };
      const told = new Map(events.map(({ data }) => [data.owners.join(), data.remedy]));
      expect([...told.keys()].sort()).toEqual(['a__b,a', 'gateway,bare']);
      expect(told.get('a__b,a')).toContain(first);
      expect(told.get('a__b,a')).toContain('mcpServers.a.tools.rename');
      expect(told.get('gateway,bare')).toContain(theirs);
    }, 10_000);
  });

  it('two servers with the same prefix are a configuration error that names both and a remedy', async () => {
    const entry = { url: 'http://127.0.0.1:9/mcp' };
    const config = { mcpServers: { a: { ...entry, prefix: 'net' }, b: { ...entry, prefix: 'NET' } } };
    await expect(startGateway(config)).rejects.toThrow(/"NET" of the server "b" and the server "a".*Rename/);
  });
});

describe('tools/list is ordered and complete', () => {
  function paged(count: number, size: number): Record<string, Handler> {
    const all = Array.from({ length: count }, (_, index) => ({
      name: `t${String(index).padStart(3, '0')}`,
      inputSchema: anything,
    }));
    return {
      ...named(),
      'tools/list': ({ cursor }) => {
        const from = cursor === undefined ? 0 : Number((cursor as string).slice('from '.length));
        const next = from + size < count ? { nextCursor: `from ${from + size}` } : {};
        return { tools: all.slice(from, from + size), ...next, ...uncached };
      },
    };
  }

  it('has every page of every backend, in one page', async () => {
    await using a = await startScripted('legacy', paged(95, 10));
    await using b = await startScripted('modern', paged(25, 1));
    await using gateway = await startGateway({ memory: false, mcpServers: { a: a.entry, b: b.entry } });
    for (const era of ['legacy', 'modern'] as const) {
      const names = foreign(await list(gateway, era));
      expect(names.filter((name) => name.startsWith('a__'))).toHaveLength(95);
      expect(names.filter((name) => name.startsWith('b__'))).toHaveLength(25);
    }
    await using client = await connectV1(gateway);
    const { nextCursor, tools } = await client.listTools();
    expect(nextCursor).toBeUndefined();
    expect(tools.filter(({ name }) => name.includes('__'))).toHaveLength(120);
  });

  it('all pages of prompts, resources and templates are read too', async () => {
    const pages =
      (field: string, item: (page: number) => Json): Handler =>
      ({ cursor }) => {
        const page = Number(cursor ?? 0);
        return { [field]: [item(page)], ...(page < 4 && { nextCursor: String(page + 1) }), ...uncached };
      };
    await using backend = await startScripted('legacy', {
      'prompts/list': pages('prompts', (page) => ({ name: `p${page}` })),
      'resources/list': pages('resources', (page) => ({ uri: `r://${page}`, name: 'r' })),
      'resources/templates/list': pages('resourceTemplates', (page) => ({ uriTemplate: `r://${page}/{x}`, name: 'r' })),
    });
    await using gateway = await startGateway({ memory: false, mcpServers: { srv: backend.entry } });
    await using client = await connectV1(gateway);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      'srv__p0',
      'srv__p1',
      'srv__p2',
      'srv__p3',
      'srv__p4',
    ]);
    expect((await client.listResources()).resources).toHaveLength(5);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(5);
  });

  it('a cursor that runs in a circle ends the list', async () => {
    let page = 0;
    await using loop = await startScripted('legacy', {
      ...named(),
      'tools/list': () => ({ tools: [{ name: 'only', inputSchema: anything }], nextCursor: 'again' }),
    });
    await using ring = await startScripted('legacy', {
      ...named(),
      'tools/list': () => ({
        tools: [{ name: `t${page % 3}`, inputSchema: anything }],
        nextCursor: String(page++ % 3),
      }),
    });
    await using gateway = await startGateway({ memory: false, mcpServers: { loop: loop.entry, ring: ring.entry } });
    expect(foreign(await list(gateway, 'modern'))).toEqual(['loop__only', 'ring__t0', 'ring__t1', 'ring__t2']);
    expect(page).toBeLessThan(20);
  });

  it('the order does not depend on which backend starts first', async () => {
    const slowly = (script: Record<string, Handler>, wait: Promise<unknown>): Record<string, Handler> => ({
      ...script,
      'tools/list': async (params, reply) => {
        await wait;
        return (script['tools/list'] as Handler)(params, reply);
      },
    });
    const orders: string[][] = [];
    for (const turn of [0, 1]) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const release = (script: Record<string, Handler>): Record<string, Handler> => ({
        ...script,
        'tools/list': (params, reply) => {
          resolve();
          return (script['tools/list'] as Handler)(params, reply);
        },
      });
      const [late, early] = [(script: Record<string, Handler>) => slowly(script, promise), release];
      await using a = await startScripted('modern', (turn === 0 ? late : early)(named('b', 'a', 'c')));
      await using b = await startScripted(
        'modern',
        (turn === 0 ? early : late)(turn === 0 ? named('z', 'y') : named('y', 'z')),
      );
      await using gateway = await startGateway({ memory: false, mcpServers: { second: a.entry, first: b.entry } });
      orders.push(foreign(await list(gateway, 'modern')));
      expect(namesOf(await list(gateway, 'legacy'))).toEqual(namesOf(await list(gateway, 'modern')));
    }
    expect(orders[0]).toEqual(['second__a', 'second__b', 'second__c', 'first__y', 'first__z']);
    expect(orders[1]).toEqual(orders[0]);
  });
});

describe('a bad backend or tool never empties or stalls the list', () => {
  const oddServer = fileURLToPath(new URL('../../fixtures/odd-server.ts', import.meta.url));
  const oddly = (...args: string[]) => ({ command: process.execPath, args: [oddServer, ...args] });

  it('dead, silent, garbage-printing and malformed ones next to a good one', async () => {
    await using good = await startReference('http', 'both');
    await using malformed = await startScripted('legacy', {
      ...tools(
        { name: 'fine', inputSchema: anything },
        { name: 'no-schema' },
        { name: 'schema-of-text', inputSchema: 'object' },
        { name: 'schema-of-a-list', inputSchema: { type: 'array' } },
        { name: 'no-type', inputSchema: { properties: { any: true } } },
        { inputSchema: anything },
        { name: '', inputSchema: anything },
        { name: 7, inputSchema: anything },
        { name: 'fine', inputSchema: anything },
        {
          name: 'nulls',
          title: null,
          description: null,
          inputSchema: { type: 'object', properties: null, required: null },
          annotations: null,
          outputSchema: null,
        },
        {
          name: 'wrong',
          inputSchema: anything,
          annotations: { readOnlyHint: 'yes' },
          icons: [{}],
          _meta: [],
          execution: { taskSupport: 1 },
        },
        { name: 'output', inputSchema: anything, outputSchema: { type: 'array' } },
      ),
      'prompts/list': () => ({
        prompts: [{ name: 'p', arguments: [{ required: 'yes' }], title: 1 }, { name: 2 }, null],
      }),
      'resources/list': () => ({
        resources: [{ uri: 'r://1', annotations: { priority: 'high' } }, { name: 'nowhere' }],
      }),
      'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'r://{x}', mimeType: null }, {}] }),
    });
    await using nulls = await startScripted('legacy', {
      'tools/list': () => ({ tools: [null, 1, 'x', [], { name: 'kept', inputSchema: anything }] }),
    });
    await using shapeless = await startScripted('legacy', {
      'tools/list': () => ({ tools: 'none' }),
      'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
    });
    await using failing = await startScripted('legacy', {
      'tools/list': () => ({ error: { code: -32603, message: 'broken' } }),
      'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
    });
    const mcpServers = {
      missing: { command: 'no-such-command-anywhere' },
      unreachable: { url: 'http://127.0.0.1:9/mcp' },
      exits: oddly('--exits', '3'),
      silent: oddly('--never-initializes'),
      garbage: oddly('--garbage-only'),
      noisy: oddly('--garbage'),
      version: oddly('--wrong-version'),
      malformed: malformed.entry,
      nulls: nulls.entry,
      shapeless: shapeless.entry,
      failing: failing.entry,
      good: good.entry,
    };
    await using gateway = await startGateway({ memory: false, mcpServers }, { settle: false });
    const states = () =>
      Object.fromEntries(gateway.runtime.apis.gateway.status().backends.map(({ name, state }) => [name, state]));
    const working = ['good', 'noisy', 'malformed', 'nulls', 'shapeless', 'failing'];
    await expect.poll(states).toMatchObject(Object.fromEntries(working.map((name) => [name, 'RUNNING'])));
    // The silent servers are still starting: the list does not wait for them.
    expect(states()).toMatchObject({ silent: 'STARTING', garbage: 'STARTING' });

    await using v1 = await connectV1(gateway);
    await using v2 = await connectV2(gateway, { era: 'modern' });
    for (const client of [v1, v2]) {
      const before = performance.now();
      const { tools } = await client.listTools();
      expect(performance.now() - before).toBeLessThan(5000);
      const names = tools.map(({ name }) => name);
      expect(names.filter((name) => name.startsWith('malformed__'))).toEqual(
        ['fine', 'no-type', 'nulls', 'output', 'wrong'].map((name) => `malformed__${name}`),
      );
      expect(names).toEqual(expect.arrayContaining(['good__echo', 'noisy__echo', 'nulls__kept', 'gateway_status']));
      const prompts = (await client.listPrompts()).prompts.map(({ name }) => name);
      expect(prompts).toEqual(
        expect.arrayContaining(['malformed__p', 'shapeless__p', 'failing__p', 'good__test_simple_prompt']),
      );
      const uris = (await client.listResources()).resources.map(({ uri }) => uri);
      expect(uris).toEqual(expect.arrayContaining(['r://1', 'test://static-text']));
      const templates = (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate);
      expect(templates).toContain('r://{x}');
      expect(textOf(await callTool(client, 'good__echo', { text: 'on' }))).toBe('on');
      expect(textOf(await callTool(client, 'noisy__echo', { text: 'through the noise' }))).toBe('through the noise');
      expect(textOf(await callTool(client, 'malformed__no-type'))).toBe('no-type');
    }
    for (const name of ['missing', 'unreachable', 'exits', 'silent', 'garbage', 'version'])
      expect([name, states()[name]]).not.toEqual([name, 'RUNNING']);
  });

  it('the list works while a backend is still starting, and grows when it has started', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await using good = await startScripted('modern', named('t'));
    await using slow = await startScripted('modern', {
      ...named('late'),
      'server/discover': async () => {
        await held;
        return { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ...uncached };
      },
    });
    await using gateway = await startGateway({ memory: false, mcpServers: { good: good.entry } });
    await gateway.reload({ memory: false, mcpServers: { slow: slow.entry, good: good.entry } });
    for (const era of ['legacy', 'modern'] as const) expect(foreign(await list(gateway, era))).toEqual(['good__t']);
    letGo();
    await expect.poll(async () => foreign(await list(gateway, 'modern'))).toEqual(['slow__late', 'good__t']);
  });

  it('a backend that never answers can be removed, and does not delay the shutdown', async () => {
    const mute = createServer(() => {});
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const silent = {
      stdio: { command: process.execPath, args: [oddServer, '--never-initializes'] },
      http: { url: `${url}/mcp` },
      sse: { url: `${url}/sse` },
    };
    try {
      await using good = await startScripted('modern', named('t'));
      const gateway = await startGateway(
        { memory: false, mcpServers: { ...silent, good: good.entry } },
        { settle: false },
      );
      const states = () => gateway.runtime.apis.gateway.status().backends.map(({ name, state }) => `${name} ${state}`);
      await expect.poll(states).toEqual(['stdio STARTING', 'http STARTING', 'sse STARTING', 'good RUNNING']);
      const { stdio, http } = silent;
      const began = performance.now();
      await gateway.reload({
        memory: false,
        mcpServers: { stdio, http: { ...http, tags: ['changed'] }, good: good.entry },
      });
      expect(foreign(await list(gateway, 'modern'))).toEqual(['good__t']);
      expect(performance.now() - began).toBeLessThan(5000);
      await gateway[Symbol.asyncDispose]();
      expect(performance.now() - began).toBeLessThan(10_000);
    } finally {
      mute.closeAllConnections();
      mute.close();
    }
  });
});

describe('definitions and results pass unchanged', () => {
  // Untyped on purpose: half of these keys are in no type.
  const definition = {
    name: 'rich',
    title: 'Rich',
    description: 'Has everything, and "quotes", and \u2028 separators',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      properties: {
        a: { $ref: '#/$defs/node', 'x-hint': [1, 2] },
        b: { const: null },
        ü: { type: ['string', 'null'], default: null },
      },
      required: [],
      additionalProperties: false,
      'x-vendor': { deep: [{ er: true }] },
    },
    outputSchema: { type: 'object', properties: { n: { type: 'number', minimum: 0.1 } }, anyOf: [{}, { not: {} }] },
    annotations: { title: 'Very rich', readOnlyHint: true, 'vendor/hint': 'x', openWorldHint: false },
    icons: [{ src: 'data:image/png;base64,AAAA', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark', 'x-more': 1 }],
    execution: { taskSupport: 'optional' },
    _meta: { 'acme/one': { two: [3, null] }, ui: { resourceUri: 'ui://rich' } },
    'x-tool': { kept: true },
    zero: 0,
    empty: {},
  };

  const result = {
    content: [
      { type: 'text', text: 'vendor', 'x-vendor': { nested: [1, null, 'two'] }, _meta: { 'acme/block': 1 } },
      { type: 'acme/unknown', payload: { a: [{}] } },
      { type: 'resource_link', uri: 'test://x', name: 'x', 'x-more': true },
    ],
    structuredContent: { any: { thing: [true, 1e21, 0.1, -0.5, '\u0000'] } },
    'x-result': 'kept',
    _meta: { 'acme/result': { deep: true } },
  };

  const script = (backend: Era): Record<string, Handler> => ({
    ...tools(definition),
    'tools/call': () => (backend === 'modern' ? { ...complete, ...result } : result),
    'prompts/list': () => ({
      prompts: [
        {
          name: 'p',
          title: 'P',
          arguments: [{ name: 'a', 'x-arg': 1 }],
          icons: definition.icons,
          _meta: definition._meta,
          'x-p': 1,
        },
      ],
      ...uncached,
    }),
    'prompts/get': () => ({
      messages: [{ role: 'user', content: { type: 'text', text: 'x', 'x-c': 1 }, 'x-m': 2 }],
      'x-r': 3,
      ...complete,
    }),
    'resources/list': () => ({
      resources: [
        {
          uri: 'test://x',
          name: 'x',
          size: 1,
          annotations: { priority: 0.3 },
          icons: definition.icons,
          _meta: definition._meta,
          'x-r': 1,
        },
      ],
      ...uncached,
    }),
    'resources/read': () => ({ contents: [{ uri: 'test://x', text: 'x', 'x-c': [1] }], 'x-r': 3, ...uncached }),
  });

  it.each(pairs)('a %s client and a %s backend', async (client, backend) => {
    await using verbatim = await startScripted(backend, script(backend));
    await using gateway = await startGateway({ memory: false, mcpServers: { srv: verbatim.entry } });
    const headers = client === 'legacy' ? await openSession(gateway.mcp) : {};
    const ask = async (method: string, params: Json = {}) => {
      const request = client === 'legacy' ? { headers, body: rpc(1, method, params) } : modern(method, params);
      return (await send(gateway.mcp, request)).messages[0]?.result as Json;
    };
    // Only the markers of the era may differ.
    const { resultType: _, ttlMs: __, cacheScope: ___, ...called } = await ask('tools/call', { name: 'srv__rich' });
    expect(called).toEqual(result);
    const listed = (await ask('tools/list')) as { tools: Json[] };
    expect(listed.tools.find(({ name }) => name === 'srv__rich')).toEqual({ ...definition, name: 'srv__rich' });

    const given = async (method: string) =>
      (await (verbatim.script[method] as Handler)({}, {} as never)) as Record<string, Json[]>;
    expect((await ask('prompts/list')).prompts).toEqual(
      (await given('prompts/list')).prompts?.map((prompt) => ({ ...prompt, name: 'srv__p' })),
    );
    expect((await ask('resources/list')).resources).toEqual((await given('resources/list')).resources);
    expect(await ask('prompts/get', { name: 'srv__p' })).toMatchObject({
      messages: (await given('prompts/get')).messages,
      'x-r': 3,
    });
    expect(await ask('resources/read', { uri: 'test://x' })).toMatchObject({
      contents: (await given('resources/read')).contents,
      'x-r': 3,
    });
  });

  it.each(pairs)('arguments and _meta of a %s client reach a %s backend unchanged', async (client, backend) => {
    await using verbatim = await startScripted(backend, script(backend));
    await using gateway = await startGateway({ memory: false, mcpServers: { srv: verbatim.entry } });
    const params = {
      name: 'srv__rich',
      arguments: { a: [{ b: null }], ü: 'é', n: 0.1, 'x-vendor': {} },
      _meta: { 'acme/ask': [1] },
      'x-param': { kept: 1 },
    };
    const request =
      client === 'legacy'
        ? { headers: await openSession(gateway.mcp), body: rpc(1, 'tools/call', params) }
        : modern('tools/call', params);
    expect((await send(gateway.mcp, request)).status).toBe(200);
    const received = verbatim.received.find(({ method }) => method === 'tools/call');
    expect(received?.params).toMatchObject({ ...params, name: 'rich', arguments: params.arguments });
    expect(received?.params?.arguments).toEqual(params.arguments);
  });

  it.each(pairs)('real clients see them too: %s client, %s reference backend', async (era, backend) => {
    await using reference = await startReference('http', backend);
    await using gateway = await startGateway({ memory: false, mcpServers: { r: reference.entry } });
    await using client = era === 'legacy' ? await connectV1(gateway) : await connectV2(gateway, { era });
    await using direct = await connectV2({ url: new URL(reference.entry.url).origin, home: '' }, { era: backend });
    const through = (await client.listTools()).tools.filter(({ name }) => name.startsWith('r__'));
    const own = (await direct.listTools()).tools;
    expect(through.map(({ name }) => name.slice('r__'.length)).sort()).toEqual(own.map(({ name }) => name).sort());
    for (const tool of own)
      expect(through.find(({ name }) => name === `r__${tool.name}`)).toEqual({ ...tool, name: `r__${tool.name}` });
    const vendor = await callTool(client, 'r__vendor');
    expect(vendor).toMatchObject({
      structuredContent: { any: { thing: [true] } },
      _meta: { 'acme/result': { deep: true } },
    });
  });
});
