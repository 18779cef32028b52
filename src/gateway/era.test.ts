import { describe, expect, test } from 'vitest';
import { localOwner } from '../kernel/principal.ts';
import type { CallContext, ClientFacts, Era, Json, Outcome } from '../kernel/source.ts';
import type { Handshake } from '../wire/handshake.ts';
import { MODERN, meta } from '../wire/versions.ts';
import { answerFor, answerRounds, askClient, canBeAsked, paramsFor } from './era.ts';

const TRACE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true };
const traceparent = `00-${TRACE.traceId}-${TRACE.spanId}-01`;

const client = (era: Era, capabilities: Json = {}, more: Partial<ClientFacts> = {}): ClientFacts => ({
  era,
  version: era === 'modern' ? MODERN : '2025-11-25',
  capabilities,
  ...more,
});
const backend = (era: Era): Handshake => ({
  era,
  version: era === 'modern' ? MODERN : '2025-11-25',
  capabilities: {},
  info: {},
});

function context(
  facts: ClientFacts,
  ask: CallContext['ask'] = () => Promise.reject(new Error('nobody is asked')),
): CallContext {
  return { principal: localOwner, signal: new AbortController().signal, trace: TRACE, client: facts, notify() {}, ask };
}

describe('params on their way to a backend', () => {
  const envelope = {
    [meta.protocolVersion]: MODERN,
    [meta.clientCapabilities]: { roots: {} },
    [meta.clientInfo]: { name: 'me' },
  };

  test('within one era only the trace is added', () => {
    const params = { name: 'x', arguments: { a: 1 }, vendor: 1, _meta: { progressToken: 'p', 'acme/x': 1 } };
    expect(paramsFor(backend('legacy'), params, context(client('legacy')), {})).toEqual({
      ...params,
      _meta: { ...params._meta, traceparent },
    });
    const modern = { name: 'x', inputResponses: {}, requestState: 's', _meta: { ...envelope, 'acme/x': 1 } };
    expect(paramsFor(backend('modern'), modern, context(client('modern')), {})).toEqual({
      ...modern,
      _meta: { ...modern._meta, traceparent },
    });
  });

  test('to a 2025 backend lose the envelope and the retry fields of 2026', () => {
    const params = {
      name: 'x',
      inputResponses: {},
      requestState: 's',
      _meta: { ...envelope, 'acme/x': 1, progressToken: 1 },
    };
    expect(paramsFor(backend('legacy'), params, context(client('modern')), {})).toEqual({
      name: 'x',
      _meta: { 'acme/x': 1, progressToken: 1, traceparent },
    });
  });

  test('to a 2026 backend describe a 2025 client, with the capabilities that 2026 knows', () => {
    const facts = client(
      'legacy',
      { elicitation: { form: {} }, tasks: {} },
      { info: { name: 'old' }, logLevel: 'info' },
    );
    expect(paramsFor(backend('modern'), { name: 'x' }, context(facts), { name: 'sluice' })).toEqual({
      name: 'x',
      _meta: {
        traceparent,
        [meta.protocolVersion]: MODERN,
        [meta.clientInfo]: { name: 'old' },
        [meta.clientCapabilities]: { elicitation: { form: {} } },
        [meta.logLevel]: 'info',
      },
    });
    expect(paramsFor(backend('modern'), undefined, context(client('legacy')), { name: 'sluice' })._meta).toMatchObject({
      [meta.clientInfo]: { name: 'sluice' },
    });
  });

  test('a caller cannot forge the envelope', () => {
    const forged = {
      name: 'x',
      _meta: { [meta.clientInfo]: { name: 'forged' }, [meta.clientCapabilities]: { sampling: {} } },
    };
    const { _meta } = paramsFor(
      backend('modern'),
      forged,
      context(client('legacy', {}, { info: { name: 'real' } })),
      {},
    );
    expect(_meta).toMatchObject({ [meta.clientInfo]: { name: 'real' }, [meta.clientCapabilities]: {} });
  });

  test('tracestate and baggage go on with the trace', () => {
    const traced = { ...context(client('legacy')), trace: { ...TRACE, tracestate: 'a=1', baggage: 'k=v' } };
    expect(paramsFor(backend('legacy'), { _meta: { traceparent: 'old' } }, traced, {})._meta).toEqual({
      traceparent,
      tracestate: 'a=1',
      baggage: 'k=v',
    });
  });
});

