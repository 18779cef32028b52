import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostileJson, hostileName, hostileObject } from '../../test/support/hostile.ts';
import { argumentCheck } from './argument-check.ts';
import { AppError } from './errors.ts';

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
});

describe('checking arguments against the listed schema', () => {
  test('valid arguments pass', () => {
    const check = argumentCheck(object({ n: { type: 'number' } }, { required: ['n'] }));
    expect(() => check('run_a', { n: 1, more: true })).not.toThrow();
  });

  test('names every problem and where it is', () => {
    const check = argumentCheck(
      object(
        { n: { type: 'number' }, any: {}, list: { type: 'array', items: { type: 'string' } } },
        { required: ['n', 'any'] },
      ),
    );
    expect(() => check('run_a', { list: ['x', 2] })).toThrow(
      /^run_a was not called: n is missing; any is missing; list\.1: .*expected string/,
    );
  });

  test('ignores formats, and treats a property named format like any other', () => {
    const check = argumentCheck(
      object({ mail: { type: 'string', format: 'email' }, format: { type: 'number' } }, { required: ['format'] }),
    );
    expect(() => check('run_a', { mail: 'root@localhost', format: 1 })).not.toThrow();
    expect(() => check('run_a', { mail: 'root@localhost' })).toThrow('format is missing');
  });

  test('a missing object counts as an empty one', () => {
    expect(() => argumentCheck(object({ n: {} }, { required: ['n'] }))('run_a', undefined)).toThrow('n is missing');
    expect(() => argumentCheck(object({ n: {} }))('run_a', undefined)).not.toThrow();
  });

  test('a name such as __proto__ or constructor is a name like any other', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"constructor":{"type":"string"}},"required":["constructor"]}',
    );
    expect(() => argumentCheck(schema)('run_a', {})).toThrow('constructor is missing');
    const optional = argumentCheck(
      object({ constructor: { type: 'string' }, in: object({ valueOf: { type: 'number' } }) }),
    );
    expect(() => optional('run_a', { in: {} })).not.toThrow();
    expect(() => optional('run_a', { constructor: 5 })).toThrow('constructor: ');
    expect(() => argumentCheck(schema)('run_a', JSON.parse('{"constructor":"x","__proto__":{"a":1}}'))).not.toThrow();
  });

  test('a schema with unsupported keywords checks nothing', () => {
    const check = argumentCheck(object({ n: { not: { type: 'string' } } }));
    expect(() => check('run_a', { n: 'text' })).not.toThrow();
  });
});

test('does not run patterns, which could backtrack forever', () => {
  const check = argumentCheck(
    object(
      { a: { type: 'string', pattern: '^(a+)+$' } },
      { patternProperties: { '^(b+)+$': {} }, additionalProperties: false },
    ),
  );
  expect(() => check('tool', { a: `${'a'.repeat(50)}!`, [`${'b'.repeat(50)}!`]: 1 })).not.toThrow();
  expect(() => check('tool', { a: 1 })).toThrow('a:');
});

test('any schema and arguments are accepted or refused with a message', () => {
  expect.hasAssertions();
  const schema = fc.oneof(
    hostileObject,
    fc.record({ type: fc.constant('object'), properties: hostileObject, required: fc.array(hostileName) }),
  );
  fc.assert(
    fc.property(schema, hostileJson, (given, args) => {
      const error = thrownBy(() => argumentCheck(given)('tool', args));
      expect(error === undefined || error instanceof AppError).toBe(true);
    }),
  );
});

function thrownBy(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}
