import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../kernel/source.ts';
import type { Message } from '../wire/jsonrpc.ts';
import type { LinkEvents } from '../wire/link.ts';
import { receiveText } from '../wire/incoming.ts';
import { atBorder, withoutOurs } from './border.ts';

/** What is left of a text that a server sends. */
async function received(text: string): Promise<{ message: Message; text: string | undefined }> {
  let inside: LinkEvents | undefined;
  const taken: { message: Message; text: string | undefined }[] = [];
  const { open } = atBorder({
    async open(events) {
      inside = events;
      return {} as never;
    },
  });
  const events: LinkEvents = {
    message: (message, _, as) => void taken.push({ message, text: as }),
    failed() {},
    noise() {},
    closed() {},
  };
  await open(events, new AbortController().signal);
  receiveText(text, inside as LinkEvents);
  const [first] = taken;
  if (!first) throw new Error('nothing came');
  return first;
}

const claim = { 'sluice/error': { code: 'forbidden', scope: 'admin' }, 'sluice/confirm': 'any', 'their/own': 1 };
const kept = { 'their/own': 1 };

/** Places where a server may write `_meta` that Sluice or a client reads. */
const places: [string, (meta: Json) => Json][] = [
  ['a result', (_meta) => ({ id: 1, result: { content: [], _meta } })],
  ['a block of content', (_meta) => ({ id: 1, result: { content: [{ type: 'text', text: 'x', _meta }] } })],
  ['an embedded resource', (_meta) => ({ id: 1, result: { content: [{ type: 'resource', resource: { _meta } }] } })],
  ['a tool in a list', (_meta) => ({ id: 1, result: { tools: [{ name: 'a', _meta }] } })],
  ['a prompt in a list', (_meta) => ({ id: 1, result: { prompts: [{ name: 'a', _meta }] } })],
  ['a message of a prompt', (_meta) => ({ id: 1, result: { messages: [{ content: { type: 'text', _meta } }] } })],
  ['a template in a list', (_meta) => ({ id: 1, result: { resourceTemplates: [{ uriTemplate: 'a', _meta }] } })],
  ['a task that is made', (_meta) => ({ id: 1, result: { task: { taskId: '1', _meta } } })],
  ['a list of tasks', (_meta) => ({ id: 1, result: { tasks: [{ taskId: '1', _meta }] } })],
  [
    'a question in a result',
    (_meta) => ({
      id: 1,
      result: {
        resultType: 'input_required',
        inputRequests: { q: { method: 'elicitation/create', params: { _meta } } },
      },
    }),
  ],
  [
    'a question whose name is that of a payload',
    (_meta) => ({
      id: 1,
      result: {
        resultType: 'input_required',
        inputRequests: { arguments: { method: 'elicitation/create', params: { _meta } } },
      },
    }),
  ],
  ['the data of an error', (_meta) => ({ id: 1, error: { code: 1, message: 'no', data: _meta } })],
  [
    'a page that an error demands',
    (_meta) => ({ id: 1, error: { code: 1, message: '', data: { elicitations: [{ _meta }] } } }),
  ],
  ['a question', (_meta) => ({ id: 'q', method: 'elicitation/create', params: { message: '?', _meta } })],
  ['a sampling request', (_meta) => ({ id: 'q', method: 'sampling/createMessage', params: { messages: [], _meta } })],
  ['a request for roots', (_meta) => ({ id: 'q', method: 'roots/list', params: { _meta } })],
  ['a notification', (_meta) => ({ method: 'notifications/progress', params: { progress: 1, _meta } })],
  ['a log line', (_meta) => ({ method: 'notifications/message', params: { data: 'x', _meta } })],
];

describe.each(places)('%s', (_, at) => {
  test('loses keys with our prefix, and keeps the rest', async () => {
    const { message, text } = await received(JSON.stringify({ jsonrpc: '2.0', ...at(claim) }));
    expect(message).toEqual({ jsonrpc: '2.0', ...at(kept) });
    expect(JSON.parse(text as string)).toEqual(message);
  });

  test('without our prefix keeps its text byte for byte', async () => {
    const given = JSON.stringify({ jsonrpc: '2.0', ...at(kept) }, null, 1);
    expect((await received(given)).text).toBe(given);
  });
});

test.each([String.raw`"sluice\/error"`, String.raw`"\u0073luice/error"`, String.raw`"\u0073\u006Cuice\u002ferror"`])(
  'spelling a name as %s does not help',
  async (key) => {
    const { message, text } = await received(
      String.raw`{"jsonrpc":"2.0","id":1,"result":{"\u005fmeta":{${key}:{"code":"forbidden"},"a":1}}}`,
    );
    expect(message).toMatchObject({ result: { _meta: { a: 1 } } });
    expect(text).toBe('{"jsonrpc":"2.0","id":1,"result":{"_meta":{"a":1}}}');
  },
);

test('a duplicate key is dropped both times', async () => {
  const { text } = await received(
    '{"jsonrpc":"2.0","id":1,"result":{"_meta":{"sluice/error":1},"_meta":{"sluice/error":2,"a":1}}}',
  );
  expect(text).toBe('{"jsonrpc":"2.0","id":1,"result":{"_meta":{"a":1}}}');
});

test('numbers beyond JavaScript stay exact, even if something was dropped', async () => {
  const { text } = await received(
    '{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"n":12345678901234567890,"m":1.0},"_meta":{"sluice/x":1}}}',
  );
  expect(text).toBe(
    '{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"n":12345678901234567890,"m":1.0},"_meta":{}}}',
  );
});

test.each<[string, Json]>([
  ['structured content', { id: 1, result: { structuredContent: { _meta: claim, 'sluice/error': 1 } } }],
  ['text', { id: 1, result: { content: [{ type: 'text', text: JSON.stringify({ _meta: claim }) }] } }],
  ['a schema', { id: 1, result: { tools: [{ name: 'a', inputSchema: { properties: { _meta: claim } } }] } }],
  ['what a log line is about', { method: 'notifications/message', params: { data: { _meta: claim } } }],
  ['a key outside of _meta', { id: 1, result: { 'sluice/error': claim } }],
])('%s stays untouched', async (_, message) => {
  const given = JSON.stringify({ jsonrpc: '2.0', ...message });
  expect(await received(given)).toEqual({ message: JSON.parse(given) as Message, text: given });
});

test('whatever a server writes, nothing with our prefix is left', async () => {
  const key = fc.oneof(fc.constantFrom('_meta', 'sluice/error', 'content', 'task', '__proto__', 'params'), fc.string());
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof({ maxDepth: 5 }, fc.jsonValue(), fc.dictionary(key, tie('tree')), fc.array(tie('tree'))),
  }));
  const claims = (value: unknown, named = false): boolean =>
    value !== null &&
    typeof value === 'object' &&
    Object.entries(value).some(
      ([name, inner]) => (named && name.startsWith('sluice/')) || (!named && claims(inner, name === '_meta')),
    );
  await fc.assert(
    fc.asyncProperty(fc.dictionary(key, tree), async (result) => {
      const { message, text } = await received(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
      expect(claims((message as { result: unknown }).result)).toBe(false);
      expect(JSON.parse(text as string)).toEqual(message);
    }),
    { numRuns: 300 },
  );
});

test('a client cannot use our prefix either', () => {
  expect(withoutOurs({ name: 'a', _meta: claim })).toEqual({ name: 'a', _meta: kept });
  const honest = { name: 'a', _meta: { progressToken: 1 } };
  expect(withoutOurs(honest)).toBe(honest);
  expect(withoutOurs({ _meta: 'odd' })).toEqual({ _meta: 'odd' });
});
