import { expect, test } from 'vitest';
import { adoptToken, readSubprotocols } from './subprotocols.ts';

test.each([
  [undefined, [], []],
  ['', [], []],
  ['mcp', ['mcp'], []],
  ['mcp, bearer.sk_1.a-b_c', ['mcp'], ['sk_1.a-b_c']],
  [' bearer.one ,mcp,,other', ['mcp', 'other'], ['one']],
  ['Bearer.one, bearer', ['Bearer.one', 'bearer'], []],
  ['bearer., bearer.two', [], ['', 'two']],
])('reads the subprotocols %j', (header, offered, tokens) => {
  expect(readSubprotocols(header)).toEqual({ offered, tokens });
});

test('moves the key into Authorization', () => {
  const headers = { 'sec-websocket-protocol': 'mcp, bearer.one', authorization: undefined as string | undefined };
  expect(adoptToken(headers)).toBeUndefined();
  expect(headers.authorization).toBe('Bearer one');
});

test('leaves a request without such a key alone', () => {
  const headers = { 'sec-websocket-protocol': 'mcp', authorization: 'Bearer two' };
  expect(adoptToken(headers)).toBeUndefined();
  expect(headers.authorization).toBe('Bearer two');
});

test('accepts the same key in both places', () => {
  expect(adoptToken({ 'sec-websocket-protocol': 'bearer.one', authorization: 'Bearer one' })).toBeUndefined();
});

test.each([
  { 'sec-websocket-protocol': 'bearer.secret1, bearer.secret2' },
  { 'sec-websocket-protocol': 'bearer.secret1', authorization: 'Bearer secret2' },
  { 'sec-websocket-protocol': 'bearer.secret1', authorization: 'Basic secret1' },
])('refuses different credentials, and does not repeat them: %j', (headers) => {
  const problem = adoptToken(headers);
  expect(problem).toMatch(/different credentials/);
  expect(problem).not.toMatch(/secret/);
});
