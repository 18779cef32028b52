import { beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { newLocalShared } from '../../test/support/local-shared.ts';
import { callTool, createCallPath, denial, previewTool } from './call.ts';
import type { Callable } from './callable.ts';
import type { ConfirmationDesk, Unconfirmed } from './confirmation.ts';
import { AppError } from './errors.ts';
import type { Fact } from './facts.ts';
import { localOwner, type Principal } from './principal.ts';
import type { Shared } from './shared.ts';
import type { CallContext, CallParams, Entry, Json, Outcome, Preview } from './source.ts';
import { toolsFor, Written } from './tool.ts';
import { traceFrom } from './trace.ts';

let facts: Fact[];
let ran: CallParams[];

beforeEach(() => {
  facts = [];
  ran = [];
});

const createPath = (shared: Pick<Shared, 'keep' | 'take'> = newLocalShared()) =>
  createCallPath({ record: (fact) => void facts.push(fact) }, { shared });

function tool(entry: Partial<Entry> = {}): Callable {
  return {
    name: 'ref__wipe',
    source: 'ref',
    entry: {
      tool: 'wipe',
      wire: { name: 'wipe', inputSchema: { type: 'object' } },
      effect: 'execute',
      scope: 'ref:execute',
      async call(params) {
        ran.push(params);
        return { result: { content: [] } };
      },
      ...entry,
    },
  };
}

function context(more: Partial<CallContext> = {}): CallContext {
  return {
    principal: localOwner,
    signal: new AbortController().signal,
    trace: traceFrom(),
    client: { era: 'legacy', version: '2025-11-25', capabilities: {} },
    notify() {},
    ask: () => Promise.reject(new Error('nobody may be asked here')),
    ...more,
  };
}

/** A client whose user gives this answer. */
function asking(answer: Outcome, asked: { method: string; params: Json | undefined }[] = []): Partial<CallContext> {
  return {
    client: { era: 'legacy', version: '2025-11-25', capabilities: { elicitation: {} } },
    async ask(method, params) {
      asked.push({ method, params });
      return answer;
    },
  };
}

const params = (args: Json = {}): CallParams => ({ name: 'ref__wipe', arguments: args });

function refusal(outcome: Outcome): { text: string; code: string; confirm?: string } {
  if ('error' in outcome) throw new Error(`a protocol error: ${outcome.error.message}`);
  expect(outcome.result.isError).toBe(true);
  const [{ text }] = outcome.result.content as [{ text: string }];
  return { text, ...((outcome.result._meta as Json)['sluice/error'] as { code: string; confirm?: string }) };
}

describe('a call', () => {
  test('is recorded at start and end, without its arguments', async () => {
    const given = context();
    await createPath().call(tool(), params({ password: 'hunter2' }), given);
    expect(facts).toMatchObject([
      { type: 'tool.call_received', tool: 'ref__wipe', source: 'ref', principal: 'local' },
      { type: 'tool.call_completed', tool: 'ref__wipe', source: 'ref', principal: 'local' },
    ]);
    expect(JSON.stringify(facts)).not.toContain('hunter2');
  });

  test('is recorded with the sizes of request and result', async () => {
    const call = async () => ({ result: { content: [{ type: 'text', text: 'hello' }] } });
    await createPath().call(tool({ call }), params(), { ...context(), bytes: 123 });
    expect(facts).toMatchObject([{ bytes: 123 }, { bytes: '{"content":[{"type":"text","text":"hello"}]}'.length }]);
  });

  test('that throws becomes an error result; the event does not contain its message', async () => {
    const outcome = await createPath().call(
      tool({ call: () => Promise.reject(new AppError('unavailable', 'Down: hunter2.')) }),
      params(),
      context(),
    );
    expect(refusal(outcome)).toMatchObject({ text: 'Down: hunter2.', code: 'unavailable', retryable: true });
    expect(facts[1]).toMatchObject({ type: 'tool.call_failed', reason: 'unavailable' });
    expect(JSON.stringify(facts)).not.toContain('hunter2');
  });

  test('that fails unexpectedly is logged with its cause and shown without it', async () => {
    const thrown = new TypeError("cannot read 'hunter2' of undefined");
    const logged: unknown[] = [];
    const path = createCallPath(
      { record: (fact) => void facts.push(fact) },
      { shared: newLocalShared(), unforeseen: (...given) => void logged.push(given) },
    );
    const given = context();
    const { traceId } = given.trace;
    const outcome = await path.call(tool({ call: () => Promise.reject(thrown) }), params(), given);
    expect(refusal(outcome)).toMatchObject({
      code: 'internal',
      text: `ref__wipe failed unexpectedly. Search Sluice's log for ${traceId} to find the cause.`,
    });
    expect(JSON.stringify(outcome)).not.toContain('hunter2');
    expect(logged).toEqual([[thrown, { traceId, tool: 'ref__wipe' }]]);
  });

  test('that was cancelled is a protocol error', async () => {
    const outcome = await createPath().call(
      tool({ call: () => Promise.reject(new AppError('cancelled', 'The client cancelled.')) }),
      params(),
      context(),
    );
    expect(outcome).toMatchObject({
      error: { code: -32000, message: 'The client cancelled.' },
      failed: { code: 'cancelled' },
    });
    expect(facts[1]).toMatchObject({ type: 'tool.call_failed', reason: 'cancelled' });
  });

  test('whose tool reports an error is recorded as failed and passed on unchanged', async () => {
    const failed = { result: { content: [], isError: true } };
    expect(await createPath().call(tool({ call: async () => failed }), params(), context())).toMatchObject(failed);
    expect(facts[1]).toMatchObject({ type: 'tool.call_failed', reason: 'tool error' });
    const error = { error: { code: -32050, message: 'no', data: { x: 1 } } };
    expect(await createPath().call(tool({ call: async () => error }), params(), context())).toBe(error);
    expect(facts[3]).toMatchObject({ type: 'tool.call_failed', reason: 'rpc -32050' });
  });
});

describe('who may call', () => {
  const key = (more: Partial<Principal>): Principal => ({ id: 'key', scopes: new Set(['ref:execute']), ...more });

  test.each([
    ['without the scope', key({ scopes: new Set(['ref:read']) }), /needs the scope ref:execute/],
    ['read-only', key({ readOnly: true }), /read-only/],
    ['limited to other tools', key({ tools: ['other_*'] }), /not among the tools/],
  ])('refuses a key that is %s, and runs nothing', async (_, principal, words) => {
    expect(denial(principal, tool())?.message).toMatch(words);
    const outcome = await createPath().call(tool(), params(), context({ principal }));
    expect(refusal(outcome)).toMatchObject({ code: 'forbidden', text: expect.stringMatching(words) as string });
    expect(ran).toEqual([]);
  });

  test('allows a key with the scope, with the glob, or read-only for a tool that reads', () => {
    expect(denial(key({ tools: ['ref__*'] }), tool())).toBeUndefined();
    expect(denial(key({ readOnly: true, scopes: 'all' }), tool({ effect: 'read' }))).toBeUndefined();
  });

  describe('a tool that can read and change', () => {
    const both = tool({
      scopes: ['ref:read', 'ref:write'],
      judge: ({ method = 'GET' }) =>
        method === 'GET' ? { effect: 'read', scope: 'ref:read' } : { effect: 'update', scope: 'ref:write' },
    });
    const reader = key({ scopes: new Set(['ref:read']) });

    test('is seen and may be read with by whoever may only read', async () => {
      for (const principal of [reader, key({ readOnly: true, scopes: new Set(['ref:read']) })]) {
        expect(denial(principal, both, 'see')).toBeUndefined();
        await createPath().call(both, params({ id: 1 }), context({ principal }));
      }
      expect(ran).toHaveLength(2);
    });

    test.each([
      ['without the scope to write', reader, /^This call of ref__wipe needs the scope ref:write or tools:execute/],
      ['read-only', key({ readOnly: true, scopes: new Set(['tools:execute']) }), /this key is read-only/],
    ])('refuses a change to a key that is %s', async (_, principal, words) => {
      const outcome = await createPath().call(both, params({ method: 'PUT' }), context({ principal }));
      expect(refusal(outcome)).toMatchObject({ code: 'forbidden', text: expect.stringMatching(words) as string });
      expect(ran).toEqual([]);
    });

    test('is seen by whoever may make some of its calls, and by nobody else', () => {
      expect(denial(key({ scopes: new Set(['ref:write']) }), both, 'see')).toBeUndefined();
      expect(denial(key({ scopes: new Set(['other:read']) }), both, 'see')).toBeDefined();
    });
  });
});

describe('confirmation by token', () => {
  const careful = tool({ confirm: true, declaresConfirm: true });

  test('forgets the oldest unused tokens of a caller that has very many', async () => {
    const path = createPath();
    const other = context({ principal: { id: 'other', scopes: 'all' } });
    const others = refusal(await path.call(careful, params({ id: -1 }), other)).confirm;
    const ask = async (id: number) => refusal(await path.call(careful, params({ id }), context())).confirm;
    const oldest = await ask(-1);
    let last: string | undefined;
    for (let id = 0; id < 1000; id++) last = await ask(id);
    await path.call(careful, params({ id: 999, confirm: last }), context());
    expect(ran).toHaveLength(1);
    refusal(await path.call(careful, params({ id: -1, confirm: oldest }), context()));
    expect(ran).toHaveLength(1);
    await path.call(careful, params({ id: -1, confirm: others }), other);
    expect(ran).toHaveLength(2);
  });

  test('the first call does nothing and hands out a token; the second with it runs once, without the token', async () => {
    const path = createPath();
    const first = refusal(await path.call(careful, params({ id: 1 }), context()));
    expect(first).toMatchObject({ code: 'confirmation_required', retryable: true });
    expect(first.text).toContain(`"confirm": "${first.confirm}"`);
    expect(ran).toEqual([]);
    expect(await path.call(careful, params({ id: 1, confirm: first.confirm }), context())).toMatchObject({
      result: { content: [] },
    });
    expect(ran).toEqual([params({ id: 1 })]);
    expect(refusal(await path.call(careful, params({ id: 1, confirm: first.confirm }), context())).text).toContain(
      'was already used',
    );
    expect(ran).toHaveLength(1);
  });

  test('a token used several times at once runs one call', async () => {
    const path = createPath();
    const { confirm } = refusal(await path.call(careful, params({ id: 1 }), context()));
    const given = { ...params({ id: 1, confirm }), requestState: confirm };
    const outcomes = await Promise.all([
      path.call(careful, given, context()),
      path.call(careful, given, context()),
      path.call(careful, params({ id: 1 }), context({ confirmToken: confirm as string })),
      // A user who could be asked, but then is not, gets to the token later.
      path.call(careful, given, context(asking({ error: { code: -32601, message: 'no stream' } }))),
    ]);
    expect(ran).toHaveLength(1);
    expect(outcomes.filter((outcome) => 'result' in outcome && outcome.result.isError === true)).toHaveLength(3);
  });

  test('the order of arguments does not matter', async () => {
    const path = createPath();
    const { confirm } = refusal(await path.call(careful, params({ a: 1, b: { c: 2, d: [3] } }), context()));
    await path.call(careful, params({ b: { d: [3], c: 2 }, a: 1, confirm }), context());
    expect(ran).toHaveLength(1);
  });

  test('a token is bound to the corrected arguments', async () => {
    const path = createPath();
    const ours = tool({ confirm: true, declaresConfirm: true, meant: ({ id }) => ({ id: String(id) }) });
    const { confirm } = refusal(await path.call(ours, params({ id: 5 }), context()));
    await path.call(ours, params({ id: '5' }), context({ confirmToken: confirm }));
    expect(ran).toEqual([params({ id: '5' })]);
  });

  test.each<[string, Callable, Json, Principal]>([
    ['other arguments', careful, { id: 2 }, localOwner],
    ['another tool', { ...careful, name: 'ref__erase' }, { id: 1 }, localOwner],
    ['another principal', careful, { id: 1 }, { id: 'someone', scopes: 'all' }],
  ])('a token is not valid for %s, and is used up afterwards', async (_, callable, args, principal) => {
    const path = createPath();
    const { confirm } = refusal(await path.call(careful, params({ id: 1 }), context()));
    const second = refusal(await path.call(callable, params({ ...args, confirm }), context({ principal })));
    expect(second.text).toContain('is not valid for this call');
    expect(second.confirm).not.toBe(confirm);
    refusal(await path.call(careful, params({ id: 1, confirm }), context()));
    expect(ran).toEqual([]);
  });

  test('a token expires after ten minutes', async () => {
    vi.useFakeTimers();
    try {
      const path = createPath();
      const { confirm } = refusal(await path.call(careful, params(), context()));
      vi.advanceTimersByTime(10 * 60_000 + 1);
      refusal(await path.call(careful, params({ confirm }), context()));
      expect(ran).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a wrapper passes the token beside the arguments', async () => {
    const path = createPath();
    const backend = tool({ confirm: true });
    const { confirm } = refusal(await path.call(backend, params({ id: 1 }), context()));
    await path.call(backend, params({ id: 1 }), context({ confirmToken: confirm }));
    expect(ran).toEqual([params({ id: 1 })]);
  });

  test('a backend never sees the token', async () => {
    const path = createPath();
    const backend = tool({ confirm: true });
    const { confirm } = refusal(await path.call(backend, params({ id: 1 }), context()));
    await path.call(backend, params({ id: 1, confirm }), context());
    expect(ran).toEqual([params({ id: 1 })]);
  });

  test('a backend’s own argument named confirm reaches it', async () => {
    const path = createPath();
    const backend = tool({
      confirm: true,
      wire: { name: 'wipe', inputSchema: { type: 'object', properties: { confirm: { type: 'string' } } } },
    });
    const { confirm } = refusal(await path.call(backend, params({ confirm: 'yes' }), context()));
    await path.call(backend, params({ confirm: 'yes' }), context({ confirmToken: confirm }));
    expect(ran).toEqual([params({ confirm: 'yes' })]);
  });

  test('a tool that needs no confirmation gets its arguments unchanged', async () => {
    await createPath().call(tool(), params({ confirm: 'yes' }), context());
    expect(ran).toEqual([params({ confirm: 'yes' })]);
  });
});

describe('confirmations with replicas', () => {
  const careful = tool({ confirm: true });
  /** What each replica sees of the same values: every answer is late. */
  const replicas = () => {
    const { keep, take } = newLocalShared();
    const late = {
      keep: async (...given: Parameters<Shared['keep']>) => keep(...given),
      take: async (key: string) => take(key),
    };
    return [createPath(late), createPath({ ...late })] as const;
  };

  test('a call that was asked about on one replica can be confirmed on another', async () => {
    const [here, there] = replicas();
    const { confirm } = refusal(await here.call(careful, params({ id: 1 }), context()));
    await there.call(careful, params({ id: 1, confirm }), context());
    expect(ran).toEqual([params({ id: 1 })]);
  });

  test('of two calls with one token on two replicas only one runs', async () => {
    const [here, there] = replicas();
    const { confirm } = refusal(await here.call(careful, params({ id: 1 }), context()));
    const both = await Promise.all(
      [here, there].map((path) => path.call(careful, params({ id: 1, confirm }), context())),
    );
    expect(ran).toHaveLength(1);
    expect(both.filter((outcome) => 'failed' in outcome)).toHaveLength(1);
  });

  test('a confirmed call that asks a question goes on on another replica', async () => {
    const [here, there] = replicas();
    const asks = tool({
      confirm: true,
      call: async (given) => {
        ran.push(given);
        return { result: { resultType: 'input_required', requestState: 'x'.repeat(5000) } };
      },
    });
    const { confirm } = refusal(await here.call(asks, params({ id: 1 }), context()));
    await here.call(asks, params({ id: 1, confirm }), context());
    await there.call(asks, { ...params({ id: 1 }), requestState: 'x'.repeat(5000) }, context());
    expect(ran).toHaveLength(2);
  });

  test('a token that cannot be looked up fails the call and says so', async () => {
    const down = new AppError('unavailable', 'The store cannot be reached.');
    const path = createPath({ keep: () => Promise.reject(down), take: () => Promise.reject(down) });
    const outcome = await path.call(careful, params({ id: 1, confirm: 'some-token' }), context());
    expect(refusal(outcome)).toMatchObject({ code: 'unavailable', text: 'The store cannot be reached.' });
    expect(ran).toEqual([]);
  });

  test('a call that succeeded does not fail because its question cannot be kept', async () => {
    const { keep, take } = newLocalShared();
    const down = new AppError('unavailable', 'The store cannot be reached.');
    const path = createPath({
      keep: (key, ...rest) => (key.startsWith('state ') ? Promise.reject(down) : keep(key, ...rest)),
      take,
    });
    const result = { resultType: 'input_required', requestState: 'state-1' };
    const asks = tool({ confirm: true, call: async () => ({ result }) });
    const { confirm } = refusal(await path.call(asks, params({ id: 1 }), context()));
    expect(await path.call(asks, params({ id: 1, confirm }), context())).toMatchObject({ result });
  });
});

describe('a confirmed call that asks a question', () => {
  const asks = tool({
    confirm: true,
    async call(given) {
      ran.push(given);
      const more = ran.length < 3 && { resultType: 'input_required', requestState: `state-${ran.length}` };
      return { result: { content: [], ...more } };
    },
  });
  const answered = (requestState: string, args: Json = { id: 1 }) => ({ ...params(args), requestState });

  test('is not confirmed again when its answers come, round after round', async () => {
    const path = createPath();
    const { confirm } = refusal(await path.call(asks, params({ id: 1 }), context()));
    await path.call(asks, params({ id: 1, confirm }), context());
    // The client repeats the request with the token it had, or without one.
    await path.call(asks, answered('state-1', { id: 1, confirm }), context());
    expect(await path.call(asks, answered('state-2'), context())).toMatchObject({ result: { content: [] } });
    expect(ran).toHaveLength(3);
  });

  test('continues once from each state: a replay runs nothing', async () => {
    const path = createPath();
    const { confirm } = refusal(await path.call(asks, params({ id: 1 }), context()));
    await path.call(asks, params({ id: 1, confirm }), context());
    await path.call(asks, answered('state-1'), context());
    refusal(await path.call(asks, answered('state-1'), context()));
    refusal(await path.call(asks, answered('state-1', { id: 1, confirm }), context()));
    expect(ran).toHaveLength(2);
    await Promise.all([1, 2, 3].map(() => path.call(asks, answered('state-2'), context())));
    expect(ran).toHaveLength(3);
  });

  test('a token is not accepted as a state, nor a state as a token', async () => {
    const path = createPath();
    const { confirm = '' } = refusal(await path.call(asks, params({ id: 1 }), context()));
    for (let count = 0; count < 3; count++) refusal(await path.call(asks, answered(confirm), context()));
    expect(ran).toEqual([]);
    await path.call(asks, params({ id: 1, confirm }), context());
    refusal(await path.call(asks, params({ id: 1, confirm: 'state-1' }), context()));
    refusal(await path.call(asks, params({ id: 1 }), context({ confirmToken: 'state-1' })));
    expect(ran).toHaveLength(1);
  });

  test('asks the person again when replayed, if a person must confirm', async () => {
    const path = createPath();
    const human = { ...asks, entry: { ...asks.entry, confirm: 'human' as const } };
    const asked: { method: string; params: Json | undefined }[] = [];
    const person = context(asking({ result: { action: 'accept', content: {} } }, asked));
    await path.call(human, params({ id: 1 }), person);
    await path.call(human, answered('state-1'), person);
    expect(asked).toHaveLength(1);
    await path.call(human, answered('state-1'), person);
    expect(asked).toHaveLength(2);
    refusal(await path.call(human, answered('state-1'), context()));
    expect(ran).toHaveLength(3);
  });

  test('needs confirmation again with other arguments or from another caller', async () => {
    const path = createPath();
    const { confirm } = refusal(await path.call(asks, params({ id: 1 }), context()));
    await path.call(asks, params({ id: 1, confirm }), context());
    refusal(await path.call(asks, answered('state-1', { id: 2 }), context()));
    refusal(await path.call(asks, answered('state-1'), context({ principal: { id: 'someone', scopes: 'all' } })));
    refusal(await path.call(asks, answered('made-up'), context()));
    expect(ran).toHaveLength(1);
  });
});

describe('confirmation by a person', () => {
  const careful = tool({ confirm: true, declaresConfirm: true });

  test('who agrees: it runs, and no token is needed', async () => {
    const asked: { method: string; params: Json | undefined }[] = [];
    await createPath().call(
      careful,
      params({ id: 1 }),
      context(asking({ result: { action: 'accept', content: {} } }, asked)),
    );
    expect(asked).toMatchObject([
      {
        method: 'elicitation/create',
        params: { mode: 'form', message: expect.stringContaining('ref__wipe') as string },
      },
    ]);
    expect(ran).toEqual([params({ id: 1 })]);
  });

  test.each(['decline', 'cancel'])(
    'who answers %s: nothing runs, and the model gets a result that says so',
    async (action) => {
      const outcome = await createPath().call(careful, params(), context(asking({ result: { action } })));
      expect(refusal(outcome)).toMatchObject({
        code: 'forbidden',
        text: 'The user did not allow ref__wipe. Nothing was done.',
      });
      expect(ran).toEqual([]);
    },
  );

  test('who cannot be reached after all: falls back to a token', async () => {
    const outcome = await createPath().call(
      careful,
      params(),
      context(asking({ error: { code: -32601, message: 'no stream' } })),
    );
    expect(refusal(outcome)).toMatchObject({ code: 'confirmation_required', confirm: expect.any(String) as string });
    expect(ran).toEqual([]);
  });

  test.each([
    [true, 'any'],
    ['human', 'human'],
  ] as const)('confirm: %s says so in the question', async (confirm, mark) => {
    const asked: { method: string; params: Json | undefined }[] = [];
    await createPath().call(
      tool({ confirm }),
      params(),
      context(asking({ result: { action: 'accept', content: {} } }, asked)),
    );
    expect(asked[0]?.params?._meta).toEqual({ 'sluice/confirm': mark });
  });

  test('a client that only opens pages is not asked for a form', async () => {
    const client = { era: 'legacy', version: '2025-11-25', capabilities: { elicitation: { url: {} } } } as const;
    expect(refusal(await createPath().call(careful, params(), context({ client }))).confirm).toEqual(
      expect.any(String),
    );
  });

  test('human accepts no token', async () => {
    const path = createPath();
    const human = tool({ confirm: 'human' });
    const first = refusal(await path.call(human, params(), context()));
    expect(first.confirm).toBeUndefined();
    expect(first.text).toContain('must be confirmed by a person');
    const { confirm } = refusal(await path.call(tool({ confirm: true }), params(), context()));
    refusal(await path.call(human, params({ confirm }), context({ confirmToken: confirm })));
    refusal(await path.call(human, params(), context(asking({ error: { code: -32601, message: 'no stream' } }))));
    expect(ran).toEqual([]);
    await path.call(human, params(), context(asking({ result: { action: 'accept' } })));
    expect(ran).toHaveLength(1);
  });
});

describe('a desk where people decide', () => {
  const human = tool({ confirm: 'human' });
  const careful = tool({ confirm: true });

  function opened(place: string | undefined = 'at the desk') {
    const waiting = new Map<string, Unconfirmed>();
    const decided = new Map<string, { decided: 'approved' | 'refused'; note?: string }>();
    const desk: ConfirmationDesk = {
      place: () => place,
      show: async (call) => void waiting.set(call.id, call),
      async verdict(id) {
        const call = waiting.get(id);
        return call && { need: call.need, binding: call.binding, decided: undefined, ...decided.get(id) };
      },
      remove: async (id) => void waiting.delete(id),
    };
    const path = createCallPath({ record: () => {} }, { shared: newLocalShared(), desk });
    const decide = (how: 'approved' | 'refused', note?: string) => {
      for (const id of waiting.keys()) decided.set(id, { decided: how, ...(note !== undefined && { note }) });
    };
    const call = (of: Callable, args: Json = {}, more: Partial<CallContext> = {}) =>
      path.call(of, params(args), context(more));
    const again = (of: Callable, confirmToken: string | undefined, more: Partial<CallContext> = {}) =>
      call(of, {}, { ...(confirmToken !== undefined && { confirmToken }), ...more });
    return { desk, waiting, decide, call, again };
  }

  test('a call that needs a person says where, and runs once it is approved', async () => {
    const { waiting, decide, call, again } = opened();
    const { text, confirm } = refusal(await call(human));
    expect(text).toBe(
      `ref__wipe must be approved by a person. Nothing was done yet. Ask the user to approve it at the desk. Once they have, repeat exactly this call with "confirm": "${confirm}" within 10 minutes.`,
    );
    expect([...waiting.values()]).toMatchObject([{ callable: human, arguments: {}, need: 'human' }]);
    expect(JSON.stringify([...waiting.keys()])).not.toContain(confirm);
    expect(refusal(await again(human, confirm))).toMatchObject({
      confirm,
      text: expect.stringMatching(/still waits/) as string,
    });
    decide('approved');
    await again(human, confirm);
    expect(ran).toHaveLength(1);
    expect(waiting.size).toBe(0);
    refusal(await again(human, confirm));
    expect(ran).toHaveLength(1);
  });

  test('an approval holds for one call: of two at the same time, one runs', async () => {
    const { decide, call, again } = opened();
    const { confirm } = refusal(await call(human));
    decide('approved');
    await Promise.all([again(human, confirm), again(human, confirm), again(human, confirm)]);
    expect(ran).toHaveLength(1);
  });

  test('an approved ordinary call is no approval of one that needs a person', async () => {
    const { decide, call, again } = opened();
    const { confirm } = refusal(await call(careful));
    decide('approved');
    refusal(await again(human, confirm));
    expect(ran).toEqual([]);
  });

  test.each([true, 'human'] as const)('what a person refused does not run (%s), and says why', async (confirm) => {
    const { decide, call, again } = opened();
    const of = tool({ confirm });
    const token = refusal(await call(of)).confirm;
    decide('refused', 'too late');
    // The desk of the gateway also takes the ticket of an ordinary call away.
    if (confirm === true) await again(of, token, { principal: { id: 'other', scopes: 'all' } });
    expect(refusal(await again(of, token))).toMatchObject({
      code: 'forbidden',
      text: 'A person refused ref__wipe: too late. Nothing was done.',
    });
    expect(ran).toEqual([]);
  });

  test('who can be asked in the client is asked there', async () => {
    const { waiting, call } = opened();
    await call(human, {}, asking({ result: { action: 'accept' } }));
    expect([ran.length, waiting.size]).toEqual([1, 0]);
    refusal(await call(human, {}, asking({ error: { code: -32601, message: 'no stream' } })));
    expect([ran.length, waiting.size]).toEqual([1, 1]);
  });

  test('where nobody can look, only the client can ask', async () => {
    const { desk } = opened();
    const path = createCallPath(
      { record: () => {} },
      { shared: newLocalShared(), desk: { ...desk, place: () => undefined } },
    );
    const { text, confirm } = refusal(await path.call(human, params(), context()));
    expect([text, confirm]).toEqual([expect.stringContaining('Use a client that supports elicitation.'), undefined]);
  });

  test('a desk that fails takes nothing away from ordinary calls, and approves nothing', async () => {
    const fails = () => Promise.reject(new AppError('unavailable', 'The store is away.'));
    const desk: ConfirmationDesk = { place: () => 'there', show: fails, verdict: fails, remove: fails };
    const path = createCallPath({ record: () => {} }, { shared: newLocalShared(), desk });
    const { confirm } = refusal(await path.call(careful, params(), context()));
    await path.call(careful, params(), context(confirm === undefined ? {} : { confirmToken: confirm }));
    expect(ran).toHaveLength(1);
    expect(refusal(await path.call(human, params(), context())).text).toBe('The store is away.');
  });

  test('a call that needs no confirmation never asks the desk', async () => {
    const { desk } = opened();
    const unasked = () => expect.unreachable('nobody should be asked');
    const path = createCallPath(
      { record: () => {} },
      { shared: newLocalShared(), desk: { ...desk, show: unasked, verdict: unasked, remove: unasked, place: unasked } },
    );
    await path.call(tool(), params(), context());
    await path.call(tool({ declaresConfirm: true }), params({ confirm: 'x' }), context());
    expect(ran).toHaveLength(2);
  });
});

describe('a call with a preview', () => {
  const says = 'It deletes "Orders" (5, live).';
  let looked: CallParams[];
  let preview: () => Promise<Preview>;
  const careful = (confirm: true | 'human' = true) =>
    tool({
      confirm,
      declaresConfirm: true,
      preview(given) {
        looked.push(given);
        return preview();
      },
    });

  beforeEach(() => {
    looked = [];
    preview = async () => ({ changes: true, says });
  });

  test('says with the token what would happen', async () => {
    const path = createPath();
    const { text, confirm } = refusal(await path.call(careful(), params({ id: 5 }), context()));
    expect(text).toContain(`ref__wipe needs confirmation. ${says} Nothing was done yet.`);
    expect(looked).toEqual([params({ id: 5 })]);
    await path.call(careful(), params({ id: 5, confirm }), context());
    expect(ran).toEqual([params({ id: 5 })]);
    // The tool itself looks again.
    expect(looked).toHaveLength(1);
  });

  test('tells the person who is asked what would happen', async () => {
    const asked: { method: string; params: Json | undefined }[] = [];
    await createPath().call(careful('human'), params(), context(asking({ result: { action: 'accept' } }, asked)));
    expect(asked).toMatchObject([{ params: { message: `Allow ref__wipe? ${says}` } }]);
    expect(ran).toHaveLength(1);
  });

  test.each([true, 'human'] as const)(
    'fails at once when it would fail anyway (%s): nobody is asked',
    async (confirm) => {
      preview = () => Promise.reject(new AppError('not_found', 'No workflow 5.'));
      for (const more of [{}, asking({ result: { action: 'accept' } })]) {
        const refused = refusal(await createPath().call(careful(confirm), params({ id: 5 }), context(more)));
        expect(refused).toMatchObject({ text: 'No workflow 5.', code: 'not_found' });
        expect(refused.confirm).toBeUndefined();
      }
      expect(ran).toEqual([]);
    },
  );

  test.each([true, 'human'] as const)('needs no confirmation when it changes nothing (%s)', async (confirm) => {
    preview = async () => ({ changes: false });
    await createPath().call(careful(confirm), params({ dry_run: true }), context());
    expect(ran).toEqual([params({ dry_run: true })]);
  });

  test('is not previewed when it needs no confirmation', async () => {
    const principal: Principal = { id: 'key', scopes: 'all', confirm: 'never' };
    await createPath().call(careful(), params(), context({ principal }));
    expect([ran.length, looked.length]).toEqual([1, 0]);
  });
});

describe('the confirm setting of a key', () => {
  const key = (confirm: Principal['confirm']) => ({ principal: { id: 'key', scopes: 'all', confirm } as Principal });

  test('never: only what a person must confirm', async () => {
    await createPath().call(
      tool({ confirm: true, declaresConfirm: true }),
      params({ confirm: 'x' }),
      context(key('never')),
    );
    expect(ran).toEqual([params()]);
    refusal(await createPath().call(tool({ confirm: 'human' }), params(), context(key('never'))));
    expect(ran).toHaveLength(1);
  });

  test('writes: everything except reads', async () => {
    refusal(await createPath().call(tool({ effect: 'create' }), params(), context(key('writes'))));
    expect(ran).toEqual([]);
    await createPath().call(tool({ effect: 'read' }), params(), context(key('writes')));
    expect(ran).toHaveLength(1);
  });

  test('destructive: tools marked for confirmation', async () => {
    refusal(await createPath().call(tool({ confirm: true }), params(), context(key('destructive'))));
    await createPath().call(tool(), params(), context(key('destructive')));
    expect(ran).toHaveLength(1);
  });
});

describe('one of our own tools', () => {
  const count = toolsFor<{ base: number }>({ category: 'test' })({
    name: 'count',
    title: 'Count',
    description: 'Counts.',
    effect: 'read',
    scope: 'x:read',
    input: z.strictObject({ by: z.int().default(1) }),
    output: z.object({ total: z.number() }),
    run: async ({ by }, { base }) => ({ total: base + by, secret: 'not in the schema' }),
  });

  test('gets parsed input, and returns output that matches the schema as data and as text', async () => {
    expect(await callTool(count, { base: 2 })(params(), context())).toEqual({
      result: { content: [{ type: 'text', text: '{"total":3}' }], structuredContent: { total: 3 } },
      json: '{"content":[{"type":"text","text":"{\\"total\\":3}"}],"structuredContent":{"total":3}}',
    });
  });

  test('may return its output as JSON text: readers get the same data and text', async () => {
    const data = { total: 3, said: 'a "quoted" line\nand – one more' };
    const writing = { ...count, run: async () => new Written(JSON.stringify(data)) };
    const told = await callTool({ ...count, output: z.looseObject({}), run: async () => data }, { base: 2 })(
      params(),
      context(),
    );
    const outcome = await callTool(writing, { base: 2 })(params(), context());
    if (!('result' in outcome) || outcome.json === undefined) throw new Error('no result');
    expect(outcome).toEqual(told);
    expect(JSON.parse(outcome.json)).toEqual({ ...outcome.result });
    expect(JSON.stringify(outcome.result)).toBe(outcome.json);
  });

  test('previews a call: a dry run changes nothing, and wrong arguments are refused first', async () => {
    const input = z.strictObject({ dry_run: z.boolean().optional() });
    const wipe = {
      ...count,
      input,
      effect: 'delete',
      preview: async () => 'It deletes 2 things.',
    } as unknown as typeof count;
    const look = (args: Json, of = wipe) => previewTool(of, { base: 2 })(params(args), context());
    expect(await look({})).toEqual({ changes: true, says: 'It deletes 2 things.' });
    expect(await look({ dry_run: true })).toEqual({ changes: false });
    expect(await look({}, { ...wipe, preview: async () => undefined })).toEqual({ changes: false });
    expect(await look({}, count)).toEqual({ changes: true });
    await expect(look({ dry_run: 'no' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('names every wrong argument and does not run', async () => {
    const call = callTool(count, { base: 2 })(params({ by: 'two', colour: 'red' }), context());
    await expect(call).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^count was not called: .*by: .*colour/) as string,
    });
  });
});

test('when something relies on the events, the answer waits until they are stored', async () => {
  const safe = Promise.withResolvers<boolean>();
  const path = createCallPath(
    { record: (fact) => void facts.push(fact), durable: () => safe.promise },
    { shared: newLocalShared() },
  );
  let answered = false;
  const answer = path.call(tool(), params(), context()).then((outcome) => {
    answered = true;
    return outcome;
  });
  await expect.poll(() => facts.map(({ type }) => type)).toEqual(['tool.call_received', 'tool.call_completed']);
  await new Promise((resolve) => void setImmediate(resolve));
  expect(answered).toBe(false);
  safe.resolve(true);
  expect('result' in (await answer) && (await answer)).not.toHaveProperty('result._meta');
  expect(answered).toBe(true);
});

test('an error of any tool is told without the secrets that Sluice knows', async () => {
  const path = createCallPath(
    { record: (fact) => void facts.push(fact) },
    { shared: newLocalShared(), redact: (text) => text.replaceAll('canary', '[redacted]') },
  );
  const error = new AppError('unavailable', 'It said canary', { data: { tried: ['canary'], retryAfter: 2 } });
  const outcome = await path.call(tool({ call: () => Promise.reject(error) }), params(), context());
  expect(JSON.stringify(outcome)).not.toContain('canary');
  expect(outcome).toMatchObject({
    result: {
      content: [{ type: 'text', text: 'It said [redacted]' }],
      _meta: { 'sluice/error': { code: 'unavailable', tried: ['[redacted]'], retryAfter: 2 } },
    },
  });
});

describe('an answer whose event could not be stored in time', () => {
  const unstored = createCallPath({ record: () => {}, durable: async () => false }, { shared: newLocalShared() });
  const notice = expect.stringMatching(/^The event of this call is not stored yet/) as string;

  test('says so, and is the same otherwise', async () => {
    const json =
      '{"content":[{"type":"text","text":"9007199254740993"}],"exact":9007199254740993,"_meta":{"theirs":1.0}}';
    const relayed = {
      ...tool(),
      entry: { ...tool().entry, call: async () => ({ result: JSON.parse(json) as Json, json }) },
    };
    const outcome = await unstored.call(relayed, params(), context());
    if ('error' in outcome) throw new Error('no result');
    expect(outcome.result).toEqual({ ...(JSON.parse(json) as Json), _meta: { theirs: 1, 'sluice/notice': notice } });
    expect(outcome.json).toBe(
      json.replace('1.0}}', `1.0,"sluice/notice":${JSON.stringify((outcome.result._meta as Json)['sluice/notice'])}}}`),
    );
  });

  test('is no other answer if it is a protocol error', async () => {
    const error = { code: -32000, message: 'no' };
    const broken = { ...tool(), entry: { ...tool().entry, call: async () => ({ error }) } };
    expect(await unstored.call(broken, params(), context())).toEqual({ error });
  });
});
