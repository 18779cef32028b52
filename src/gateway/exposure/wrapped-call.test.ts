import { describe, expect, test } from 'vitest';
import type { Json } from '../../kernel/source.ts';
import type { Registered } from '../registry.ts';
import { refuseUnknown, toolKey, wrappedCall, type WrapperKeys } from './wrapped-call.ts';

const compact: WrapperKeys = { tool: 'tool', packed: 'params' };
const search: WrapperKeys = { tool: 'name', packed: 'arguments' };

function tool(parameters: readonly string[], declaresConfirm = false): Registered {
  const properties = Object.fromEntries(parameters.map((name) => [name, {}]));
  const wire = { name: 'n8n_get', inputSchema: { type: 'object', properties } };
  return { name: 'n8n_get', wire, entry: { declaresConfirm } } as unknown as Registered;
}

function called(args: Json, parameters = ['id', 'mode'], { keys = compact, declaresConfirm = false } = {}) {
  const named = toolKey(args, keys, (name) => name === 'get');
  expect(args[named]).toBe('get');
  return wrappedCall('n8n_call', keys, args, named, tool(parameters, declaresConfirm));
}

describe('arguments are accepted', () => {
  test.each<[string, Json, Json]>([
    ['under params', { tool: 'get', params: { id: '5' } }, { id: '5' }],
    ['under arguments', { tool: 'get', arguments: { id: '5' } }, { id: '5' }],
    ['under args', { tool: 'get', args: { id: '5' } }, { id: '5' }],
    ['under parameters', { tool: 'get', parameters: { id: '5' } }, { id: '5' }],
    ['under input', { tool: 'get', input: { id: '5' } }, { id: '5' }],
    ['as the text of an object', { tool: 'get', params: ' {"id": "5"}' }, { id: '5' }],
    ['as the text of an object under arguments', { tool: 'get', arguments: '{"id": "5"}' }, { id: '5' }],
    ['beside the tool', { tool: 'get', id: '5', mode: 'full' }, { id: '5', mode: 'full' }],
    ['half and half', { tool: 'get', params: { id: '5' }, mode: 'full' }, { id: '5', mode: 'full' }],
    ['twice, the same', { tool: 'get', params: { id: '5' }, arguments: { id: '5' } }, { id: '5' }],
    ['twice, one of them empty', { tool: 'get', params: {}, arguments: { id: '5' } }, { id: '5' }],
    ['packed and beside, the same', { tool: 'get', params: { id: '5' }, id: '5' }, { id: '5' }],
    ['none', { tool: 'get' }, {}],
    ['null', { tool: 'get', params: null }, {}],
    ['unknown in params: the tool itself checks them', { tool: 'get', params: { other: 1 } }, { other: 1 }],
    ['with the tool under name', { name: 'get', params: { id: '5' } }, { id: '5' }],
    ['with the tool under tool_name', { tool_name: 'get', params: { id: '5' } }, { id: '5' }],
  ])('%s', (_, args, expected) => {
    expect(called(args)).toEqual({ arguments: expected, confirm: undefined });
  });

  test('with the keys of call_tool', () => {
    for (const args of [
      { name: 'get', arguments: { id: '5' } },
      { tool: 'get', params: { id: '5' } },
      { name: 'get', id: '5' },
    ])
      expect(called(args, undefined, { keys: search }).arguments).toEqual({ id: '5' });
  });
});

test('a tool with `takesMore` gets unknown keys beside its name', () => {
  const args = { tool: 'get', id: '5', createdAt: '2026-01-01' };
  const reader = { ...tool(['id']), entry: { takesMore: true } } as unknown as Registered;
  expect(wrappedCall('n8n_call', compact, args, 'tool', reader).arguments).toEqual({
    id: '5',
    createdAt: '2026-01-01',
  });
});

