import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createStateSeal } from '../../../src/gateway/sealed-state.ts';
import { callTool, connectV1, connectV2, type Json, startGateway, startReference, textOf } from '../harness.ts';
import { ask, call, said } from '../../support/exchange.ts';
import { as, serve } from '../../support/served-wire.ts';
import { startScripted } from '../../fixtures/scripted-server.ts';

const elicitation = { elicitation: { form: {} } };
const questions = (result: Json) => Object.keys(result.inputRequests as Json);
const accept = (result: Json) =>
  Object.fromEntries(questions(result).map((key) => [key, { action: 'accept', content: { value: 'yes' } }]));

/** What a client sends to continue after an input_required result. */
const answering = (result: Json, state = result.requestState) => ({
  capabilities: elicitation,
  params: { inputResponses: accept(result), requestState: state },
});

const strangeStates = [
  '',
  'a.b.c',
  'r.x.y',
  '{"a":[1,2]}',
  'zwölf € 𝄞 \u0000\n\r\u2028',
  '\ud800 alone',
  'x'.repeat(100_000),
];

test('a sealed requestState opens to the very same text', () => {
  const { seal, open } = createStateSeal(randomBytes(32));
  const owner = { backend: 'a', principal: 'alice', method: 'tools/call', name: 'ask' };
  for (const state of strangeStates) expect(open(owner, seal(owner, state))).toBe(state);
});

test('a sealed requestState opens for its own backend, principal, method and name only', () => {
  const { seal, open } = createStateSeal(randomBytes(32));
  const owner = { backend: 'a', principal: 'alice', method: 'tools/call', name: 'ask' };
  const sealed = seal(owner, 'state');
  expect(open({ ...owner, backend: 'b' }, sealed)).toBeUndefined();
  expect(open({ ...owner, principal: 'bob' }, sealed)).toBeUndefined();
  expect(open({ ...owner, method: 'prompts/get' }, sealed)).toBeUndefined();
  expect(open({ ...owner, name: 'other' }, sealed)).toBeUndefined();
  // Field boundaries count: "a" + "alice" is not "aa" + "lice".
  expect(open({ ...owner, backend: 'aa', principal: 'lice' }, sealed)).toBeUndefined();
  expect(createStateSeal(randomBytes(32)).open(owner, sealed)).toBeUndefined();
});

test('a sealed requestState that was changed in any place does not open', () => {
  const { seal, open } = createStateSeal(randomBytes(32));
  const owner = { backend: 'a', principal: 'alice', method: 'tools/call', name: 'ask' };
  const sealed = seal(owner, 'state');
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    expect(open(owner, sealed.slice(0, at) + other + sealed.slice(at + 1)), `character ${at}`).toBeUndefined();
  }
  for (const altered of [`${sealed}A`, `${sealed}.more`, sealed.slice(0, -1), '', 'r.', 'r..', 'state']) {
    expect(open(owner, altered), altered).toBeUndefined();
  }
});

test('the backend gets its requestState back byte for byte, and the client sees a sealed one', async () => {
  const returned: unknown[] = [];
  let minted = 0;
  await using backend = await startScripted('modern', {
    'tools/list': () => ({
      tools: [{ name: 'ask', inputSchema: { type: 'object' } }],
      ttlMs: 0,
      cacheScope: 'private',
    }),
    'tools/call': ({ requestState }) => {
      if (requestState !== undefined) {
        returned.push(requestState);
        return { content: [{ type: 'text', text: 'done' }] };
      }
      const inputRequests = {
        answer: { method: 'elicitation/create', params: { message: 'ask', requestedSchema: {} } },
      };
      return { resultType: 'input_required', inputRequests, requestState: strangeStates[minted++] };
    },
  });
  await using gateway = await startGateway({ mcpServers: { a: backend.entry } });
  for (const state of strangeStates) {
    const first = await call(gateway.mcp, 'a__ask', {}, { capabilities: elicitation });
    expect(first.result.requestState).toEqual(expect.any(String));
    expect(first.result.requestState).not.toBe(state);
    const second = await call(gateway.mcp, 'a__ask', {}, answering(first.result));
    expect(said(second)).toBe('done');
  }
  expect(returned.map((state, index) => state === strangeStates[index])).toEqual(strangeStates.map(() => true));
});

test('requestState of a 2026 backend is refused for another backend, tool or principal, and still works for its own', async () => {
  await using a = await startReference('http', 'modern');
  await using b = await startReference('http', 'modern');
  await using gateway = await startGateway({ mcpServers: { a: a.entry, b: b.entry } });
  await using wire = await serve(gateway);
  const args = { kind: 'elicitation', tag: 'T' };
  const { result } = await call(wire.mcp, 'a__ask', args, { capabilities: elicitation, headers: as('alice') });
  expect(result.resultType).toBe('input_required');
  const retry = (name: string, user: string) => call(wire.mcp, name, args, { ...answering(result), headers: as(user) });
  for (const [name, user] of [
    ['b__ask', 'alice'],
    ['a__test_input_required_result_request_state', 'alice'],
    ['a__ask', 'bob'],
  ] as const) {
    const { error } = await retry(name, user);
    expect(error, `${name} by ${user}`).toMatchObject({
      code: -32602,
      message: expect.stringContaining('requestState'),
    });
  }
  const prompt = await ask(
    wire.mcp,
    'prompts/get',
    { name: 'a__test_simple_prompt', requestState: result.requestState },
    { headers: as('alice') },
  );
  expect(prompt.error).toMatchObject({ code: -32602 });
  expect(said(await retry('a__ask', 'alice'))).toContain('T {"action":"accept"');
});

