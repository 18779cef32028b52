import { describe, expect, test } from 'vitest';
import {
  asMessage,
  errorOutcome,
  isNotification,
  isRequest,
  isResponse,
  type Message,
  parseJson,
  responseText,
} from './jsonrpc.ts';

describe('a message', () => {
  const kinds = (value: object) => {
    const message = asMessage({ jsonrpc: '2.0', ...value }) as Message;
    return [
      isRequest(message) && 'request',
      isNotification(message) && 'notification',
      isResponse(message) && 'response',
    ].filter(Boolean);
  };

  test.each([
    [{ id: 0, method: 'ping' }, 'request'],
    [{ id: '', method: 'tools/call', params: { name: 'x' } }, 'request'],
    [{ method: 'notifications/initialized' }, 'notification'],
    [{ id: 1, result: {} }, 'response'],
    [{ id: null, error: { code: -32700, message: 'Parse error' } }, 'response'],
  ])('%j is a %s and nothing else', (value, kind) => {
    expect(kinds(value)).toEqual([kind]);
  });

  test('keeps unknown keys', () => {
    const value = { jsonrpc: '2.0', id: 1, method: 'x', vendor: { y: 1 } };
    expect(asMessage(value)).toBe(value);
  });

  test.each<[unknown, string]>([
    [null, 'a JSON-RPC message is an object'],
    ['text', 'a JSON-RPC message is an object'],
    [[], 'a JSON-RPC message is an object'],
    [{ id: 1, method: 'x' }, 'jsonrpc must be "2.0"'],
    [{ jsonrpc: 2, id: 1, method: 'x' }, 'jsonrpc must be "2.0"'],
    [{ jsonrpc: '2.0', id: {}, method: 'x' }, 'id must be a string or an integer'],
    [{ jsonrpc: '2.0', id: 1.5, method: 'x' }, 'id must be a string or an integer'],
    [{ jsonrpc: '2.0', id: true, result: {} }, 'id must be a string or an integer'],
    [{ jsonrpc: '2.0', id: null, method: 'x' }, 'the id of a request must not be null'],
    [{ jsonrpc: '2.0', id: 1, method: 7 }, 'method must be a string'],
    [{ jsonrpc: '2.0', id: 1, method: 'x', params: [] }, 'params must be an object'],
    [{ jsonrpc: '2.0', id: 1, method: 'x', params: null }, 'params must be an object'],
    [{ jsonrpc: '2.0' }, 'neither a method nor an id'],
    [{ jsonrpc: '2.0', id: 1 }, 'a response needs a result or an error object'],
    [{ jsonrpc: '2.0', id: 1, result: 'text' }, 'a response needs a result or an error object'],
  ])('%j is not a message: %s', (value, invalid) => {
    expect(asMessage(value)).toEqual({ invalid });
  });
});

describe('the text of a response', () => {
  test.each([
    ['a number', 7],
    ['a text that needs escaping', 'a"b\n'],
    ['null', null],
  ])('with %s as its id', (_, id) => {
    expect(JSON.parse(responseText(id, { result: { a: 1 } }))).toEqual({ jsonrpc: '2.0', id, result: { a: 1 } });
    expect(JSON.parse(responseText(id, errorOutcome(-32602, 'No', { why: 'x' })))).toEqual({
      jsonrpc: '2.0',
      id,
      error: { code: -32602, message: 'No', data: { why: 'x' } },
    });
  });

  test('inserts a result that is text already unchanged', () => {
    expect(responseText(1, { result: {}, json: '{"a":1.0}' })).toBe('{"jsonrpc":"2.0","id":1,"result":{"a":1.0}}');
  });

  test('of an error without data has none', () => {
    expect(errorOutcome(-32000, 'No')).toEqual({ error: { code: -32000, message: 'No' } });
  });
});

describe('JSON from outside', () => {
  const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);

  test('is parsed from text and from bytes', () => {
    expect(parseJson('{"a":"ü"}')).toEqual({ a: 'ü' });
    expect(parseJson(Buffer.from('{"a":"ü"}'))).toEqual({ a: 'ü' });
  });

  test('may be nested up to the limit, but not deeper', () => {
    expect(parseJson(nested(250))).toBeInstanceOf(Array);
    expect(() => parseJson(nested(10_000))).toThrow('nested more than 256 levels deep');
    expect(() => parseJson(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`)).toThrow(SyntaxError);
  });

  test('may have any width', () => {
    expect(parseJson(`[${'[],'.repeat(100_000)}[]]`)).toHaveLength(100_001);
  });

  test.each(['', '{', '{"a":}', 'undefined', '{"a":1}x'])('%j is not valid JSON', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test('a key of the prototype stays an ordinary key', () => {
    expect(Object.keys(parseJson('{"__proto__":{"polluted":true}}') as object)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