describe('is refused', () => {
  test.each<[string, Json, RegExp]>([
    [
      'a key nobody knows',
      { tool: 'get', idd: '5' },
      /^n8n_get was not called: unknown key "idd"\. Did you mean "id"\? Known keys: id, mode\. n8n_call expects \{"tool": "…", "params": \{…\}\}\.$/,
    ],
    ['a key of every object', { tool: 'get', constructor: '5' }, /unknown key "constructor"/],
    [
      'two packs that differ',
      { tool: 'get', params: { id: '5' }, arguments: { id: '6' } },
      /"params" and "arguments" differ/,
    ],
    ['a value twice that differs', { tool: 'get', params: { id: '5' }, id: '6' }, /"id" is in "params" and beside it/],
    [
      'a text that is no object',
      { tool: 'get', params: 'id=5' },
      /^"params" must be an object with the arguments of n8n_get\.$/,
    ],
    ['broken JSON', { tool: 'get', params: '{"id":' }, /^"params" must be an object/],
    ['a list', { tool: 'get', arguments: ['5'] }, /^"arguments" must be an object/],
  ])('%s', (_, args, words) => {
    expect(() => called(args)).toThrow(words);
  });

  test('a key beside a tool that declares nothing', () => {
    expect(() => called({ tool: 'get', id: '5' }, [])).toThrow(/It declares no parameters\./);
  });
});

describe('a tool whose own parameter has the name of a key of the wrapper', () => {
  const parameters = ['tool', 'name', 'params', 'arguments', 'args', 'input', 'confirm', 'sql'];

  test.each<[string, Json, Json]>([
    [
      'all in params',
      { tool: 'get', params: { tool: 'x', params: [1], confirm: 'c' } },
      { tool: 'x', params: [1], confirm: 'c' },
    ],
    ['its params is a list', { tool: 'get', sql: 's', params: [1] }, { sql: 's', params: [1] }],
    ['its input, beside', { tool: 'get', sql: 's', input: { a: 1 } }, { sql: 's', input: { a: 1 } }],
    ['its input alone', { tool: 'get', input: { a: 1 } }, { input: { a: 1 } }],
    ['its name, beside', { tool: 'get', name: 'x' }, { name: 'x' }],
    ['its confirm, which is no token', { tool: 'get', confirm: true }, { confirm: true }],
  ])('%s', (_, args, expected) => {
    expect(called(args, parameters)).toEqual({ arguments: expected, confirm: undefined });
  });

  test('a string under confirm is the token', () => {
    expect(called({ tool: 'get', confirm: 'token' }, parameters)).toEqual({ arguments: {}, confirm: 'token' });
  });

  test('an ambiguous call is refused', () => {
    expect(() => called({ tool: 'get', sql: 's', params: { a: 1 } }, parameters)).toThrow(
      'n8n_get was not called: it has a parameter "params" of its own. Put all its arguments into "params", including that one.',
    );
  });
});

test('confirm is the token of the wrapper, not a parameter of our tool', () => {
  const ours = { declaresConfirm: true };
  expect(called({ tool: 'get', confirm: true, id: '5' }, ['id', 'confirm'], ours)).toEqual({
    arguments: { id: '5' },
    confirm: true,
  });
  expect(() => called({ tool: 'get', x: 1 }, ['id', 'confirm'], ours)).toThrow(/Known keys: id\./);
});

test('a key whose value is not the name of a tool does not name the tool', () => {
  expect(toolKey({ name: 'My workflow' }, compact, () => false)).toBe('tool');
});

test('a wrapper that shows tools refuses unknown keys', () => {
  expect(() => refuseUnknown('n8n_list', { quary: 'x' }, ['query', 'tool'], ' To call a tool, use n8n_call.')).toThrow(
    'n8n_list: unknown key "quary". Did you mean "query"? Known keys: query, tool. To call a tool, use n8n_call.',
  );
  expect(() => refuseUnknown('n8n_list', { query: 'x' }, ['query', 'tool'])).not.toThrow();
});
