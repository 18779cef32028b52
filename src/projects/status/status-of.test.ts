import { expect, test } from 'vitest';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { failed } from '../../kernel/call.ts';
import { localOwner } from '../../kernel/principal.ts';
import type { CallContext, Json, Outcome } from '../../kernel/source.ts';
import { traceFrom } from '../../kernel/trace.ts';
import type { Item } from '../project.ts';
import type { CheckGateway } from './asking.ts';
import { statusOf } from './status-of.ts';

type Answer = (args: Json, context: CallContext) => Outcome | Promise<Outcome>;

/** A gateway that has these tools, and lets everybody call them. */
function gatewayOf(tools: Record<string, Answer>): CheckGateway {
  const find = (name: string) =>
    Object.hasOwn(tools, name) ? { name, source: 'x', entry: { effect: 'read', scope: 'x:read' } } : undefined;
  return {
    registry: { find },
    visibility: { projection: () => ({ find }) },
    call: async (name: string, args: Json, context: CallContext) => (tools[name] as Answer)(args, context),
  } as unknown as CheckGateway;
}

const context = (signal = new AbortController().signal): CallContext => ({
  principal: localOwner,
  signal,
  trace: traceFrom(),
  client: { era: 'modern', version: '2026-07-28', capabilities: {} },
  notify: () => expect.unreachable('a check tells nobody anything'),
  ask: () => expect.unreachable('a check asks nobody anything'),
});

const item = (more: Partial<Item>): Item => ({ id: 1, kind: 'other', name: 'x', addedAt: '', addedBy: '', ...more });
const checkedBy = (tool: string, args: Json = {}) => item({ check: { tool, arguments: args } });
const data = (structuredContent: Json): Outcome => ({
  result: { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent },
});

async function seenOf(one: Item, tools: Record<string, Answer>) {
  const [seen] = await statusOf([one], gatewayOf(tools), context());
  return seen;
}

test.each<[string, Outcome, Json]>([
  ['a text', { result: { content: [{ type: 'text', text: 'all fine' }] } }, { state: 'ok', seen: 'all fine' }],
  ['nothing', { result: { content: [] } }, { state: 'ok', seen: 'it answered' }],
  ['a state', data({ state: 'DEGRADED' }), { state: 'warning', seen: 'DEGRADED' }],
  [
    'a status as text only',
    { result: { content: [{ type: 'text', text: '{"status":"down"}' }] } },
    { state: 'failing' },
  ],
  ['ok: false', data({ ok: false, status: 'fine' }), { state: 'failing' }],
  ['a state of its own', data({ state: '__proto__' }), { state: 'ok', seen: '__proto__' }],
  [
    'an error',
    { result: { isError: true, content: [{ type: 'text', text: 'no such key' }] } },
    { state: 'failing', seen: 'no such key' },
  ],
  ['a protocol error', { error: { code: -32000, message: 'gone' } }, { state: 'failing', seen: 'gone' }],
  ['a question', { result: { resultType: 'input_required' } }, { state: 'unknown' }],
  ['rubbish', { result: { content: 'x', structuredContent: [1] } }, { state: 'ok' }],
])('a check that answers with %s', async (_, outcome, expected) => {
  expect(await seenOf(checkedBy('t'), { t: () => outcome })).toMatchObject(expected);
});

test('a workflow whose name looks like an id is found by its name', async () => {
  const name = 'customer_onboard';
  const workflow = { id: '7', name, active: false };
  const tools = {
    n8n_get_workflow: () => failed(new AppError('not_found', 'No workflow.')),
    n8n_list_workflows: (args: Json) => data({ workflows: args.name === name ? [workflow] : [] }),
  };
  const seen = (called: string) => seenOf(item({ kind: 'workflow', name: called }), tools);
  expect(await seen(name)).toMatchObject({ state: 'warning', seen: 'not published' });
  expect(await seen('customer_ONBOARD')).toMatchObject({
    state: 'failing',
    seen: expect.stringMatching(/^no workflow/),
  });
});

test.each<[ErrorCode, string]>([
  ['not_found', 'failing'],
  ['unavailable', 'failing'],
  ['timeout', 'unknown'],
  ['forbidden', 'unknown'],
  ['rate_limited', 'unknown'],
  ['confirmation_required', 'unknown'],
  ['invalid_input', 'unknown'],
])('a check that fails with %s says that the item is %s', async (code, state) => {
  expect(await seenOf(checkedBy('t'), { t: () => failed(new AppError(code, 'Why.')) })).toEqual({
    state,
    seen: 'Why.',
  });
});

test('a check whose tool is gone says so', async () => {
  expect(await seenOf(checkedBy('t'), {})).toMatchObject({ state: 'unknown', seen: 't does not exist' });
});

test('notes are ok, URLs are only shown', async () => {
  expect(await seenOf(item({ kind: 'note' }), {})).toEqual({ state: 'ok', seen: 'a note' });
  expect(await seenOf(item({ kind: 'url', name: 'http://127.0.0.1:1' }), {})).toMatchObject({ isOnlyShown: true });
});

test('an item that never answers is given up, and its call is told', async () => {
  let told: unknown;
  const tools: Record<string, Answer> = {
    hangs: (_, { signal }) => {
      signal.addEventListener('abort', () => (told = signal.reason));
      return new Promise(() => {});
    },
    quick: () => data({}),
  };
  const seen = await statusOf([checkedBy('hangs'), checkedBy('quick')], gatewayOf(tools), context(), undefined, {
    itemMs: 20,
    allMs: 60_000,
  });
  expect(seen).toMatchObject([{ state: 'unknown', seen: 'no answer in time' }, { state: 'ok' }]);
  expect(told).toMatchObject({ name: 'TimeoutError' });
});

test('when time is up, the rest is not asked', async () => {
  let asked = 0;
  const hangs: Answer = () => {
    asked++;
    return new Promise(() => {});
  };
  const many = Array.from({ length: 20 }, () => checkedBy('hangs'));
  const seen = await statusOf(many, gatewayOf({ hangs }), context(), undefined, { itemMs: 10_000, allMs: 20 });
  expect(asked).toBe(8);
  expect(seen.at(-1)).toMatchObject({ state: 'unknown', seen: 'not asked: the others took too long' });
});

test('a caller who gives up ends it', async () => {
  const caller = new AbortController();
  const reason = new AppError('cancelled', 'gone');
  const tools: Record<string, Answer> = {
    hangs: () => {
      caller.abort(reason);
      return new Promise(() => {});
    },
  };
  await expect(statusOf([checkedBy('hangs')], gatewayOf(tools), context(caller.signal))).rejects.toBe(reason);
});
