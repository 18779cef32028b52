import { describe, expect, it } from 'vitest';
import { dataProblems } from './data-problems.ts';
import { fieldsOf } from './fields.ts';

const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    hint: { type: 'notice' },
    host: { type: 'string' },
    port: { type: 'number' },
    ssl: { type: 'boolean' },
    mode: { type: 'string', enum: ['password', 'key'] },
    privateKey: { type: 'string' },
    extra: { type: 'json' },
  },
  required: ['host'],
  // Written as JSON, because an object with a `then` looks like a promise.
  allOf: JSON.parse(`[
    {
      "if": { "properties": { "mode": { "enum": ["key"] } }, "required": ["mode"] },
      "then": { "allOf": [{ "required": ["privateKey"] }] }
    },
    { "if": { "properties": { "port": { "not": { "const": [1] } } } }, "then": { "allOf": [{ "required": ["nothing"] }] } }
  ]`) as unknown[],
};

describe('the fields of a credential type', () => {
  it('are listed with their types, options and conditions', () => {
    const fields = fieldsOf(schema);
    expect(fields).toContainEqual({ name: 'host', type: 'string', required: true });
    expect(fields).toContainEqual({ name: 'mode', type: 'string', options: ['password', 'key'] });
    expect(fields).toContainEqual({ name: 'privateKey', type: 'string', required_when: { mode: 'key' } });
    expect(fields.map(({ name }) => name)).not.toContain('hint');
  });
});

describe('the values of a credential', () => {
  it.each([
    [{ host: 'a' }, []],
    [{ host: 'a', port: 1, ssl: true, mode: 'password', extra: { any: 1 } }, []],
    [{}, ['host is missing']],
    [{ host: 1 }, ['host must be a string']],
    [{ host: 'a', port: '1' }, ['port must be a number']],
    [{ host: 'a', mode: 'x' }, ['mode must be one of "password", "key"']],
    [{ host: 'a', mode: 'key' }, ['privateKey is missing']],
    [{ host: 'a', hots: 'b' }, ['unknown field hots (Did you mean host?)']],
  ])('%j have these problems: %j', (data, problems) => {
    expect(dataProblems(schema, data)).toEqual(problems);
  });

  it('may be expressions, which n8n evaluates later', () => {
    expect(dataProblems(schema, { host: 'a', port: '={{ $secrets.port }}' })).toEqual([]);
  });

  it('may be incomplete for an existing credential', () => {
    expect(dataProblems(schema, { mode: 'key' }, true)).toEqual([]);
    expect(dataProblems(schema, { mode: 'x' }, true)).toHaveLength(1);
  });

  it('never appear in a problem', () => {
    const problems = dataProblems(schema, { host: 5, mode: 'geheim-1', other: 'geheim-2' });
    expect(problems.join()).not.toContain('geheim');
  });
});
