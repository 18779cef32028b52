import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AnyClient,
  callTool,
  type CallResult,
  type ClientOptions,
  connectV1,
  connectV2,
  type Json,
  type LocalReference,
  openSession,
  send,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from './harness.ts';
import { ask, call, callIn } from '../support/exchange.ts';
import { createKey } from '../../src/auth/keys.ts';
import type { KeyGrant } from '../../src/store/store.ts';
import { type ScriptedServer, startScripted } from '../fixtures/scripted-server.ts';

let reference: LocalReference;
let strict: ScriptedServer;
let gateway: TestGateway;

/** The arguments of each call. */
const received = () =>
  strict.received.filter(({ method }) => method === 'tools/call').map(({ params }) => params.arguments);

beforeAll(async () => {
  reference = await startReference('http', 'both');
  const tools = ['wipe', 'wipe_more', 'look'].map((name) => ({
    name,
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, additionalProperties: false },
    ...(name === 'look' && { annotations: { readOnlyHint: true } }),
  }));
  strict = await startScripted('modern', {
    'tools/list': () => ({ tools }),
    'tools/call': ({ name }) => ({ resultType: 'complete', content: [{ type: 'text', text: `${String(name)} done` }] }),
  });
  gateway = await startGateway({
    gateway: { allowInternalUrls: true },
    mcpServers: {
      ref: { ...reference.entry, confirm: ['slow', 'ask'] },
      flat: { ...strict.entry, confirm: ['wipe*'] },
      packed: { ...strict.entry, confirm: ['wipe*'], expose: 'compact' },
      found: { ...strict.entry, confirm: ['wipe*'], expose: 'search' },
      human: { ...strict.entry, confirm: ['wipe*'], confirmBy: 'human' },
    },
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await strict[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
});

beforeEach(() => {
  (strict.received as unknown[]).length = 0;
});

/** So that the next test finds only what it asked for itself. */
afterEach(async () => {
  for (const item of await waitingAt(gateway)) await decide(gateway, item, { approve: false });
});

interface WaitingItem extends Json {
  part: string;
  id: string;
}

/** Without authentication: what a browser sends for the console's own page. */
const ownPage: Record<string, string> = { 'sec-fetch-site': 'same-origin' };

/** What waits for the page of a gateway without authentication, or for whoever has these headers. */
async function waitingAt(at: TestGateway, headers = ownPage): Promise<WaitingItem[]> {
  const { messages } = await send(`${at.url}/api/v1/waiting`, { headers });
  return (messages[0] as { items: WaitingItem[] }).items;
}

async function decide(
  at: TestGateway,
  { part, id }: Pick<WaitingItem, 'part' | 'id'> = { part: '', id: '' },
  body: object,
  headers = ownPage,
): Promise<{ status: number; message: string }> {
  const { status, messages } = await send(`${at.url}/api/v1/waiting/${part}/${encodeURIComponent(id)}`, {
    headers,
    body,
  });
  const answer = messages[0] as { message?: string; error?: { message: string } };
  return { status, message: answer.message ?? answer.error?.message ?? '' };
}

function refusal(result: CallResult): { text: string; code?: string; confirm?: string } {
  expect(result.isError).toBe(true);
  return { text: textOf(result), ...((result._meta as Json | undefined)?.['sluice/error'] as object) };
}

const action = (name: 'accept' | 'decline' | 'cancel') => () => ({
  action: name,
  ...(name === 'accept' && { content: {} }),
});

/** Clients that can ask their user: both SDKs, both eras, all transports. */
const able: [string, (options: ClientOptions) => Promise<AnyClient & AsyncDisposable>][] = [
  ['SDK v2, 2026', (options) => connectV2(gateway, { ...options, era: 'modern' })],
  ['SDK v2, 2025', (options) => connectV2(gateway, { ...options, era: 'legacy' })],
  ['SDK v1', (options) => connectV1(gateway, options)],
  ['SDK v1 over HTTP+SSE', (options) => connectV1(gateway, { ...options, transport: 'sse' })],
];

describe.each(able)('a client that can ask: %s', (_, connect) => {
  test('the user is asked first; the tool runs when they agree, once, with its own arguments', async () => {
    const asked: Json[] = [];
    await using client = await connect({
      answer(method, params) {
        asked.push({ method, ...params });
        expect(received()).toEqual([]);
        return action('accept')();
      },
    });
    expect(textOf(await callTool(client, 'flat__wipe', { id: 1 }))).toBe('wipe done');
    expect(asked).toMatchObject([
      {
        method: 'elicitation/create',
        mode: 'form',
        message: 'Allow flat__wipe? It may change or delete things for good.',
      },
    ]);
    expect(received()).toEqual([{ id: 1 }]);
  });

  test.each(['decline', 'cancel'] as const)('nothing runs when they %s, and the model is told', async (answer) => {
    await using client = await connect({ answer: action(answer) });
    expect(refusal(await callTool(client, 'flat__wipe', { id: 1 })).text).toBe(
      'The user did not allow flat__wipe. Nothing was done.',
    );
    expect(received()).toEqual([]);
  });

  test('through the wrappers too', async () => {
    await using client = await connect({ answer: action('accept') });
    expect(textOf(await callTool(client, 'packed_call', { tool: 'wipe', params: { id: 2 } }))).toBe('wipe done');
    expect(textOf(await callTool(client, 'call_tool', { name: 'found__wipe', arguments: { id: 3 } }))).toBe(
      'wipe done',
    );
    expect(received()).toEqual([{ id: 2 }, { id: 3 }]);
  });

  test('the user can confirm a call that only a person may confirm', async () => {
    await using client = await connect({ answer: action('accept') });
    expect(textOf(await callTool(client, 'human__wipe', { id: 4 }))).toBe('wipe done');
  });

  test('a tool that elicits input asks after the confirmation', async () => {
    const messages: unknown[] = [];
    await using client = await connect({
      answer(__, params) {
        messages.push(params?.message);
        return action('accept')();
      },
    });
    expect(textOf(await callTool(client, 'ref__ask', { kind: 'elicitation', tag: 'inner' }))).toMatch(/^inner /);
    expect(messages).toEqual(['Allow ref__ask? It may change or delete things for good.', 'ask inner']);
  });

  test('a call that needs no confirmation runs without a question', async () => {
    await using client = await connect({ answer: () => expect.unreachable('nobody should be asked') });
    expect(textOf(await callTool(client, 'flat__look'))).toBe('look done');
  });
});

/** Clients that cannot ask. */
const unable: [string, (name: string, args: Json) => Promise<CallResult>][] = [
  ['2026', async (name, args) => (await call(gateway.mcp, name, args)).result],
  [
    '2025, in a session',
    async (name, args) => (await callIn(gateway.mcp, await openSession(gateway.mcp), name, args)).result,
  ],
  [
    '2025, without a session',
    async (name, args) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      return (await send(gateway.mcp, { body })).messages[0]?.result as CallResult;
    },
  ],
  [
    '2026, with URL elicitation only',
    async (name, args) => (await call(gateway.mcp, name, args, { capabilities: { elicitation: { url: {} } } })).result,
  ],
  [
    '2025, with elicitation but without a stream',
    async (name, args) => {
      const session = await openSession(gateway.mcp, { capabilities: { elicitation: {} } });
      const { messages } = await send(gateway.mcp, {
        headers: { ...session, accept: 'application/json' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      });
      return messages[0]?.result as CallResult;
    },
  ],
];

describe.each(unable)('a client that cannot ask: %s', (_, run) => {
  test('the first call only returns a token; the second call runs with it, and the server never sees the token', async () => {
    const first = refusal(await run('flat__wipe', { id: 1 }));
    expect(first).toMatchObject({ code: 'confirmation_required', confirm: expect.any(String) as string });
    expect(first.text).toContain(
      `Nothing was done yet. Ask the user; if they agree, repeat exactly this call with "confirm": "${first.confirm}"`,
    );
    expect(received()).toEqual([]);
    expect(textOf(await run('flat__wipe', { id: 1, confirm: first.confirm }))).toBe('wipe done');
    expect(received()).toEqual([{ id: 1 }]);
  });

  test('a token is good once', async () => {
    const { confirm } = refusal(await run('flat__wipe', { id: 1 }));
    await run('flat__wipe', { id: 1, confirm });
    expect(refusal(await run('flat__wipe', { id: 1, confirm })).text).toContain(
      'is not valid for this call or was already used',
    );
    expect(received()).toHaveLength(1);
  });

  test.each<[string, string, Json]>([
    ['other arguments', 'flat__wipe', { id: 2 }],
    ['another tool', 'flat__wipe_more', { id: 1 }],
    ['the same tool of another server', 'packed__wipe', { id: 1 }],
  ])('a token for one call does not confirm %s', async (__, name, args) => {
    const { confirm } = refusal(await run('flat__wipe', { id: 1 }));
    const second = refusal(await run(name, { ...args, confirm }));
    expect(second.text).toContain('is not valid for this call');
    expect(received()).toEqual([]);
    expect(textOf(await run(name, { ...args, confirm: second.confirm }))).toMatch(/ done$/);
  });

  test('a made-up token is refused', async () => {
    refusal(await run('flat__wipe', { id: 1, confirm: 'yes' }));
    refusal(await run('flat__wipe', { id: 1, confirm: true }));
    expect(received()).toEqual([]);
  });

  test.each<[string, (more: Json) => [string, Json]]>([
    ['packed_call', (more) => ['packed_call', { tool: 'wipe', params: { id: 5 }, ...more }]],
    ['call_tool', (more) => ['call_tool', { name: 'found__wipe', arguments: { id: 5 }, ...more }]],
  ])('%s accepts the token next to the arguments', async (__, wrap) => {
    const { confirm } = refusal(await run(...wrap({})));
    expect(received()).toEqual([]);
    expect(textOf(await run(...wrap({ confirm })))).toBe('wipe done');
    expect(received()).toEqual([{ id: 5 }]);
    refusal(await run(...wrap({ confirm })));
    expect(received()).toHaveLength(1);
  });

  test('confirmBy: human accepts the token only after a person approved the call, and once', async () => {
    const first = refusal(await run('human__wipe', { id: 1 }));
    expect(first).toMatchObject({ code: 'confirmation_required', by: 'person', confirm: expect.any(String) as string });
    expect(first.text).toBe(
      `human__wipe must be approved by a person. Nothing was done yet. Ask the user to approve it in Sluice's console, at ${gateway.url}/console/approvals. Once they have, repeat exactly this call with "confirm": "${first.confirm}" within 10 minutes.`,
    );
    const again = { id: 1, confirm: first.confirm };
    expect(refusal(await run('human__wipe', again))).toMatchObject({
      confirm: first.confirm,
      text: expect.stringContaining('still waits for a person') as string,
    });
    expect(received()).toEqual([]);
    const [waiting] = await waitingAt(gateway);
    expect(waiting).toMatchObject({ part: 'confirmations', kind: 'confirmation', decides: true, data: { id: 1 } });
    await decide(gateway, waiting, { approve: true });
    expect(await waitingAt(gateway)).toEqual([]);
    expect(refusal(await run('human__wipe', { ...again, id: 2 })).text).toContain('is not valid for this call');
    expect(received()).toEqual([]);
    expect(textOf(await run('human__wipe', again))).toBe('wipe done');
    expect(received()).toEqual([{ id: 1 }]);
    expect(refusal(await run('human__wipe', again)).text).toContain('was already used');
    expect(received()).toHaveLength(1);
  });

  test('confirmBy: human is not approved by a program, though nobody has to sign in', async () => {
    const { confirm } = refusal(await run('human__wipe', { id: 1 }));
    const [waiting] = await waitingAt(gateway, {});
    expect(waiting).toMatchObject({
      decides: false,
      refuses: true,
      why: expect.stringMatching(/in the console/) as string,
    });
    expect((await decide(gateway, waiting, { approve: true }, {})).status).toBe(403);
    expect(refusal(await run('human__wipe', { id: 1, confirm })).text).toContain('still waits');
    expect(received()).toEqual([]);
  });

  test.each<[string, Record<string, string>]>([
    ['another port', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:9' }],
    ['another name of this machine', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:9' }],
    ['another port, in an old browser', { origin: 'http://127.0.0.1:9' }],
  ])('a call that waits is neither shown to a page of %s, nor decided by it', async (_, headers) => {
    const { confirm } = refusal(await run('human__wipe', { id: 1 }));
    const [waiting] = await waitingAt(gateway);
    expect(await waitingAt(gateway, headers)).toEqual([]);
    for (const approve of [true, false])
      expect((await decide(gateway, waiting, { approve }, headers)).status).toBe(404);
    expect(refusal(await run('human__wipe', { id: 1, confirm })).text).toContain('still waits');
    expect(received()).toEqual([]);
  });

  test('confirmBy: human accepts no token of an ordinary call', async () => {
    const { confirm } = refusal(await run('flat__wipe', { id: 1 }));
    refusal(await run('human__wipe', { id: 1, confirm }));
    expect(received()).toEqual([]);
  });

  test.each(['flat__wipe', 'human__wipe'])('a person refuses %s in the console: the token is void', async (name) => {
    const { confirm } = refusal(await run(name, { id: 1 }));
    const [waiting] = await waitingAt(gateway);
    await decide(gateway, waiting, { approve: false, note: 'Not on a Friday' });
    const { text, code } = refusal(await run(name, { id: 1, confirm }));
    expect(text).toBe(`A person refused ${name}: Not on a Friday. Nothing was done.`);
    expect(code).toBe('forbidden');
    expect(received()).toEqual([]);
    expect(await waitingAt(gateway)).toEqual([]);
  });
});

describe('without authentication, a page of another origin', () => {
  test.each(['legacy', 'modern'] as const)('cannot answer its own question, if a person has to (%s)', async (era) => {
    const asked: string[] = [];
    const headers = { 'sec-fetch-site': 'same-site', origin: 'http://localhost:9' };
    await using page = await connectV2(gateway, {
      era,
      headers,
      answer: (method) => {
        asked.push(method);
        return action('accept')();
      },
    });
    expect(refusal(await callTool(page, 'human__wipe', { id: 1 })).text).toContain('must be approved by a person');
    expect(asked).toEqual([]);
    expect(received()).toEqual([]);
    // What any caller may confirm, its user may confirm.
    expect(textOf(await callTool(page, 'flat__wipe', { id: 1 }))).toBe('wipe done');
    expect(asked).toEqual(['elicitation/create']);
  });

  test.each<[string, Record<string, string>]>([
    ['another port', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:9' }],
    ['another origin, in an old browser', { origin: 'http://localhost:9' }],
  ])('from %s has no rights of an admin', async (_, headers) => {
    const admins = async (as: Record<string, string>) => {
      const { status, messages } = await send(`${gateway.url}/api/v1/keys`, { headers: as });
      return [status, JSON.stringify(messages)];
    };
    expect(await admins(headers)).toEqual([
      403,
      expect.stringContaining('the scope admin, which a page of another origin cannot have'),
    ]);
    expect(await admins(ownPage)).toEqual([200, expect.any(String)]);
    const tools = (await ask(gateway.mcp, 'tools/list', {}, { headers })).result as { tools: { name: string }[] };
    expect(tools.tools.map(({ name }) => name)).not.toContain('gateway_remove_server');
  });
});

describe('a call that waits when the gateway restarts', () => {
  test('can be approved, and made, afterwards', async () => {
    const home = await mkdtemp(join(tmpdir(), 'sluice-test-'));
    const config = { mcpServers: { human: { ...strict.entry, confirm: ['wipe*'], confirmBy: 'human' } } };
    const tokens: string[] = [];
    {
      await using before = await startGateway(config, { home });
      for (const id of [1, 2])
        tokens.push(refusal((await call(before.mcp, 'human__wipe', { id })).result).confirm as string);
      const approved = (await waitingAt(before)).find(({ data }) => (data as Json).id === 2);
      await decide(before, approved, { approve: true });
    }
    await using after = await startGateway(config, { home });
    const [waiting, ...others] = await waitingAt(after);
    expect([waiting?.data, others]).toEqual([{ id: 1 }, []]);
    const made = async (id: number) =>
      (await call(after.mcp, 'human__wipe', { id, confirm: tokens[id - 1] as string })).result;
    expect(refusal(await made(1)).text).toContain('still waits');
    expect(textOf(await made(2))).toBe('wipe done');
    await decide(after, waiting, { approve: true });
    expect(textOf(await made(1))).toBe('wipe done');
    expect(received()).toEqual([{ id: 2 }, { id: 1 }]);
    await rm(home, { recursive: true, force: true });
  });
});

test('a confirmed call through _read accepts the token too', async () => {
  await using other = await startGateway({
    mcpServers: { s: { ...strict.entry, confirm: ['look'], expose: 'compact' } },
  });
  const { confirm } = refusal((await call(other.mcp, 's_read', { tool: 'look' })).result);
  expect(received()).toEqual([]);
  expect(textOf((await call(other.mcp, 's_read', { tool: 'look', confirm })).result)).toBe('look done');
});

describe('our own tool that deletes', () => {
  const has = (name: string) => gateway.runtime.apis.gateway.backend(name) !== undefined;
  const add = (name: string) => call(gateway.mcp, 'gateway_add_server', { name, server: strict.entry });

  test('declares the argument confirm, and a token confirms it', async () => {
    await add('temporary');
    const { tools } = (await ask(gateway.mcp, 'tools/list')).result as {
      tools: { name: string; inputSchema: { properties: Json } }[];
    };
    const remove = tools.find(({ name }) => name === 'gateway_remove_server');
    expect(Object.keys(remove?.inputSchema.properties ?? {})).toEqual(['name', 'confirm']);
    const { confirm, text } = refusal((await call(gateway.mcp, 'gateway_remove_server', { name: 'temporary' })).result);
    expect(text).toContain(
      'This stops and forgets the server temporary (http, RUNNING, 3 tools). No route or toolset names it. Nothing was done yet.',
    );
    expect(has('temporary')).toBe(true);
    const { result } = await call(gateway.mcp, 'gateway_remove_server', { name: 'temporary', confirm });
    expect(result.structuredContent).toEqual({ name: 'temporary', removed: true });
    expect(has('temporary')).toBe(false);
  });

  test.each<[string, Json, RegExp]>([
    ['an unknown server', { name: 'nobody' }, /^No server nobody\./],
    ['a server of the file', { name: 'flat' }, /^flat is in the configuration file\. Remove it there/],
    ['arguments that make no sense', { nmae: 'flat' }, /^gateway_remove_server was not called: /],
  ])('refuses an impossible call before asking: %s', async (_, args, words) => {
    const { text, confirm } = refusal((await call(gateway.mcp, 'gateway_remove_server', args)).result);
    expect(text).toMatch(words);
    expect(confirm).toBeUndefined();
    await using client = await connectV2(gateway, {
      era: 'modern',
      answer: () => expect.unreachable('nobody should be asked'),
    });
    expect(refusal(await callTool(client, 'gateway_remove_server', args)).text).toMatch(words);
  });

  test.each(['legacy', 'modern'] as const)('is confirmed by the user (%s)', async (era) => {
    await add('temporary');
    {
      await using no = await connectV2(gateway, { era, answer: action('decline') });
      refusal(await callTool(no, 'gateway_remove_server', { name: 'temporary' }));
      expect(has('temporary')).toBe(true);
    }
    await using yes = await connectV2(gateway, { era, answer: action('accept') });
    expect(await callTool(yes, 'gateway_remove_server', { name: 'temporary' })).toMatchObject({
      structuredContent: { removed: true },
    });
    expect(has('temporary')).toBe(false);
  });

  test('adding and restarting a server need no confirmation', async () => {
    expect((await add('again')).result.isError).toBeUndefined();
    expect(
      (await call(gateway.mcp, 'gateway_restart_server', { name: 'again' })).result.structuredContent,
    ).toMatchObject({ state: 'RUNNING' });
  });
});

describe('a parked call', () => {
  const capabilities = { elicitation: {} };
  const start = async () => {
    const { result } = await call(gateway.mcp, 'flat__wipe', { id: 7 }, { capabilities });
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { q1: { method: 'elicitation/create' } },
      requestState: expect.any(String) as string,
    });
    return result.requestState as string;
  };
  const answer = (requestState: string, name = 'flat__wipe', args: Json = { id: 7 }) =>
    call(gateway.mcp, name, args, {
      capabilities,
      params: { requestState, inputResponses: { q1: { action: 'accept', content: {} } } },
    });

  test('runs with the arguments the user saw, whatever the answer contains', async () => {
    const { result } = await answer(await start(), 'flat__wipe', { id: 666 });
    expect(textOf(result)).toBe('wipe done');
    expect(received()).toEqual([{ id: 7 }]);
  });

  test('is answered once', async () => {
    const state = await start();
    await answer(state);
    expect((await answer(state)).error).toMatchObject({ code: -32602, data: { retryable: true } });
    expect(received()).toHaveLength(1);
  });

  test('is not resumed by a call of another tool', async () => {
    const state = await start();
    expect((await answer(state, 'flat__wipe_more')).error).toMatchObject({ code: -32602 });
    expect(received()).toEqual([]);
  });

  test('does not run while it waits, nor when the answer is no', async () => {
    const state = await start();
    expect(received()).toEqual([]);
    const { result } = await call(
      gateway.mcp,
      'flat__wipe',
      { id: 7 },
      { capabilities, params: { requestState: state, inputResponses: { q1: { action: 'decline' } } } },
    );
    refusal(result);
    expect(received()).toEqual([]);
  });

  test('asks again when the answer lacks the confirmation', async () => {
    const state = await start();
    const { result } = await call(
      gateway.mcp,
      'flat__wipe',
      { id: 7 },
      { capabilities, params: { requestState: state, inputResponses: { other: { action: 'accept' } } } },
    );
    expect(result).toMatchObject({ resultType: 'input_required' });
    expect(result.requestState).not.toBe(state);
    expect(textOf((await answer(result.requestState as string)).result)).toBe('wipe done');
  });
});

describe('a token works once, whichever way it is sent', () => {
  test.each<[string, (more: Json) => [string, Json]]>([
    ['the tool itself', (more) => ['old__wipe', { id: 1, ...more }]],
    ['packed_call', (more) => ['oldpacked_call', { tool: 'wipe', params: { id: 1 }, ...more }]],
    ['call_tool', (more) => ['call_tool', { name: 'oldfound__wipe', arguments: { id: 1 }, ...more }]],
  ])('to %s', async (_, wrap) => {
    // A 2025 server never sees a requestState, so it cannot tell these calls apart.
    await using backend = await startScripted('legacy', {
      'tools/list': () => ({ tools: [{ name: 'wipe', inputSchema: { type: 'object' } }] }),
      'tools/call': () => ({ content: [{ type: 'text', text: 'wiped' }] }),
    });
    const entry = { ...backend.entry, confirm: ['wipe'] };
    await using other = await startGateway({
      mcpServers: {
        old: entry,
        oldpacked: { ...entry, expose: 'compact' },
        oldfound: { ...entry, expose: 'search' },
      },
    });
    const ran = () => backend.received.filter(({ method }) => method === 'tools/call').length;
    const run = async (more: Json, params: Json = {}) => {
      const [name, args] = wrap(more);
      return (await call(other.mcp, name, args, { params })).result as CallResult;
    };
    const { confirm } = refusal(await run({}));
    for (let count = 0; count < 3; count++) refusal(await run({}, { requestState: confirm }));
    expect(ran()).toBe(0);
    const answers = await Promise.all([1, 2, 3, 4].map(() => run({ confirm }, { requestState: confirm })));
    expect(answers.filter(({ isError }) => isError !== true).map(textOf)).toEqual(['wiped']);
    refusal(await run({ confirm }, { requestState: confirm }));
    refusal(await run({}, { requestState: confirm, inputResponses: {} }));
    expect(ran()).toBe(1);

    const invoke = (token?: string) =>
      send(`${other.url}/api/v1/mcp/invoke`, {
        body: { name: 'old__wipe', arguments: { id: 2 }, ...(token !== undefined && { confirm: token }) },
      });
    const first = (await invoke()).messages[0]?.result as CallResult;
    const token = refusal(first).confirm as string;
    const statuses = await Promise.all([1, 2, 3].map(async () => (await invoke(token)).status));
    expect(statuses.sort((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(ran()).toBe(2);
  });

  test('a confirmed call to a 2026 server continues once for each answer', async () => {
    const question = { method: 'elicitation/create', params: { message: '?', requestedSchema: { type: 'object' } } };
    await using backend = await startScripted('modern', {
      'tools/list': () => ({ tools: [{ name: 'wipe', inputSchema: { type: 'object' } }] }),
      'tools/call': ({ requestState }) =>
        requestState === undefined
          ? { resultType: 'input_required', inputRequests: { q: question }, requestState: 'first' }
          : { content: [{ type: 'text', text: 'wiped' }] },
    });
    await using other = await startGateway({ mcpServers: { s: { ...backend.entry, confirm: ['wipe'] } } });
    const { confirm } = refusal((await call(other.mcp, 's__wipe')).result);
    const { result } = await call(other.mcp, 's__wipe', { confirm });
    expect(result.resultType).toBe('input_required');
    const goOn = () =>
      call(
        other.mcp,
        's__wipe',
        {},
        { params: { requestState: result.requestState, inputResponses: { q: { action: 'accept', content: {} } } } },
      );
    const answers = await Promise.all([goOn(), goOn(), goOn()]);
    expect(answers.filter((answer) => answer.result.isError !== true)).toHaveLength(1);
    refusal((await goOn()).result);
    expect(backend.received.filter(({ params }) => params.requestState === 'first')).toHaveLength(1);
  });
});

describe('a person decides in the console, with authentication', () => {
  let guarded: TestGateway;
  type Credential = { readonly id: string; readonly headers: Record<string, string> };
  let asker: Credential;
  let admin: Credential;
  let boss: Credential;

  beforeAll(async () => {
    guarded = await startGateway({
      auth: { mode: 'keys' },
      mcpServers: {
        flat: { ...strict.entry, confirm: ['wipe*'] },
        human: { ...strict.entry, confirm: ['wipe*'], confirmBy: 'human' },
      },
    });
    asker = await key('asker', ['tools:execute']);
    admin = await key('admin', ['admin']);
    boss = await key('boss', ['admin']);
  });
  afterAll(() => guarded[Symbol.asyncDispose]());
  afterEach(async () => {
    for (const item of await waitingAt(guarded, admin.headers))
      await decide(guarded, item, { approve: false }, admin.headers);
  });

  async function key(name: string, scopes: string[], more: Partial<KeyGrant> = {}): Promise<Credential> {
    const made = await createKey(guarded.runtime.store.keys, {
      name,
      scopes,
      createdBy: 'test',
      createdAt: new Date().toISOString(),
      ...more,
    });
    return { id: made.id, headers: { authorization: `Bearer ${made.key}` } };
  }

  /** The headers of a browser that signed in with a key. */
  async function browser({ headers }: Credential): Promise<Record<string, string>> {
    const answer = await send(`${guarded.url}/api/v1/session`, { method: 'POST', headers, body: {} });
    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    return { cookie, 'x-sluice-csrf': (answer.messages[0] as { csrf: string }).csrf };
  }

  const run = async (name: string, args: Json, { headers }: Credential = asker) =>
    (await call(guarded.mcp, name, args, { headers })).result;

  test('a person with another key approves it, and who decided is on record', async () => {
    const { confirm } = refusal(await run('human__wipe', { id: 1 }));
    const page = await browser(admin);
    const [item] = await waitingAt(guarded, page);
    expect(item).toMatchObject({
      title: 'May asker call human__wipe?',
      by: 'asker',
      decides: true,
      data: { id: 1 },
      since: expect.any(String) as string,
      expires: expect.any(String) as string,
    });
    const { status, message } = await decide(guarded, item, { approve: true, note: 'fine' }, page);
    expect([status, message]).toEqual([200, 'You approved human__wipe. It runs when asker repeats the call.']);
    expect(textOf(await run('human__wipe', { id: 1, confirm }))).toBe('wipe done');
    const { events } = await guarded.stored({ type: 'gateway.confirmation_decided', audit: true });
    expect(events.map(({ data }) => data)).toMatchObject([
      { tool: 'human__wipe', caller: `key:${asker.id}`, approved: true, note: 'fine', principal: `key:${admin.id}` },
    ]);
  });

  test.each<[string, () => Promise<Record<string, string>>, RegExp]>([
    ['with its own key', async () => asker.headers, /Only a person can approve it/],
    ['in a session made of its own key', () => browser(asker), /the key that asks for it/],
    ['with the key of an admin, but without a browser', async () => admin.headers, /Only a person can approve it/],
  ])('a program that asked does not approve it itself %s', async (_, who, why) => {
    const { confirm } = refusal(await run('human__wipe', { id: 1 }));
    const headers = await who();
    const [item] = await waitingAt(guarded, headers);
    expect(item).toMatchObject({ decides: false, refuses: true, why: expect.stringMatching(why) as string });
    const { status, message } = await decide(guarded, item, { approve: true }, headers);
    expect([status, message]).toEqual([403, expect.stringMatching(why)]);
    refusal(await run('human__wipe', { id: 1, confirm }));
    expect(received()).toEqual([]);
  });

  test('a session without its CSRF token decides nothing', async () => {
    refusal(await run('human__wipe', { id: 1 }));
    const { cookie = '' } = await browser(admin);
    const [item] = await waitingAt(guarded, { cookie });
    expect((await decide(guarded, item, { approve: true }, { cookie })).status).toBe(403);
  });

  test('an admin who asked needs another one', async () => {
    const { confirm } = refusal(await run('human__wipe', { id: 1 }, admin));
    const own = await browser(admin);
    const [item] = await waitingAt(guarded, own);
    expect((await decide(guarded, item, { approve: true }, own)).status).toBe(403);
    expect((await decide(guarded, item, { approve: true }, await browser(boss))).status).toBe(200);
    expect(textOf(await run('human__wipe', { id: 1, confirm }, admin))).toBe('wipe done');
  });

  test('the owner in person approves what the owner asked for', async () => {
    const password = 'correct horse battery staple';
    await using owned = await startGateway({
      auth: { mode: 'oauth', oauth: { builtin: { password } } },
      mcpServers: { human: { ...strict.entry, confirm: 'human' } },
    });
    const signedIn = await send(`${owned.url}/api/v1/session`, { method: 'POST', body: { password } });
    const cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const { messages } = await send(`${owned.url}/api/v1/session`, { headers: { cookie } });
    const page = { cookie, 'x-sluice-csrf': (messages[0] as { csrf: string }).csrf };
    const invoke = async (more: Json = {}) => {
      const body = { name: 'human__wipe', arguments: { id: 1 }, ...more };
      return (await send(`${owned.url}/api/v1/mcp/invoke`, { headers: page, body })).messages[0]?.result as CallResult;
    };
    const { confirm } = refusal(await invoke());
    const [item] = await waitingAt(owned, page);
    expect(item).toMatchObject({ decides: true });
    expect((await decide(owned, item, { approve: true }, page)).status).toBe(200);
    expect(textOf(await invoke({ confirm }))).toBe('wipe done');
  });

  test('others neither see it nor decide about it, and its token serves nobody else', async () => {
    const stranger = await key('stranger', ['tools:execute']);
    const { confirm } = refusal(await run('human__wipe', { id: 1 }));
    expect(await waitingAt(guarded, stranger.headers)).toEqual([]);
    const page = await browser(admin);
    const [item] = await waitingAt(guarded, page);
    for (const approve of [true, false])
      expect((await decide(guarded, item, { approve }, await browser(stranger))).status).toBe(404);
    await decide(guarded, item, { approve: true }, page);
    expect(refusal(await run('human__wipe', { id: 1, confirm }, stranger)).text).toContain(
      'is not valid for this call',
    );
    expect(textOf(await run('human__wipe', { id: 1, confirm }))).toBe('wipe done');
  });

  test('a key that could not call the tool cannot approve it', async () => {
    refusal(await run('human__wipe', { id: 1 }));
    for (const more of [{ readOnly: true }, { tools: ['flat__*'] }]) {
      const limited = await browser(await key(`limited-${Object.keys(more).join()}`, ['admin'], more));
      const [item] = await waitingAt(guarded, limited);
      expect(item).toMatchObject({ decides: false });
      expect((await decide(guarded, item, { approve: true }, limited)).status).toBe(403);
    }
  });

  test('of two who decide, the first one does', async () => {
    refusal(await run('human__wipe', { id: 1 }));
    const pages = [await browser(admin), await browser(boss)];
    const [item] = await waitingAt(guarded, pages[0]);
    const answers = await Promise.all(pages.map((page, at) => decide(guarded, item, { approve: at === 0 }, page)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 404]);
    expect((await decide(guarded, item, { approve: true }, pages[0])).message).toContain('does not wait any more');
  });

  test('the same call asked twice waits once; refusing it voids both tokens', async () => {
    const tokens = [];
    for (let count = 0; count < 2; count++) tokens.push(refusal(await run('flat__wipe', { id: 1 })).confirm);
    const items = await waitingAt(guarded, asker.headers);
    expect(items).toHaveLength(1);
    await decide(guarded, items[0], { approve: false, note: 'no' }, asker.headers);
    for (const confirm of tokens)
      expect(refusal(await run('flat__wipe', { id: 1, confirm })).text).toContain('A person refused flat__wipe: no.');
    expect(received()).toEqual([]);
  });

  test('an ordinary call that was made waits no longer, and cannot be refused', async () => {
    const { confirm } = refusal(await run('flat__wipe', { id: 1 }));
    const [item] = await waitingAt(guarded, asker.headers);
    expect(textOf(await run('flat__wipe', { id: 1, confirm }))).toBe('wipe done');
    expect(await waitingAt(guarded, asker.headers)).toEqual([]);
    expect((await decide(guarded, item, { approve: false }, asker.headers)).status).toBe(404);
  });

  test('an ordinary call that was approved runs as usual', async () => {
    const { confirm } = refusal(await run('flat__wipe', { id: 1 }));
    const page = await browser(admin);
    await decide(guarded, (await waitingAt(guarded, page))[0], { approve: true }, page);
    expect(await waitingAt(guarded, page)).toEqual([]);
    expect(textOf(await run('flat__wipe', { id: 1, confirm }))).toBe('wipe done');
  });

  test('after ten minutes nobody can approve it', async () => {
    const { confirm } = refusal(await run('human__wipe', { id: 1 }));
    const page = await browser(admin);
    const [item] = await waitingAt(guarded, page);
    await guarded.runtime.store.tables.change('UPDATE confirmations SET expires = ?', Date.now() - 1);
    expect((await decide(guarded, item, { approve: true }, page)).status).toBe(404);
    expect(refusal(await run('human__wipe', { id: 1, confirm })).text).toContain('is not valid for this call');
  });

  test('one caller can list only so many', async () => {
    for (let id = 0; id < 60; id++) refusal(await run('flat__wipe', { id }));
    expect(await waitingAt(guarded, asker.headers)).toHaveLength(50);
  });

  test.each([{}, { approve: 'yes' }, { approve: true, note: 'x'.repeat(3000) }, { approve: true, all: true }])(
    'a decision that is none is refused: %j',
    async (body) => {
      refusal(await run('flat__wipe', { id: 1 }));
      const [item] = await waitingAt(guarded, asker.headers);
      expect((await decide(guarded, item, body, asker.headers)).status).toBe(400);
      for (const at of [
        { part: 'nobody', id: 'x' },
        { part: '__proto__', id: 'x' },
        { part: 'confirmations', id: '../x' },
      ])
        expect((await decide(guarded, at, { approve: true }, asker.headers)).status).toBe(404);
    },
  );
});