describe('an answer on its way to a client', () => {
  const result = { content: [], vendor: { x: 1 } };

  test('within one era it is the same object', () => {
    const answer = { result: { ...result, resultType: 'complete' } };
    expect(answerFor(client('legacy'), backend('legacy'), 'tools/call', answer)).toBe(answer);
    expect(answerFor(client('modern'), backend('modern'), 'tools/call', answer)).toBe(answer);
  });

  test('2026 gets `complete`, and how long a list or a resource may be cached', () => {
    expect(answerFor(client('modern'), backend('legacy'), 'tools/call', { result })).toEqual({
      result: { resultType: 'complete', ...result },
    });
    expect(answerFor(client('modern'), backend('legacy'), 'resources/read', { result: { contents: [] } })).toEqual({
      result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', contents: [] },
    });
    expect(answerFor(client('modern'), backend('modern'), 'tools/call', { result })).toMatchObject({
      result: { resultType: 'complete' },
    });
  });

  test.each(['{"content":[],"n":1.0}', '{}'])('text of a result stays text: %s', (json) => {
    const answer = answerFor(client('modern'), backend('legacy'), 'tools/call', {
      result: JSON.parse(json) as Json,
      json,
    }) as { json: string };
    expect(JSON.parse(answer.json)).toEqual({ resultType: 'complete', ...(JSON.parse(json) as Json) });
    expect(answer.json.includes('1.0')).toBe(json.includes('1.0'));
  });

  test('2025 gets neither the fields of 2026 nor structured content that is no object', () => {
    const modern = { resultType: 'complete', ttlMs: 5, cacheScope: 'public', ...result };
    expect(
      answerFor(client('legacy'), backend('modern'), 'tools/call', { result: { ...modern, structuredContent: [1] } }),
    ).toEqual({ result });
    expect(
      answerFor(client('legacy'), backend('modern'), 'tools/call', {
        result: { ...modern, structuredContent: { a: 1 } },
      }),
    ).toEqual({ result: { ...result, structuredContent: { a: 1 } } });
  });

  test.each<[Era, Era, number, number]>([
    ['modern', 'legacy', -32002, -32602],
    ['modern', 'legacy', -32050, -32050],
    ['legacy', 'modern', -32020, -32600],
    ['legacy', 'modern', -32021, -32600],
    ['legacy', 'modern', -32022, -32600],
    ['legacy', 'modern', -32602, -32602],
    ['legacy', 'legacy', -32002, -32002],
  ])('a %s client of a %s backend gets %i as %i, with the same data and message', (to, from, given, code) => {
    const error = { code: given, message: 'No', data: { why: 1 } };
    expect(answerFor(client(to), backend(from), 'tools/call', { error })).toEqual({ error: { ...error, code } });
  });
});

describe('asking a client', () => {
  const asking = (answer: Outcome, asked: [string, Json | undefined][] = []): CallContext['ask'] => {
    return async (method, params) => {
      asked.push([method, params]);
      return answer;
    };
  };

  test('happens only if it can be asked', async () => {
    const able = context(client('legacy', { elicitation: {} }), asking({ result: { action: 'accept' } }));
    expect(await askClient(able, 'elicitation/create', {})).toEqual({ result: { action: 'accept' } });
    expect(await askClient(able, 'sampling/createMessage', {})).toMatchObject({
      error: { code: -32601, message: expect.stringContaining('sampling') as string },
    });
    expect(await askClient(able, 'tools/call', {})).toMatchObject({ error: { code: -32601 } });
    expect(await askClient(context(client('legacy', { roots: true })), 'roots/list', undefined)).toMatchObject({
      error: { code: -32601 },
    });
  });

  test('for a 2026 backend repeats until the answer is complete', async () => {
    const asked: [string, Json | undefined][] = [];
    const able = context(client('legacy', { elicitation: {}, roots: {} }), asking({ result: { ok: 1 } }, asked));
    const ask = (state: string, ...methods: string[]) => ({
      result: {
        resultType: 'input_required',
        requestState: state,
        inputRequests: Object.fromEntries(methods.map((method, i) => [`k${i}`, { method, params: { n: i } }])),
      },
    });
    const again: [Json, string | undefined][] = [];
    const answers = [ask('two', 'roots/list'), { result: { content: [] } }];
    const answer = await answerRounds(
      ask('one', 'elicitation/create', 'roots/list'),
      able,
      async (responses, state) => {
        again.push([responses, state]);
        return answers.shift() as { result: Json };
      },
    );
    expect(answer).toEqual({ result: { content: [] } });
    expect(asked.map(([method]) => method)).toEqual(['elicitation/create', 'roots/list', 'roots/list']);
    expect(again).toEqual([
      [{ k0: { ok: 1 }, k1: { ok: 1 } }, 'one'],
      [{ k0: { ok: 1 } }, 'two'],
    ]);
  });

  test('to open a page needs an id in 2025', async () => {
    const asked: [string, Json | undefined][] = [];
    const able = context(
      client('legacy', { elicitation: { url: {} } }),
      asking({ result: { action: 'accept' } }, asked),
    );
    const first = {
      result: {
        resultType: 'input_required',
        inputRequests: { a: { method: 'elicitation/create', params: { mode: 'url', url: 'https://x' } } },
      },
    };
    await answerRounds(first, able, async () => ({ result: {} }));
    expect(asked[0]?.[1]).toMatchObject({ mode: 'url', url: 'https://x', elicitationId: expect.any(String) as string });
  });

  test('ends if the client cannot answer, or the server asks nonsense or never stops', async () => {
    const endless = { result: { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } } };
    const able = context(client('legacy', { roots: {} }), asking({ result: { roots: [] } }));
    await expect(answerRounds(endless, able, async () => endless)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('10 rounds') as string,
    });
    await expect(answerRounds(endless, context(client('legacy')), async () => endless)).rejects.toMatchObject({
      code: 'unsupported',
    });
    const nonsense = { result: { resultType: 'input_required', inputRequests: { a: 'roots/list' } } };
    await expect(answerRounds(nonsense, able, async () => endless)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

test.each<[string, ClientFacts, boolean]>([
  ['elicitation', client('legacy', { elicitation: {} }, { session: 's' }), true],
  ['sampling', client('legacy', { sampling: {} }, { session: 's' }), true],
  ['roots', client('legacy', { roots: {} }, { session: 's' }), true],
  ['nothing that could be asked', client('legacy', { experimental: {} }, { session: 's' }), false],
  ['no session to be asked in', client('legacy', { elicitation: {} }), false],
  ['2026, where questions are results', client('modern', { elicitation: {} }, { session: 's' }), false],
])('whether a 2025 server can ask a client with %s', (_, facts, expected) => {
  expect(canBeAsked(facts)).toBe(expected);
});
