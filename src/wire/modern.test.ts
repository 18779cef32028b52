import { describe, expect, test } from 'vitest';
import type { Request } from './jsonrpc.ts';
import { claimsModern, headerMismatch, headerNamesModern, mcpName, readEnvelope, statusOf } from './modern.ts';
import { encodeHeader } from './param-headers.ts';
import { MODERN, meta } from './versions.ts';

const envelope = { [meta.protocolVersion]: MODERN, [meta.clientCapabilities]: { sampling: {} } };

describe('the envelope', () => {
  test('describes the client', () => {
    const client = { era: 'modern', version: MODERN, capabilities: { sampling: {} } };
    expect(readEnvelope({ _meta: envelope })).toEqual({ client });
    const full = { ...envelope, [meta.clientInfo]: { name: 'x' }, [meta.logLevel]: 'info' };
    expect(readEnvelope({ _meta: full })).toEqual({ client: { ...client, info: { name: 'x' }, logLevel: 'info' } });
  });

  test.each<[string, unknown, RegExp]>([
    ['no params', undefined, /lacks _meta/],
    ['no _meta', {}, /lacks _meta/],
    ['_meta that is a list', { _meta: [] }, /lacks _meta/],
    ['an empty _meta', { _meta: {} }, /lacks .*protocolVersion and .*clientCapabilities/],
    ['no capabilities', { _meta: { [meta.protocolVersion]: MODERN } }, /lacks .*clientCapabilities/],
    [
      'a version that is a number',
      { _meta: { ...envelope, [meta.protocolVersion]: 2026 } },
      /protocolVersion has the wrong type/,
    ],
    [
      'capabilities that are a list',
      { _meta: { ...envelope, [meta.clientCapabilities]: [] } },
      /clientCapabilities has the wrong type/,
    ],
    ['info that is a text', { _meta: { ...envelope, [meta.clientInfo]: 'me' } }, /clientInfo has the wrong type/],
    ['a level that is a number', { _meta: { ...envelope, [meta.logLevel]: 3 } }, /logLevel has the wrong type/],
  ])('with %s is refused with a reason', (_, params, words) => {
    expect(readEnvelope(params)).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(words) as string },
    });
  });

  test('is claimed only by the version in _meta', () => {
    expect(claimsModern({ _meta: { [meta.protocolVersion]: undefined } })).toBe(true);
    for (const params of [undefined, null, [], {}, { _meta: 'x' }, { _meta: { progressToken: 1 } }])
      expect(claimsModern(params)).toBe(false);
  });
});

describe('the standard headers', () => {
  const call: Request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } };
  const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'echo' };

  test('that repeat the body are fine, base64 included', () => {
    expect(headerMismatch(headers, call, MODERN)).toBeUndefined();
    const name = 'write "ü"';
    const named = { ...call, params: { name } };
    expect(headerMismatch({ ...headers, 'mcp-name': encodeHeader(name) }, named, MODERN)).toBeUndefined();
    expect(headerMismatch({ ...headers, 'mcp-name': ' echo ' }, call, MODERN)).toBeUndefined();
  });

  test('a method that names nothing needs no Mcp-Name', () => {
    const list: Request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect(
      headerMismatch({ 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' }, list, MODERN),
    ).toBeUndefined();
  });

  test.each<[string, Record<string, string | undefined>, RegExp]>([
    ['no version', { 'mcp-protocol-version': undefined }, /MCP-Protocol-Version header is absent/],
    ['another version', { 'mcp-protocol-version': '2025-11-25' }, /says 2025-11-25, the body says 2026-07-28/],
    ['no method', { 'mcp-method': undefined }, /Mcp-Method header is absent/],
    ['another method', { 'mcp-method': 'tools/list' }, /says tools\/list, the body says tools\/call/],
    ['a method in capitals', { 'mcp-method': 'TOOLS/CALL' }, /Mcp-Method/],
    ['no name', { 'mcp-name': undefined }, /Mcp-Name header is absent/],
    ['another name', { 'mcp-name': 'delete' }, /says delete, the body says echo/],
    ['broken base64', { 'mcp-name': '=?base64?!!?=' }, /not valid base64/],
  ])('%s is a mismatch with a reason', (_, change, words) => {
    const error = headerMismatch({ ...headers, ...change }, call, MODERN);
    expect(error).toMatchObject({ code: -32020, message: expect.stringMatching(words) as string });
    expect(statusOf(error as { code: number; message: string })).toBe(400);
  });

  test.each([
    ['tools/call', { name: 'a' }, 'a'],
    ['prompts/get', { name: 'b' }, 'b'],
    ['resources/read', { uri: 'c:d' }, 'c:d'],
    ['tasks/cancel', { taskId: 'e' }, 'e'],
    ['tools/list', { name: 'a' }, undefined],
    ['tools/call', { name: 1 }, undefined],
    ['constructor', { name: 'a' }, undefined],
  ])('Mcp-Name of %s %j is %s', (method, params, name) => {
    expect(mcpName(method, params)).toBe(name);
  });

  test('tell the era before the body is read', () => {
    expect(headerNamesModern({ 'mcp-protocol-version': MODERN })).toBe(true);
    expect(headerNamesModern({ 'mcp-protocol-version': '2025-11-25' })).toBe(false);
    expect(headerNamesModern({})).toBe(false);
  });
});

test.each([
  [-32601, 404],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
  [-32602, 200],
  [-32000, 200],
])('error %i is HTTP %i', (code, status) => {
  expect(statusOf({ code, message: '' })).toBe(status);
});
