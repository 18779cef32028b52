import { describe, expect, test } from 'vitest';
import { answerResult, itemsResult, streamed } from './result.ts';
import { runnerResult } from './runner-result.ts';

const answer = (body: string | Uint8Array, { status = 200, type = 'application/json', headers = {} } = {}) => ({
  status,
  headers: new Headers({ ...(type && { 'content-type': type }), ...headers }),
  bytes: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  cut: false,
});
const place = 'n8n://default/workflows/1';

describe('the answer of a webhook', () => {
  test('an object is data and text, a list is data under items, a number is text', () => {
    expect(answerResult(answer('{"a":1}'), place)).toEqual({
      content: [{ type: 'text', text: '{"a":1}' }],
      structured: { a: 1 },
    });
    expect(answerResult(answer('[1,2]'), place)).toMatchObject({ structured: { items: [1, 2] } });
    expect(answerResult(answer('7'), place)).toEqual({ content: [{ type: 'text', text: '7' }] });
  });

  test('invalid JSON is text', () => {
    expect(answerResult(answer('{"a":'), place)).toEqual({ content: [{ type: 'text', text: '{"a":' }] });
  });

  test('an empty answer says so, with the target of a redirect', () => {
    expect(
      answerResult(answer('', { status: 302, headers: { location: 'https://example.com' } }), place).content,
    ).toEqual([{ type: 'text', text: 'The workflow ran and returned nothing. It redirects to https://example.com' }]);
  });

  test('audio is audio; other bytes are a resource named after the file', () => {
    const bytes = new Uint8Array([0, 1, 2]);
    expect(answerResult(answer(bytes, { type: 'audio/mpeg' }), place).content).toEqual([
      { type: 'audio', mimeType: 'audio/mpeg', data: 'AAEC' },
    ]);
    const headers = { 'content-disposition': 'attachment; filename="a b.pdf"' };
    expect(answerResult(answer(bytes, { type: 'application/pdf', headers }), place).content).toEqual([
      { type: 'resource', resource: { uri: `${place}/a%20b.pdf`, mimeType: 'application/pdf', blob: 'AAEC' } },
    ]);
    expect(answerResult(answer(bytes, { type: '' }), place).content[0]).toMatchObject({ type: 'resource' });
  });

  test('an error keeps its message, without the stack trace', () => {
    const result = answerResult(
      answer('{"code":0,"message":"No way","stacktrace":"at /home/n8n/x.js"}', { status: 500 }),
      place,
    );
    expect(result).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'The workflow answered with status 500: No way' }],
    });
    const page = answerResult(
      answer('<html><title>Bad Gateway</title><body>…', { status: 502, type: 'text/html' }),
      place,
    );
    expect(page.content).toEqual([{ type: 'text', text: 'The workflow answered with status 502: Bad Gateway' }]);
  });

  test('a run that returned no item succeeded', () => {
    const none = answerResult(answer('{"message":"No item to return was found"}', { status: 500 }), place);
    expect(none).toEqual({ content: [{ type: 'text', text: 'The workflow ran and returned nothing.' }] });
  });

  test('too large an answer is refused, with advice', () => {
    expect(() => answerResult({ ...answer('x'), cut: true }, place)).toThrow('in pages');
  });
});

describe('items', () => {
  test('an error item is a failure; one with more keys is a result', () => {
    expect(itemsResult([{ error: 'no' }], [], place)).toMatchObject({ isError: true });
    expect(itemsResult([{ error: { message: 'no' } }], [], place).content).toEqual([
      { type: 'text', text: 'The workflow failed: no' },
    ]);
    expect(itemsResult([{ error: 'no', order: 1 }], [], place)).not.toHaveProperty('isError');
    expect(itemsResult([{ error: null }], [], place)).not.toHaveProperty('isError');
  });

  test('files come after the data, or without any', () => {
    const files = [{ name: 'x.bin', data: 'AA==' }];
    expect(itemsResult([{ a: 1 }], files, place).content).toHaveLength(2);
    expect(itemsResult([{}], files, place).content).toMatchObject([{ type: 'resource' }]);
  });

  test('a long result is sent only as text', () => {
    expect(itemsResult([{ text: 'x'.repeat(300_000) }], [], place)).not.toHaveProperty('structured');
  });
});

describe('a streamed answer', () => {
  const lines = (...all: object[]) => new TextEncoder().encode(all.map((one) => JSON.stringify(one)).join('\n'));

  test('is joined', () => {
    const said = streamed(
      lines({ type: 'begin' }, { type: 'item', content: 'Hel' }, { type: 'item', content: 'lo' }, { type: 'end' }),
    );
    expect(said?.content).toEqual([{ type: 'text', text: 'Hello' }]);
  });

  test('with an error is an error; without content it is undefined', () => {
    expect(streamed(lines({ type: 'begin' }, { type: 'error', content: 'no model' }))).toMatchObject({ isError: true });
    expect(streamed(lines({ type: 'begin' }, { type: 'end' }))).toBeUndefined();
    expect(streamed(new Uint8Array())).toBeUndefined();
  });
});

test('a failure of the runner itself is an error', () => {
  expect(runnerResult(answer('{"message":"Error in workflow"}', { status: 500 }), place)).toMatchObject({
    isError: true,
  });
});
