import { describe, expect, it } from 'vitest';
import type { Json } from '../../kernel/source.ts';
import { checkInputs } from './check-inputs.ts';

const check = (schemas: Json, given: Json): Json =>
  Object.fromEntries(checkInputs(Object.entries(schemas), Object.entries(given), () => {}));

const team = { type: 'string', pattern: '^[a-z]+$', description: 'The short name of the team' };

describe('checkInputs', () => {
  it('fills gaps with defaults', () => {
    const schemas = {
      team,
      hosts: { type: 'array', items: { type: 'string' }, default: [] },
      token: { type: ['string', 'null'], secret: true, default: null },
      limits: { type: 'object', properties: { cpu: { type: 'integer', default: 1 }, gb: { type: 'number' } } },
    };
    expect(check(schemas, { limits: { gb: 2.5 }, team: 'a' })).toEqual({
      team: 'a',
      hosts: [],
      token: null,
      limits: { cpu: 1, gb: 2.5 },
    });
    const optional = { limits: { ...schemas.limits, required: ['cpu'], default: { gb: 1 } } };
    expect(check(optional, {})).toEqual({ limits: { cpu: 1, gb: 1 } });
    expect(optional.limits.default).toEqual({ gb: 1 });
    expect(schemas.hosts.default).not.toBe(check(schemas, { team: 'a', limits: {} }).hosts);
  });

  it('names every problem', () => {
    const schemas = { team, hosts: { type: 'array', items: { type: 'string' } }, count: { type: 'integer' } };
    expect(() => check(schemas, { taem: 'a', hosts: ['a', 5], count: '5' })).toThrow(
      'The inputs do not fit: there is no input "taem" (did you mean "team"?); ' +
        'team is missing (The short name of the team); ' +
        'hosts.1: Invalid input: expected string, received number; ' +
        'count: Invalid input: expected number, received string.',
    );
    expect(() => check({ team }, { team: 'A' })).toThrow('must match pattern /^[a-z]+$/ (The short name of the team)');
    expect(() => check({}, { a: 1 })).toThrow('there is no input "a" (there are none)');
    expect(() => check({ a: { type: 'string', default: 5 } }, {})).toThrow('a: Invalid input');
  });

  it('names eight problems at most', () => {
    const schemas = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`input${index}`, { type: 'string' }]));
    expect(() => check(schemas, {})).toThrow(/input7 is missing; and 12 more problems\.$/);
  });

  it('takes many unknown inputs', () => {
    const given = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`stranger${index}`, 1]));
    expect(() => check({ team }, given)).toThrow(/and 49993 more problems\.$/);
  });

  it('does not quote values', () => {
    const schemas = {
      a: { type: 'string', maxLength: 3 },
      b: { enum: ['x'] },
      c: { type: 'integer' },
      d: { const: 1 },
    };
    expect(() => check(schemas, { a: 'S3cr3t', b: 'S3cr3t', c: 'S3cr3t', d: 'S3cr3t' })).toThrow(/^(?!.*S3cr3t).*d: /);
  });

  it.each([
    [{ type: 'strin' }, 'Unsupported type: strin'],
    [{ type: 'string', pattern: '(' }, 'Unterminated group'],
    [{ not: { type: 'string' } }, 'not is not supported'],
    [{ pattern: '^a$' }, 'pattern needs "type: string".'],
    [{ type: 'object', properties: { a: { minimum: 1 } } }, 'minimum needs "type: number".'],
    ['string', 'It is not an object.'],
    [null, 'It is not an object.'],
  ])('says that the schema %j cannot be used', (schema, words) => {
    expect(() => check({ team: schema }, { team: 'b' })).toThrow('The schema of the input "team" cannot be used. ');
    expect(() => check({ team: schema }, { team: 'b' })).toThrow(words);
  });

  it('checks a property whose name is a keyword', () => {
    const schema = { type: 'object', properties: { pattern: { type: 'string' }, secret: { type: 'integer' } } };
    expect(check({ a: schema }, { a: { pattern: 'x', secret: 1 } })).toEqual({ a: { pattern: 'x', secret: 1 } });
    expect(() => check({ a: schema }, { a: { secret: 'x' } })).toThrow('a.secret: ');
  });

  it('takes names of prototypes for names', () => {
    const schemas = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}') as Json;
    expect(() => check(schemas, {})).toThrow('__proto__ is missing; constructor is missing.');
    const given = JSON.parse('{"__proto__":"a","constructor":"b"}') as Json;
    expect(Object.entries(check(schemas, given))).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(() => check({}, given)).toThrow('there is no input "__proto__"');
    const named = { type: 'object', properties: { toString: { type: 'string' } }, required: ['toString'] };
    expect(() => check({ a: named }, { a: {} })).toThrow('a.toString: is missing');
  });

  it('refuses a key that the schema would not check', () => {
    const open = { type: 'object', additionalProperties: { type: 'string' } };
    const given = JSON.parse('{"a":{"b":{"__proto__":1}}}') as Json;
    expect(() => check({ a: open }, given)).toThrow('a.b: a key cannot be called __proto__');
  });
});
