import { describe, expect, it } from 'vitest';
import { configured, visibleProperties } from './configuration.ts';
import type { DisplayOptions, NodeDescription, Property } from '../description.ts';

const property = (name: string, more: Partial<Property> = {}): Property => ({
  name,
  displayName: name,
  type: 'string',
  default: '',
  ...more,
});

const node = (properties: Property[], name = 'n8n-nodes-base.thing'): NodeDescription => ({
  name,
  displayName: 'Thing',
  group: [],
  version: [1],
  inputs: ['main'],
  outputs: ['main'],
  properties,
});

const shown = (properties: Property[], parameters: Record<string, unknown> = {}, version = 1, name?: string) =>
  visibleProperties(node(properties, name), parameters, version).map((one) => one.name);

describe('a display condition', () => {
  const under = (conditions: DisplayOptions, value: unknown) =>
    shown([property('asked'), property('it', { displayOptions: conditions })], { asked: value }).includes('it');

  it.each([
    [{ eq: 'a' }, 'a', 'b'],
    [{ not: 'a' }, 'b', 'a'],
    [{ gte: 2 }, 2, 1],
    [{ lte: 2 }, 2, 3],
    [{ gt: 2 }, 3, 2],
    [{ lt: 2 }, 1, 2],
    [{ between: { from: 2, to: 4 } }, 3, 5],
    [{ startsWith: 'ab' }, 'abc', 'bab'],
    [{ endsWith: 'bc' }, 'abc', 'bca'],
    [{ includes: 'b' }, 'abc', 'acc'],
    [{ regex: '^a.c$' }, 'abc', 'abd'],
    [{ exists: true }, 'a', ''],
  ])('%j is met by %j and not by %j', (_cnd, good, bad) => {
    expect(under({ show: { asked: [{ _cnd }] } }, good)).toBe(true);
    expect(under({ show: { asked: [{ _cnd }] } }, bad)).toBe(false);
    expect(under({ hide: { asked: [{ _cnd }] } }, good)).toBe(false);
    expect(under({ hide: { asked: [{ _cnd }] } }, bad)).toBe(true);
  });

  it('counts as met if the value is an expression', () => {
    expect(under({ show: { asked: ['a'] } }, '={{ $json.what }}')).toBe(true);
  });

  it('is met by the value of a resource locator, and by one of several values', () => {
    expect(under({ show: { asked: ['x'] } }, { __rl: true, mode: 'id', value: 'x' })).toBe(true);
    expect(under({ show: { asked: ['x'] } }, ['y', 'x'])).toBe(true);
  });

  it('does not hang on a catastrophic pattern', () => {
    expect(under({ show: { asked: [{ _cnd: { regex: '^(a+)+$' } }] } }, `${'a'.repeat(60)}!`)).toBe(false);
  });

  it('can test the version, or whether the node is a tool', () => {
    const properties = [
      property('new', { displayOptions: { show: { '@version': [{ _cnd: { gte: 2 } }] } } }),
      property('tool', { displayOptions: { show: { '@tool': [true] } } }),
    ];
    expect(shown(properties, {}, 1)).toEqual([]);
    expect(shown(properties, {}, 2)).toEqual(['new']);
    expect(shown(properties, {}, 2, 'n8n-nodes-base.thingTool')).toEqual(['new', 'tool']);
  });

  it.each(['__proto__', 'constructor', 'toString'])('does not read the inherited property %s', (name) => {
    expect(shown([property('it', { displayOptions: { show: { [name]: [{ _cnd: { exists: true } }] } } })])).toEqual([]);
  });
});

describe('the parameters of a node', () => {
  const resource = property('resource', { type: 'options', default: 'message' });
  const of = (value: string): DisplayOptions => ({ show: { resource: [value] } });

  it('include defaults, and of several with the same name the shown one', () => {
    const properties = [
      resource,
      property('operation', { type: 'options', default: 'list', displayOptions: of('file') }),
      property('operation', { type: 'options', default: 'send', displayOptions: of('message') }),
      property('text', { displayOptions: { show: { operation: ['send'] } } }),
    ];
    expect(shown(properties)).toEqual(['resource', 'operation', 'text']);
    expect(shown(properties, { resource: 'file' })).toEqual(['resource', 'operation']);
    expect(configured(node(properties), {}, 1).parameters()).toEqual({
      resource: 'message',
      operation: 'send',
      text: '',
    });
  });

  it('are walked at every depth, with their values', () => {
    const values = [property('name'), property('value', { default: 'none', displayOptions: { hide: { name: [''] } } })];
    const properties = [
      property('headers', {
        type: 'fixedCollection',
        typeOptions: { multipleValues: true },
        default: {},
        options: [{ name: 'header', displayName: 'Header', values }],
      }),
      property('options', {
        type: 'collection',
        default: {},
        options: [property('limit', { type: 'number' }), property('page')],
      }),
    ];
    const parameters = { headers: { header: [{ name: 'a' }, {}] }, options: { limit: 5 } };
    const fields = configured(node(properties), parameters, 1).fields();
    expect(fields.map(({ path, given, value }) => [path.join('.'), given, value])).toEqual([
      ['headers', true, parameters.headers],
      ['headers.header.0.name', true, 'a'],
      ['headers.header.0.value', false, 'none'],
      ['headers.header.1.name', false, ''],
      ['options', true, parameters.options],
      ['options.limit', true, 5],
    ]);
  });

  it.each([
    ['a list', []],
    ['a text', 'x'],
    ['null', null],
    ['a list of anything', [1, null, 'x', []]],
  ])('may be %s in place of a collection', (_, value) => {
    const properties = [
      property('many', {
        type: 'fixedCollection',
        options: [{ name: 'group', displayName: 'Group', values: [property('x')] }],
      }),
      property('some', { type: 'collection', options: [property('y')] }),
    ];
    const fields = configured(node(properties), { many: { group: value }, some: value }, 1).fields();
    expect(fields.map(({ property: { name } }) => name)).toEqual(['many', 'some']);
  });
});
