import { anything, array, assert, asyncProperty, constantFrom, pre, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Callable } from '../../kernel/callable.ts';
import type { Json } from '../../kernel/source.ts';
import { readDefinition } from '../definition/read.ts';
import { createEvaluator } from '../expressions/evaluator.ts';
import { compose, type Wish } from './compose.ts';
import type { RecentCall } from './recent.ts';

const around = {
  holdsRevealed: () => false,
  redact: (text: string) => text,
  tool: (): Callable | undefined => undefined,
};
const answer = (data: Json): Json => ({
  content: [{ type: 'text', text: JSON.stringify(data) }],
  structuredContent: data,
});

let numbers = 0;
const call = (tool: string, given: Json, result?: Json, withheld: RecentCall['withheld'] = []): RecentCall => ({
  number: ++numbers,
  tool,
  at: 0,
  arguments: given,
  withheld,
  ...(result && { result: answer(result) }),
});

const made = (calls: readonly RecentCall[], inputs: Json = {}, more: Partial<Wish> = {}) => {
  const composed = compose(
    { name: 'a-recipe', calls, conversation: calls, inputs: new Map(Object.entries(inputs)), ...more },
    around,
  );
  const { definition, findings } = readDefinition(composed.text);
  expect(findings).toEqual([]);
  const { inputs: schemas = {}, steps } = parse(composed.text) as {
    inputs?: Record<string, Json>;
    steps: { id: string; tool: string; arguments: Json }[];
  };
  expect(definition?.steps.map(({ work }) => work)).toMatchObject(
    steps.map((step) => ({ tool: step.tool, arguments: step.arguments })),
  );
  return { ...composed, schemas, steps, given: steps.map((step) => step.arguments) };
};