test.each(['http', 'stdio'] as const)(
  'a call parked for a 2025 backend (%s) is resumed by its own principal and tool only, and once',
  async (transport) => {
    await using a = await startReference(transport, 'legacy');
    await using b = await startReference(transport, 'legacy');
    await using gateway = await startGateway({ mcpServers: { a: a.entry, b: b.entry } });
    await using wire = await serve(gateway);
    const args = { kind: 'elicitation', tag: 'T' };
    const { result } = await call(wire.mcp, 'a__ask', args, { capabilities: elicitation, headers: as('alice') });
    expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    expect(gateway.runtime.apis.gateway.parked()).toBe(1);
    const retry = (name: string, user: string, state?: string) =>
      call(wire.mcp, name, args, { ...answering(result, state), headers: as(user) });
    for (const [name, user] of [
      ['b__ask', 'alice'],
      ['a__test_elicitation', 'alice'],
      ['a__ask', 'bob'],
    ] as const) {
      const { error } = await retry(name, user);
      expect(error, `${name} by ${user}`).toMatchObject({ code: -32602, data: { retryable: true } });
    }
    const state = String(result.requestState);
    const guessed = state.slice(0, -1) + (state.endsWith('0') ? '1' : '0');
    expect((await retry('a__ask', 'alice', guessed)).error).toMatchObject({ code: -32602 });
    expect(gateway.runtime.apis.gateway.parked()).toBe(1);
    expect(said(await retry('a__ask', 'alice'))).toContain('T {"action":"accept"');
    expect(gateway.runtime.apis.gateway.parked()).toBe(0);
    expect((await retry('a__ask', 'alice')).error).toMatchObject({ code: -32602, data: { retryable: true } });
  },
);

interface WhoAmI {
  era: string;
  clientInfo: Json;
  clientCapabilities: Json;
}

const who = (text: string) => JSON.parse(text) as WhoAmI;
const roots = { roots: { listChanged: true } };
const sampling = { sampling: {} };

test.each(['http', 'stdio'] as const)(
  'a 2026 backend (%s) gets the client capabilities of each caller',
  async (transport) => {
    await using backend = await startReference(transport, 'modern');
    await using gateway = await startGateway({ mcpServers: { ref: backend.entry } });
    await using one = await connectV2(gateway, {
      era: 'modern',
      capabilities: roots,
      info: { name: 'one', version: '1' },
    });
    await using two = await connectV2(gateway, {
      era: 'modern',
      capabilities: sampling,
      info: { name: 'two', version: '2' },
    });
    await using old = await connectV1(gateway, {
      capabilities: { elicitation: {} },
      info: { name: 'old', version: '3' },
    });
    const answers = await Promise.all(
      [one, two, old].map(async (client) => who(textOf(await callTool(client, 'ref__whoami')))),
    );
    expect(answers).toMatchObject([
      { era: 'modern', clientInfo: { name: 'one' } },
      { era: 'modern', clientInfo: { name: 'two' } },
      { era: 'modern', clientInfo: { name: 'old' } },
    ]);
    const [first, second, third] = answers.map(({ clientCapabilities }) => clientCapabilities);
    expect(first).toEqual(roots);
    expect(second).toEqual(sampling);
    expect(Object.keys(third ?? {})).toEqual(['elicitation']);
  },
);

test.each(['http', 'sse', 'stdio'] as const)(
  'a 2025 backend with isolation: session (%s) gets the capabilities of the caller',
  async (transport) => {
    await using backend = await startReference(transport, 'legacy');
    await using gateway = await startGateway({ mcpServers: { ref: { ...backend.entry, isolation: 'session' } } });
    await using old = await connectV1(gateway, { capabilities: roots, info: { name: 'old', version: '1' } });
    await using none = await connectV1(gateway, { info: { name: 'none', version: '1' } });
    const seen = who(textOf(await callTool(old, 'ref__whoami')));
    expect(seen).toMatchObject({ era: 'legacy', clientInfo: { name: 'old' } });
    expect(seen.clientCapabilities).toEqual(roots);
    expect(who(textOf(await callTool(none, 'ref__whoami'))).clientCapabilities).toEqual({});
    const modern = who(said(await call(gateway.mcp, 'ref__whoami', {}, { capabilities: sampling })));
    expect(modern.clientCapabilities).toEqual(sampling);
  },
);

test.each(['http', 'stdio'] as const)(
  'a shared 2025 backend (%s) gets the capabilities that the gateway can pass on',
  async (transport) => {
    await using backend = await startReference(transport, 'legacy');
    await using gateway = await startGateway({ mcpServers: { ref: backend.entry } });
    await using none = await connectV1(gateway, {});
    await using all = await connectV1(gateway, { answer: () => ({ action: 'decline' }) });
    const seen = await Promise.all(
      [none, all].map(async (client) => who(textOf(await callTool(client, 'ref__whoami')))),
    );
    for (const { clientInfo, clientCapabilities } of seen) {
      expect(clientInfo).toMatchObject({ name: 'sluice' });
      expect(Object.keys(clientCapabilities).sort()).toEqual(['elicitation', 'roots', 'sampling']);
    }
    // Even so, a caller that cannot be asked is not asked.
    const refused = await callTool(none, 'ref__ask', { kind: 'elicitation', tag: 'T' }).catch(
      (error: unknown) => error,
    );
    expect(JSON.stringify(refused instanceof Error ? refused.message : refused)).toContain(
      'does not support elicitation',
    );
  },
);
