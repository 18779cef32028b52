import { ToolSchema as V1Tool } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type { WireTool } from '../../kernel/source.ts';
import { legacyTool, wellFormed } from './well-formed.ts';

const anything = { type: 'object' };

describe('wellFormed', () => {
  it('leaves a valid tool unchanged, including vendor keys', () => {
    const tool = {
      name: 't',
      title: 'T',
      inputSchema: { ...anything, properties: { a: { type: 'string' } }, required: ['a'], 'x-v': 1 },
      outputSchema: { anyOf: [{}] },
      annotations: { readOnlyHint: true, 'x-hint': 'y' },
      icons: [{ src: 'data:', 'x-more': 1 }],
      _meta: { a: 1 },
      'x-tool': null,
    };
    expect(wellFormed('tools', tool)).toEqual({ item: tool, dropped: [] });
  });

  it.each([
    ['description', null],
    ['title', 7],
    ['outputSchema', null],
    ['outputSchema', 'string'],
    ['annotations', null],
    ['annotations', { readOnlyHint: 'yes' }],
    ['icons', [{}]],
    ['icons', 'icon.png'],
    ['execution', { taskSupport: 'sometimes' }],
    ['_meta', []],
  ])('leaves out a %s of %j', (key, value) => {
    const checked = wellFormed('tools', { name: 't', inputSchema: anything, [key]: value });
    expect(checked).toEqual({ item: { name: 't', inputSchema: anything }, dropped: [expect.stringContaining(key)] });
  });

  it.each([
    [{}, anything],
    [{ type: null }, anything],
    [{ type: ['object', 'null'] }, anything],
    [{ type: 'object', properties: null, required: null }, anything],
    [
      { properties: { a: {} }, required: [1] },
      { properties: { a: {} }, type: 'object' },
    ],
  ])('completes an input schema %j', (inputSchema, complete) => {
    expect(wellFormed('tools', { name: 't', inputSchema })).toEqual({
      item: { name: 't', inputSchema: complete },
      dropped: [],
    });
  });

  it.each([
    undefined,
    null,
    7,
    [],
    { inputSchema: anything },
    { name: '', inputSchema: anything },
    { name: 7, inputSchema: anything },
    { name: 't' },
    { name: 't', inputSchema: null },
    { name: 't', inputSchema: { type: 'string' } },
  ])('refuses %j as a tool', (item) => {
    expect(wellFormed('tools', item)).toHaveProperty('invalid');
  });

  it('checks prompts, resources and templates too', () => {
    expect(wellFormed('prompts', { name: 'p', arguments: [{}], description: null })).toMatchObject({
      item: { name: 'p' },
      dropped: [expect.stringContaining('description'), expect.stringContaining('arguments')],
    });
    expect(wellFormed('resources', { uri: 'a://b', annotations: { priority: 3 } })).toMatchObject({
      item: { uri: 'a://b', name: 'a://b' },
      dropped: [expect.stringContaining('annotations')],
    });
    expect(wellFormed('templates', { uriTemplate: 'a://{b}', name: 'n', mimeType: 1 })).toMatchObject({
      item: { uriTemplate: 'a://{b}', name: 'n' },
    });
    expect(wellFormed('resources', { name: 'n' })).toHaveProperty('invalid');
  });
});

describe('legacyTool', () => {
  it.each<Partial<WireTool>>([
    { outputSchema: { type: 'array' } },
    { outputSchema: { anyOf: [{ type: 'object' }, { type: 'string' }] } },
    { outputSchema: { type: 'object', properties: { a: true } } },
    { inputSchema: { type: 'object', properties: { a: true, b: false, c: { type: 'string' } } } },
  ])('converts %j to what SDK v1 parses', (given) => {
    const tool = { name: 't', inputSchema: anything, ...given };
    expect(V1Tool.safeParse(tool).success).toBe(false);
    expect(V1Tool.safeParse(legacyTool(tool)).success).toBe(true);
  });

  it('writes boolean schemas as objects', () => {
    const inputSchema = { type: 'object', properties: { a: true, b: false } };
    expect(legacyTool({ name: 't', inputSchema }).inputSchema).toEqual({
      type: 'object',
      properties: { a: {}, b: { not: {} } },
    });
  });

  it('leaves everything else alone', () => {
    const tool = { name: 't', inputSchema: anything, outputSchema: anything, 'x-tool': 1 };
    expect(legacyTool(tool)).toEqual(tool);
  });
});