describe('a recipe made of calls', () => {
  it('has a step for each call, with an id of its own', () => {
    const { steps } = made([
      call('memory_store', {}),
      call('ref__Say-it', {}),
      call('memory_store', {}),
      call('9', {}),
    ]);
    expect(steps.map(({ id }) => id)).toEqual(['memory_store', 'ref_say_it', 'memory_store_2', 'call_9']);
  });

  it('has an input wherever a value occurs', () => {
    const { given, schemas } = made(
      [call('a_b', { team: 'acme', text: 'For acme, acmeville and acme_x', list: [{ n: 5 }, 5], other: 6 })],
      { team: 'acme', count: 5 },
    );
    expect(given).toEqual([
      {
        team: '${inputs.team}',
        text: 'For ${inputs.team}, acmeville and ${inputs.team}_x',
        list: [{ n: '${inputs.count}' }, '${inputs.count}'],
        other: 6,
      },
    ]);
    expect(schemas).toEqual({
      team: { type: 'string', examples: ['acme'] },
      count: { type: 'number', examples: [5] },
    });
  });

  it('refuses an input whose value is nowhere', () => {
    expect(() => made([call('a_b', { team: 'acme' })], { team: 'globex' })).toThrow('input team is in none');
  });

  it('refers to results of calls before, but not to what the caller said', () => {
    const { given, replaced } = made([
      call(
        'a_create',
        { title: 'Quarterly' },
        { id: 'wf-1', title: 'Quarterly', items: [{ key: 'made by it' }], state: 'active' },
      ),
      call(
        'a_use',
        { workflow: 'wf-1', title: 'Quarterly', note: 'made by it', state: 'active', id: 7 },
        { row_id: 42 },
      ),
      call('a_end', { id: 42, count: 42 }),
    ]);
    expect(given[1]).toEqual({
      workflow: '${steps.a_create.result.id}',
      title: 'Quarterly',
      note: '${steps.a_create.result.items[0].key}',
      state: 'active',
      id: 7,
    });
    expect(given[2]).toEqual({ id: '${steps.a_use.result.row_id}', count: 42 });
    expect(replaced).toContain('a_use.workflow: ${steps.a_create.result.id}');
  });

  it('asks for secrets, once for each, and contains none', () => {
    const key = 'ghp_0123456789abcdefghijABCDEFGHIJ456789';
    const { given, schemas, text } = made([
      call('a_login', { password: 'hunter22', url: 'postgres://u:p4ssw0rd!@db/x', auth: { token: { a: 'one two' } } }),
      call('a_say', { text: 'it is hunter22 now', again: 'hunter22', list: [key], pin: { password: 987654 } }),
      call('a_put', { path: 'x' }, undefined, [{ name: 'value', type: 'object' }]),
    ]);
    for (const secret of ['hunter22', 'p4ssw0rd', 'one two', key, '987654']) expect(text).not.toContain(secret);
    expect(given[0]).toMatchObject({ password: '${inputs.password}', url: '${inputs.url}' });
    expect(given[1]).toMatchObject({ text: '${inputs.text}', again: '${inputs.password}', list: ['${inputs.list}'] });
    expect(given[2]).toEqual({ path: 'x', value: '${inputs.value}' });
    expect(schemas.password).toMatchObject({ type: 'string', secret: true });
    expect(schemas.value).toMatchObject({ type: 'object', secret: true });
    expect(Object.values(schemas).every((schema) => schema.secret === true && !('examples' in schema))).toBe(true);
  });

  it('asks for what was chosen from a list, because another one may have its place the next time', () => {
    const found = [1, 2, 3].map((number) => ({
      id: `wf-${number}`,
      name: `Flow ${number}`,
      versions: [{ id: 70 + number }],
    }));
    const { given, schemas } = made([
      call('a_list', {}, { workflows: found, owner: [{ id: 'ana-1' }] }),
      call('a_delete', { id: 'wf-2', version_id: 72, name: 'Flow 2', owner: 'ana-1' }),
      call('a_tell', { workflow: 'wf-2', others: ['wf-1', 'wf-3'], number: 72 }),
    ]);
    expect(given.slice(1)).toEqual([
      {
        id: '${inputs.id}',
        version_id: '${inputs.version_id}',
        name: 'Flow 2',
        owner: '${steps.a_list.result.owner[0].id}',
      },
      { workflow: '${inputs.id}', others: '${inputs.others}', number: 72 },
    ]);
    expect(schemas).toMatchObject({
      id: { type: 'string', examples: ['wf-2'], description: expect.stringContaining('of a_delete') },
      version_id: { type: 'number', examples: [72] },
      others: { type: 'array', examples: [['wf-1', 'wf-3']] },
    });
  });

  it('keeps a value whose place in a result no expression can name', () => {
    const odd = { 'half \ud800': 'made by it', ['k'.repeat(2000)]: 'made by it, too' };
    const given = { a: 'made by it', b: 'made by it, too' };
    expect(made([call('a_create', {}, odd), call('a_use', given)]).given[1]).toEqual(given);
  });

  it.each<[string, Json]>([
    ['a pair', { headers: [{ name: 'X-Api-Key', value: 'hunter22' }] }],
    ['a variable', { env: [{ key: 'DB_PASSWORD', value: 'hunter22' }, { A: 'b' }] }],
    ['an option', { args: ['--user', 'ana', '--password', 'hunter22'] }],
    ['a header in a text', { command: 'curl -H "X-Api-Key: hunter22" https://example.com' }],
    ['JSON in a text', { body: JSON.stringify([{ name: 'password', value: 'hunter22' }]), note: 'hunter22' }],
    ['an environment', { env: { OPENAI_KEY: 'hunter22' } }],
    ['a PIN', { otp: 'hunter22', pin: 8675309 }],
    ['a command with SQL', { command: `psql -c "alter role ana password 'hunter22'"` }],
  ])('asks for the secret of %s', (_, given) => {
    const { text, schemas } = made([call('a_b', given)]);
    expect(text).not.toMatch(/hunter22|8675309/);
    expect(Object.values(schemas).every(({ secret }) => secret === true)).toBe(true);
    expect(Object.keys(schemas).length).toBeGreaterThan(0);
  });

  it('hides a wanted input as a whole if something in it is a secret', () => {
    const config = { host: 'db', logins: [{ user: 'ana', password: 'hunter22' }] };
    const { text, schemas, given } = made([call('a_b', { config })], { settings: config });
    expect(given).toEqual([{ config: '${inputs.settings}' }]);
    expect(schemas).toEqual({ settings: { type: 'object', secret: true } });
    expect(text).not.toContain('hunter22');
    expect(made([call('a_b', { a: [1, 'x'] })], { list: [1, 'x'] }).schemas).toMatchObject({
      list: { examples: [[1, 'x']] },
    });
  });

  it('takes a secret from the call that gave it', () => {
    const { given, text } = made([
      call('vault_read', { path: 'db' }, { data: { pw: 'hunter22' } }),
      call('a_login', { password: 'hunter22' }),
    ]);
    expect(given[1]).toEqual({ password: '${steps.vault_read.result.data.pw}' });
    expect(text).not.toContain('hunter22');
  });

  it('refuses secrets in names, descriptions and statements', () => {
    const login = call('a_login', { password: 'hunter22' });
    expect(() => made([login], {}, { description: 'with hunter22' })).toThrow('would contain a secret');
    for (const sql of [
      "alter user x password 'hunter22'",
      "create role x login password 'another'",
      "insert into users (name, password) values ('x', 'another')",
    ])
      expect(() => made([login, call('postgres_execute', { sql })])).toThrow('secret in the statement');
    const harmless = 'insert into users (name, password) values ($1, $2); alter role x password null';
    expect(made([call('a_b', { sql: harmless })]).given).toEqual([{ sql: harmless }]);
    expect(() => made([call('a_b', { ghp_0123456789abcdefghijABCDEFGHIJ456789: 1 })])).toThrow('looks like a secret');
  });

  it('marks a wanted input as secret that is one', () => {
    const { schemas, text } = made([call('a_login', { password: 'hunter22' })], { pw: 'hunter22' });
    expect(schemas).toEqual({ pw: { type: 'string', secret: true } });
    expect(text).not.toContain('hunter22');
  });

  it('puts only identifiers into statements', () => {
    const sql = `create schema acme; create table "acme".t as select 'acme' as x, acmes -- acme`;
    const { given } = made([call('postgres_execute', { sql, params: ['acme'] })], { team: 'acme' });
    expect(given[0]).toEqual({
      sql: `create schema \${ident(inputs.team)}; create table \${ident(inputs.team)}.t as select 'acme' as x, acmes -- acme`,
      params: ['${inputs.team}'],
    });
    const graph = made([call('graph_query', { query: 'MATCH (acme) RETURN acme', limit: 'acme' })], { team: 'acme' });
    expect(graph.given[0]).toMatchObject({ query: 'MATCH (acme) RETURN acme' });
    for (const unsure of [String.raw`select E'\' acme '`, '/* /* */ acme */ select 1'])
      expect(made([call('a_b', { sql: unsure, team: 'acme' })], { team: 'acme' }).given[0]?.sql).toBe(unsure);
  });

  it('refuses what a definition cannot hold', () => {
    expect(() => made([call('a_b', JSON.parse('{"__proto__": {"x": 1}}') as Json)])).toThrow('__proto__');
    let deep: unknown = 1;
    for (let depth = 0; depth < 50; depth++) deep = { deep };
    expect(() => made([call('a_b', { deep })])).toThrow('nested more than');
    const { arguments: _, ...large } = call('a_b', {});
    expect(() => made([large])).toThrow('too large');
  });

  it('never contains a secret, wherever else it was written', () => {
    const word = string({ minLength: 8, maxLength: 20, unit: 'grapheme-ascii' });
    // Not a word that every recipe has.
    const secret = word.map((one) => `Z9!${one}!`);
    assert(
      property(secret, word, anything({ withBigInt: false, maxDepth: 3 }), (value, other, noise) => {
        const plain = JSON.parse(JSON.stringify({ noise: JSON.stringify(noise) ?? '', other })) as Json;
        const calls = [
          call('a_say', {
            text: `${other}${value}${other}`,
            list: [[value], { x: encodeURIComponent(value) }],
            ...plain,
          }),
          call('a_login', { user: { password: value } }),
        ];
        const { text } = made(calls);
        const parsed = JSON.stringify(parse(text));
        for (const form of [value, JSON.stringify(value).slice(1, -1)]) {
          expect(text).not.toContain(form);
          expect(parsed).not.toContain(form);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('looks at a limited number of values', () => {
    const many = Array.from({ length: 50 }, () =>
      call('a_b', { list: Array.from({ length: 2000 }, (_, n) => `text ${n}`) }),
    );
    expect(() => made(many)).toThrow('more than 5000 values');
    expect(made(many.slice(-1), {}, { conversation: many }).steps).toHaveLength(1);
  });

  it('strips the token that confirmed a call', () => {
    expect(made([call('a_b', { x: 1, confirm: '5b0e' })]).given).toEqual([{ x: 1 }]);
  });

  it('gives back any arguments as they were, with any value as an input', async () => {
    await using evaluator = createEvaluator();
    const word = string({
      maxLength: 12,
      unit: constantFrom('a', 'b', '$', '{', '}', '"', '\\', ' ', '\n', 'é'),
    });
    await assert(
      asyncProperty(word, array(word, { maxLength: 4 }), async (value, others) => {
        const given = { whole: value, list: others, within: `${others[0] ?? ''} ${value} ${others.join(value)}$` };
        const {
          given: [filled],
          schemas,
        } = made([call('a_b', given)], { word: value });
        const secret = Object.entries(schemas).some(([, schema]) => schema.secret === true);
        pre(!secret);
        expect(await evaluator.fill(filled, { inputs: { word: value } })).toEqual(given);
      }),
      {
        numRuns: 100,
        examples: [
          ['', [' \n']],
          ['${', ['', 'a']],
          [' \n', ['', '\n', 'aa']],
        ],
      },
    );
  });
});
