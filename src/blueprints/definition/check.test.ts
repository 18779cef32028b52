import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checkDefinition, placed } from './check.ts';
import { isError } from './finding.ts';
import { readDefinition } from './read.ts';
import type { Definition } from './shape.ts';
import type { KnownTool, World } from './world.ts';

const execute: KnownTool = {
  name: 'postgres_execute',
  declaresConfirm: true,
  inputSchema: {
    type: 'object',
    properties: {
      sql: { type: 'string', minLength: 3 },
      params: { type: 'array', items: {} },
      limit: { type: 'integer', maximum: 10 },
      mode: { enum: ['fast', 'safe'] },
      target: {
        anyOf: [{ type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }, { type: 'null' }],
      },
      options: { type: 'object', properties: { dry: { type: 'boolean' } }, additionalProperties: false },
      confirm: { type: 'string' },
    },
    required: ['sql'],
    additionalProperties: false,
  },
};
const anything = { type: 'object' };
const tools = new Map<string, KnownTool>(
  [
    execute,
    { name: 'postgres_query', inputSchema: anything, reads: true },
    { name: 'graph_query', inputSchema: anything, reads: true },
    {
      name: 'docker_start',
      inputSchema: { type: 'object', properties: { container: { type: 'string' }, id: {} } },
      idempotent: true,
    },
    { name: 'notes_add', inputSchema: anything },
    { name: 'blueprint_deploy', inputSchema: anything, isForPeople: true },
    { name: 'n8n_execute_workflow', inputSchema: anything },
    { name: 'n8n_trigger_webhook', inputSchema: anything },
  ].map((tool) => [tool.name, tool]),
);

function definitionIn(text: string): Definition {
  const { definition, findings } = readDefinition(text);
  if (definition) return definition;
  throw new Error(JSON.stringify(findings));
}

function worldWith(...texts: string[]): World {
  const blueprints = new Map(texts.map(definitionIn).map((one) => [one.name, one]));
  return {
    tool: (name) => tools.get(name === 'sql' ? 'postgres_execute' : name),
    toolNames: () => [...tools.keys()],
    absence: (name) => (name === 'docker_remove' ? 'docker is read-only.' : undefined),
    sources: () => new Set(['postgres', 'graph', 'docker', 'notes']),
    blueprint: (name) => blueprints.get(name),
    blueprintNames: () => [...blueprints.keys()],
  };
}

const checked = (text: string, world = worldWith()) => {
  const { place } = readDefinition(text);
  return placed(checkDefinition(definitionIn(text), world), place);
};
const errors = (text: string, world?: World) =>
  checked(text, world)
    .filter(isError)
    .map(({ path, message }) => `${path} ${message}`);
const warnings = (text: string) => checked(text).filter((one) => !isError(one));
const of = (...steps: string[]) => `name: x\nsteps:\n${steps.map((one) => `  - { ${one} }\n`).join('')}`;

test('the example of the documentation is right', () => {
  const text = `name: support-agent
inputs: { team: { type: string, pattern: "^[a-z]+$" }, hosts: { type: array, items: { type: string }, default: [] } }
steps:
  - { id: database, tool: postgres_execute, arguments: { sql: "create schema \${ident(inputs.team)}" }, undo: { tool: postgres_execute, arguments: { sql: "drop schema \${ident(inputs.team)}" } }, timeout: 60s }
  - { id: provision, workflow: "Provision agent", input: { team: "\${inputs.team}" }, retry: { times: 3, backoff: 2s }, undo: { webhook: "/gone/\${steps.provision.result.id}" } }
  - { id: go, approval: "Go live for \${inputs.team}?", timeout: 7d }
  - { id: monitors, for_each: "\${inputs.hosts}", as: host, tool: notes_add, arguments: { url: "\${host}", at: "\${index}" }, when: "\${size(inputs.hosts) > 0}" }
  - { id: done, wait: { event: "n8n.*", where: "\${event.id == steps.provision.result.id}" } }
outputs: { url: "\${steps.provision.result.url}", by: "\${run.id} \${services.notes}" }
schedule: "0 2 * * *"
`;
  expect(errors(text)).toEqual([]);
});

test('findings have the line and column of the text', () => {
  const text = `name: x
steps:
  - id: a
    tool: postgres_execute
    arguments:
      sql: select 1
      limit: many
`;
  expect(checked(text)).toEqual([
    {
      severity: 'error',
      path: 'steps.0.arguments.limit',
      line: 7,
      column: 7,
      message: 'does not fit postgres_execute: Invalid input: expected number, received string',
      fix: 'Write what postgres_execute takes.',
    },
  ]);
});

describe('expressions', () => {
  const arg = (text: string) => of(`id: a, tool: notes_add, arguments: { x: "${text}" }`);
  it.each([
    ['${1 +}', '${1 +}: The expression cannot be read at character'],
    ['${inputs.', 'The expression at character 1 does not end: it has no closing brace: ${inputs.'],
    ['${host}', '"host" means nothing here'],
    ['${item} ${index}', '"item" means nothing here'],
    ['${event.id}', '"event" means nothing here'],
    ['${inputs.nothing}', 'there is no input "nothing"'],
    ['${steps.a.result}', 'the step "a" uses its own result'],
    ['${steps.zzz.result}', 'there is no step "zzz"'],
  ])('%s', (text, message) => {
    expect(errors(arg(text))[0]).toContain(`steps.0.arguments.x ${message}`);
  });
  it('may be escaped', () => expect(errors(arg('$${host} costs $5'))).toEqual([]));
  it('refer only to steps before', () => {
    const text = of(
      'id: a, tool: notes_add, arguments: { x: "${steps.b.result}" }, undo: { tool: notes_add, arguments: { x: "${steps.a.result} ${steps.b.result}" } }',
      'id: b, tool: notes_add, when: "${steps.b.result}"',
    );
    expect(errors(text)).toEqual([
      'steps.0.arguments.x the step "b" comes later',
      'steps.0.undo.arguments.x the step "b" comes later',
      'steps.1.when the step "b" uses its own result',
    ]);
    expect(errors(`${text}outputs: { a: "\${steps.b.result}", b: "\${item}" }`).at(-1)).toBe(
      'outputs.b "item" means nothing here',
    );
  });
  it('know the item in a for_each step and its undo, but not in its when', () => {
    const each = (more: string) =>
      of(`id: a, for_each: ["\${inputs}"], as: host, tool: notes_add, arguments: { x: "\${host}" }, ${more}`);
    expect(errors(each('undo: { tool: notes_add, arguments: { x: "${host} ${index}" } }'))).toEqual([]);
    expect(errors(each('when: "${host == 1}"'))).toEqual(['steps.0.when "host" means nothing here']);
  });
  it('are the whole text where a value is decided', () => {
    const text = of(
      'id: a, tool: notes_add, when: "yes", for_each: "a ${inputs}"',
      'id: b, wait: { event: n8n.x, where: "x" }',
    );
    expect(errors(text)).toEqual([
      'steps.0.when must be one expression',
      'steps.0.for_each must be one expression',
      'steps.1.wait.where must be one expression',
    ]);
  });
  it('may be blocks of YAML, which end with a line break', () => {
    const text = `name: x
inputs: { hosts: { type: array } }
steps:
  - id: a
    when: |
      \${size(inputs.hosts) > 0}
    for_each: >
      \${inputs.hosts
        .filter(h, h != '')}
    tool: notes_add
  - id: b
    wait:
      event: n8n.x
      where: |
        \${event.data.x == 1}
`;
    expect(errors(text)).toEqual([]);
    expect(definitionIn(text).steps[0]).toMatchObject({
      when: '${size(inputs.hosts) > 0}',
      forEach: "${inputs.hosts\n  .filter(h, h != '')}",
    });
  });
  it('are counted', () => {
    expect(errors(arg('${run}'.repeat(2001)))).toEqual([
      'steps.0.arguments.x is one expression too many: a blueprint may have 2000',
    ]);
    expect(errors(arg(`\${${'1+'.repeat(90)}1}`.repeat(400)))).toEqual([
      'steps.0.arguments.x is one expression too many: a blueprint may have 64 KB of them',
    ]);
  });
});

test('names are literal, and variables do not hide others', () => {
  const text = of(
    'id: a, tool: "${run.tool}"',
    'id: b, workflow: "${run.x}", instance: "${run.y}"',
    'id: c, for_each: [1], as: steps, tool: notes_add',
    'id: d, for_each: [1], as: while, tool: notes_add',
  );
  expect(errors(text)).toEqual([
    'steps.0.tool must be written out, without ${…}',
    'steps.1.workflow must be written out, without ${…}',
    'steps.1.instance must be written out, without ${…}',
    'steps.2.as "steps" already has a meaning in expressions',
    'steps.3.as "while" is a word of the expression language',
  ]);
});

test('a for_each has at most 300 items', () => {
  const each = (count: number) => of(`id: a, tool: notes_add, for_each: [${Array(count).fill(1).join(',')}]`);
  expect(errors(each(300))).toEqual([]);
  expect(errors(each(301))).toEqual(['steps.0.for_each has 301 items, but may have 300']);
});

describe('tools', () => {
  const fixOf = (text: string) => checked(text)[0]?.fix;
  it('that do not exist', () => {
    expect(errors(of('id: a, tool: postgres_exekute'))).toEqual(['steps.0.tool there is no tool postgres_exekute']);
    expect(fixOf(of('id: a, tool: postgres_exekute'))).toBe('Did you mean postgres_execute?');
    expect(fixOf(of('id: a, tool: redis_get_value_of_key'))).toBe('Configure modules.redis in sluice.yaml.');
    expect(fixOf(of('id: a, tool: docker_remove'))).toBe('docker is read-only.');
    expect(fixOf(of('id: a, tool: something_else_entirely'))).toBe('Correct its name, or add the server that has it.');
    expect(errors(of('id: a, tool: constructor'))).toEqual(['steps.0.tool there is no tool constructor']);
  });
  it('of services that it needs or wants', () => {
    const needs = `needs: [postgres, redis, pstgres]\n${of('id: a, wait: 1s')}`;
    expect(checked(needs).map(({ path, message, fix }) => [path, message, fix])).toEqual([
      ['needs.1', 'redis has no tools now', 'Configure modules.redis in sluice.yaml.'],
      ['needs.2', 'pstgres has no tools now', 'Did you mean postgres?'],
    ]);
    const wants = (when: string) => `wants: [redis]\n${of(`id: a, tool: redis_set${when}`)}`;
    expect(errors(wants(', when: "${services.redis}"'))).toEqual([]);
    expect(fixOf(wants(''))).toContain('redis is only wanted: skip the step with a "when" that uses services.');
  });
  const args = (text: string) => of(`id: a, tool: postgres_execute, arguments: { ${text} }`);
  it.each([
    ['limit: 3', 'sql does not fit postgres_execute: is missing'],
    ['sql: x', 'sql does not fit postgres_execute: Too small: expected string to have >=3 characters'],
    [
      'sql: abc, limt: 3',
      'limt does not fit postgres_execute: unknown key "limt". Did you mean "limit"? Known keys: sql, params, limit, mode, target, options, confirm',
    ],
    ['sql: abc, limit: 11', 'limit does not fit postgres_execute: Too big: expected number to be <=10'],
    [
      'sql: abc, limit: "${inputs} a"',
      'limit does not fit postgres_execute: Invalid input: expected number, received string',
    ],
    ['sql: abc, options: { dri: true, x: "${run}" }', 'options.dri does not fit postgres_execute: unknown key'],
    ['sql: abc, target: { id: x }', 'target does not fit postgres_execute'],
    ['sql: abc, confirm: token', 'confirm is not for blueprints'],
  ])('whose arguments do not fit: %s', (text, message) => {
    const [first = ''] = errors(args(text));
    expect(first.replace(/^steps\.0\.arguments\.?/, '')).toContain(message);
  });
  it.each([
    'sql: abc, limit: "${run.n}"',
    'sql: abc, mode: "${run.n}"',
    'sql: abc, mode: "f${run.n}"',
    'sql: abc, target: "${run.n}"',
    'sql: abc, target: { id: "${run.n}" }',
    'sql: abc, options: { dry: "${run.n}" }',
    'sql: abc, options: "${run}"',
    'sql: "${ident(run.x)}", params: ["${run}", 3]',
  ])('whose arguments may fit: %s', (text) => expect(errors(args(text))).toEqual([]));
  it('that only people may call', () => {
    expect(errors(of('id: a, tool: blueprint_deploy, arguments: { name: x }'))).toEqual([
      'steps.0.tool a run may not call blueprint_deploy: people deploy and decide',
    ]);
  });
  it('whose texts look like numbers', () => {
    expect(checked(args('sql: 1.10'))).toMatchObject([{ path: 'steps.0.arguments.sql', fix: 'Put it in quotes.' }]);
    expect(checked(args('sql: abc, limit: x'))).toMatchObject([{ fix: 'Write what postgres_execute takes.' }]);
  });
  it('may be called by a former name, with the arguments of that time', () => {
    const [finding] = checked(of('id: a, tool: sql, arguments: { statement: select 1 }'));
    expect(finding).toMatchObject({ severity: 'warning', path: 'steps.0.arguments.sql' });
    expect(errors(of('id: a, tool: sql, arguments: { sql: "${run.x}" }'))).toHaveLength(1);
  });
  it('that take anything, but mention what they expect', () => {
    expect(warnings(of('id: a, tool: docker_start, arguments: { contaner: x, id: y }'))).toMatchObject([
      {
        path: 'steps.0.arguments.contaner',
        message: 'docker_start does not mention it',
        fix: 'Did you mean "container"? Known keys: container, id.',
      },
    ]);
  });
  it('do not get values into statements', () => {
    const why = '${run.x} would become a part of the statement';
    expect(errors(args('sql: "select ${run.x}"'))).toEqual([`steps.0.arguments.sql ${why}`]);
    expect(errors(args('sql: "select ${ident(run.a)} ${run.x}"'))).toEqual([`steps.0.arguments.sql ${why}`]);
    expect(errors(of('id: a, tool: notes_add, arguments: { all: [{ SQL: "${run.x}" }] }'))).toEqual([
      `steps.0.arguments.all.0.SQL ${why}`,
    ]);
    expect(errors(of('id: a, tool: graph_query, arguments: { query: "${run.x}", cypher: "${run.x}" }'))).toHaveLength(
      2,
    );
    // Quotes of SQL are texts in Cypher.
    expect(errors(of('id: a, tool: graph_query, arguments: { cypher: "RETURN ${ident(run.x)}" }'))).toHaveLength(1);
    expect(errors(of('id: a, tool: notes_add, arguments: { query: "${run.x}" }'))).toEqual([]);
    expect(
      errors(of('id: a, workflow: w, undo: { tool: postgres_execute, arguments: { sql: "drop ${run.x}" } }')),
    ).toEqual([`steps.0.undo.arguments.sql ${why}`]);
  });
});

describe('names in statements', () => {
  const sql = (text: string) =>
    errors(`name: x\nsteps:\n  - id: a\n    tool: postgres_execute\n    arguments:\n      sql: |\n        ${text}\n`);
  it.each([
    'select * from ${ident(run.x)} where a = $1 and b = $2',
    "select 'it''s' as ${ident(run.x)}",
    "select E'it\\'s' as ${ident(run.x)}",
    'select "a""b" as ${ident(run.x)} -- a name',
    'select /* a /* b */ c */ 1 as ${ident(run.x)}',
    'do $body$ select 1 $body$; drop table ${ident(run.x)}.${ident(run.y)}',
    "select type'a' as ${ident(run.x)}, 5-3, 5/2, a$b$c",
  ])('are right in %s', (text) => expect(sql(text)).toEqual([]));
  it.each([
    "select * from t where a = '${ident(run.x)}'",
    "select 'a''${ident(run.x)}'",
    "select E'a\\'${ident(run.x)}'",
    'select * from "${ident(run.x)}"',
    'select 1 -- ${ident(run.x)}',
    'select 1 /* a /* b */ ${ident(run.x)} */',
    'do $$ begin drop table ${ident(run.x)}; end $$',
    'do $b$ $$ drop table ${ident(run.x)} $$ $b$',
    "select ${ident(run.x)}, '${ident(run.x)}'",
  ])('could end the text or comment around them in %s', (text) =>
    expect(sql(text)).toEqual([
      'steps.0.arguments.sql ${ident(run.x)} stands in quotes or in a comment, and could end it',
    ]),
  );
});

describe('webhooks', () => {
  const to = (webhook: string, more = '') => errors(of(`id: a, webhook: "${webhook}"${more}`));
  it.each([
    'https://example.com',
    'https://example.com/${inputs}/x',
    'http://127.0.0.1:5678?x=${run.id}',
    'hooks/${run.id}',
    '/hooks',
    'team-${run.id}',
    'HTTPS://Example.com/#${run.x}',
  ])('may go to %s', (webhook) => expect(to(webhook)).toEqual([]));
  it.each([
    '${run.url}',
    'https://${run.host}/x',
    'https://example.com${run.x}',
    'https://example.com:${run.port}/',
    'http${run.x}',
    'HT${run.x}',
    'https:/${run.x}',
  ])('have a literal host: %s', (webhook) =>
    expect(to(webhook)).toEqual(['steps.0.webhook has an expression in its host']),
  );
  it.each([
    ['https://ada:secret@example.com/', 'has a user or a password in its address'],
    ['https://ada@example.com/', 'has a user or a password in its address'],
    ['ftp://example.com', 'is not an http or https URL'],
    ['javascript:alert(1)', 'is not an http or https URL'],
    ['//example.com/x', 'names a host without http: or https:'],
    ['https://exa mple.com', 'holds a blank or a backslash'],
    ['/\\\\example.com', 'holds a blank or a backslash'],
    ['https://', 'is not an address'],
    ['../rest/x', 'leaves the webhooks of n8n with . or ..'],
    ['a/%2e%2E/x', 'leaves the webhooks of n8n with . or ..'],
  ])('may not go to %s', (webhook, message) => expect(to(webhook)).toEqual([`steps.0.webhook ${message}`]));
  it('leave to Sluice what is its own', () => {
    expect(to('/x', ', headers: { idempotency-key: a, Host: b, X-Ok: "${run.id}", "a b": c, X-Bad: "a\\nb" }')).toEqual(
      [
        'steps.0.headers.idempotency-key is set by Sluice',
        'steps.0.headers.Host is set by Sluice',
        'steps.0.headers."a b" is not a name of a header',
        'steps.0.headers.X-Bad holds a line break',
      ],
    );
    expect(to('https://example.com', ', instance: main')).toEqual(['steps.0.instance does not go with a URL']);
    expect(to('/x', ', method: GET, body: 1')).toEqual(['steps.0.body does not go with GET']);
  });
});

test('workflows and webhooks of n8n need an n8n', () => {
  const { tool, ...others } = worldWith();
  const without: World = { ...others, tool: (name) => (name.startsWith('n8n_') ? undefined : tool(name)) };
  const steps = of(
    'id: a, workflow: w',
    'id: b, webhook: hooks/a, undo: { webhook: hooks/b }',
    'id: c, webhook: "https://example.com/"',
    'id: d, when: "${\'n8n\' in services}", workflow: w',
  );
  const why = 'needs an n8n that can do it, and there is none now';
  expect(errors(steps, without)).toEqual([
    `steps.0.workflow ${why}`,
    `steps.1.webhook ${why}`,
    `steps.1.undo.webhook ${why}`,
    `steps.3.workflow ${why}`,
  ]);
  expect(errors(`wants: [n8n]\n${of('id: d, when: "${\'n8n\' in services}", workflow: w')}`, without)).toEqual([]);
  expect(errors(steps)).toEqual([]);
});

describe('blueprints that call blueprints', () => {
  const calls = (name: string, ...others: string[]) =>
    `name: ${name}\nsteps:\n${others.map((other, index) => `  - { id: s${index}, blueprint: ${other} }\n`).join('')}  - { id: end, wait: 1s }\n`;
  it('name those that exist, with their inputs', () => {
    const called = `name: called\ninputs: { a: { type: integer }, b: { type: string, default: x } }\nsteps: [{ id: a, wait: 1s }]`;
    const world = worldWith(called);
    const call = (inputs: string) => errors(of(`id: a, blueprint: called, inputs: { ${inputs} }`), world);
    expect(call('a: 1')).toEqual([]);
    expect(call('a: "${run.x}"')).toEqual([]);
    expect(call('b: y')).toEqual(['steps.0.inputs.a does not fit called: is missing']);
    expect(call('a: x')).toEqual([
      'steps.0.inputs.a does not fit called: Invalid input: expected number, received string',
    ]);
    expect(call('a: 1, c: 2')[0]).toContain('steps.0.inputs.c does not fit called: unknown key "c"');
    const [unknown] = checked(of('id: a, blueprint: caled'), world);
    expect(unknown).toMatchObject({ message: 'there is no blueprint caled', fix: 'Did you mean "called"?' });
  });
  it('come to an end', () => {
    expect(errors(calls('a', 'a'))).toEqual(['steps.0.blueprint calls itself without end: a -> a']);
    const world = worldWith(calls('b', 'c'), calls('c', 'a'), calls('d', 'e'), calls('e', 'd'));
    expect(errors(calls('a', 'b', 'd'), world)).toEqual([
      'steps.0.blueprint calls itself without end: a -> b -> c -> a',
      'steps.1.blueprint calls itself without end: d -> e -> d',
    ]);
  });
  it('are at most 8 deep', () => {
    const chain = Array.from({ length: 9 }, (_, index) => calls(`n${index}`, ...(index < 8 ? [`n${index + 1}`] : [])));
    const world = worldWith(...chain);
    expect(errors(calls('n1', 'n2'), world)).toEqual([]);
    expect(errors(calls('n0', 'n1'), world)).toEqual([
      'steps.0.blueprint nests 9 blueprints, but may nest 8: n0 -> n1 -> n2 -> n3 -> n4 -> n5 -> n6 -> n7 -> n8',
    ]);
  });
  it('may share what they call, without looking at it again and again', () => {
    const layers = Array.from({ length: 7 }, (_, layer) =>
      Array.from({ length: 10 }, (_, index) =>
        calls(
          `l${layer}-${index}`,
          ...(layer < 6 ? Array.from({ length: 10 }, (_, next) => `l${layer + 1}-${next}`) : []),
        ),
      ),
    ).flat();
    expect(errors(calls('top', 'l0-0', 'l0-1'), worldWith(...layers))).toEqual([]);
  });
});

describe('inputs', () => {
  const input = (schema: string) => errors(`inputs: { a: ${schema} }\n${of('id: a, wait: 1s')}`);
  it('are JSON Schemas', () => {
    expect(input('{ type: strng }')[0]).toContain('inputs.a is not a JSON Schema that can be used');
    expect(input('{ type: string, pattern: "(" }')[0]).toContain('inputs.a is not a JSON Schema that can be used');
    expect(input('{ type: string, required: true }')).toEqual(['inputs.a.required is not a list']);
    expect(input('{ type: string, secret: true, description: x, format: uri }')).toEqual([]);
  });
  it('have defaults that fit', () => {
    expect(input('{ type: string, default: 3 }')).toEqual([
      'inputs.a.default does not fit the schema of its input: Invalid input: expected string, received number',
    ]);
    const limits = '{ type: object, properties: { cpu: { type: integer, default: 1 } }, required: [cpu], default: {} }';
    expect(input(limits)).toEqual([]);
    // Such a pattern takes for ever: only the deploy tries it, in a worker.
    expect(input(`{ type: string, pattern: "^(a+)+$", default: ${'a'.repeat(40)}! }`)).toEqual([]);
  });
});

test('what is marked as secret is hidden', () => {
  const inputs = (schema: string) => errors(`name: x\ninputs: { a: ${schema} }\nsteps: [{ id: b, wait: 1s }]\n`);
  for (const right of ['true', 'false']) expect(inputs(`{ type: string, secret: ${right} }`)).toEqual([]);
  // A text in YAML 1.2.
  for (const wrong of ['yes', '"true"', '1', ''])
    expect(inputs(`{ type: string, secret: ${wrong} }`)).toEqual(['inputs.a.secret must be true or false']);
  expect(inputs('{ type: object, properties: { token: { type: string, secret: true } } }')).toEqual([]);
  expect(inputs('{ type: array, items: { type: string, secret: on } }')).toEqual([
    'inputs.a.items.secret must be true or false',
  ]);
  const named =
    '{ type: object, properties: { secret: { type: string } }, required: [secret], default: { secret: x } }';
  expect(inputs(named)).toEqual([]);
});

test('a schedule comes due, at most once a minute', () => {
  const due = (schedule: string) => errors(`schedule: "${schedule}"\n${of('id: a, wait: 1s')}`);
  for (const right of ['0 2 * * *', '*/5 * * * MON-FRI', '@daily', '0 0 29 2 *']) expect(due(right)).toEqual([]);
  for (const wrong of ['0 2 * *', '* * * * * *', '61 * * * *', '0 0 30 2 *', '@never', 'soon', '${inputs.x}'])
    expect(due(wrong)[0]).toMatch(/^schedule is not a schedule: /);
});

describe('warnings', () => {
  it('keep no error from being reported', () => {
    const strangers = Array.from({ length: 20 }, (_, index) => `k${index}: 1`).join(', ');
    const steps = Array.from(
      { length: 20 },
      (_, index) => `id: s${index}, tool: docker_start, arguments: { ${strangers} }`,
    );
    const text = of(...steps, 'id: a, webhook: "https://${run.id}/"');
    expect(errors(text)).toEqual(['steps.20.webhook has an expression in its host']);
  });
  it('about hosts without a scheme', () => {
    expect(warnings(of('id: a, webhook: example.com/hook'))).toMatchObject([{ path: 'steps.0.webhook' }]);
    expect(warnings(of('id: a, webhook: hooks/v1.2'))).toEqual([]);
  });

  it('about expressions in names, which stay as they are', () => {
    const text = of('id: a, tool: notes_add, arguments: { map: { "${run.id}": { x: "${run.id}", y: z } } }');
    expect(warnings(text)).toMatchObject([
      { path: 'steps.0.arguments.map."${run.id}"', message: 'is a name, and nothing is filled in there' },
    ]);
  });

  it('of inputs that nobody gives', () => {
    const text = `schedule: "@daily"\ninputs: { a: { type: string }, b: { type: string, default: x } }\n${of('id: a, wait: 1s')}`;
    expect(warnings(text)).toMatchObject([
      { path: 'schedule', line: 1, message: 'runs it without anybody who gives a' },
    ]);
  });
  it('of steps that stay when a later one fails', () => {
    const steps = ['id: r, tool: postgres_query', ...'abcdefg'.split('').map((id) => `id: ${id}, tool: notes_add`)];
    expect(warnings(of(...steps, 'id: w, wait: 1s'))).toMatchObject([
      {
        path: 'steps.1',
        line: 4,
        message: 'stays as it is when a later step fails, because it has no undo (a, b, c, d, e, 1 more)',
      },
    ]);
    expect(warnings(`on_failure: keep\n${of(...steps)}`)).toEqual([]);
    expect(warnings(of('id: a, tool: notes_add, undo: { tool: notes_add }', 'id: b, workflow: x'))).toEqual([]);
  });
  it('of work that a retry may do twice', () => {
    const retry = (more: string) => warnings(of(`id: a, retry: { times: 2 }, ${more}`)).map(({ path }) => path);
    expect(retry('tool: notes_add')).toEqual(['steps.0.retry']);
    for (const fine of [
      'tool: notes_add, idempotent: false',
      'tool: docker_start',
      'tool: postgres_query',
      'workflow: x',
    ])
      expect(retry(fine)).toEqual([]);
  });
});

test('nothing in a definition makes the check throw or take long', () => {
  const piece = fc.constantFrom(
    '${',
    '}',
    '$',
    '"',
    "'",
    'inputs.',
    'steps.a',
    'ident(',
    ')',
    '[',
    ']',
    '{',
    'http://',
    '@',
    '\\',
    ' ',
  );
  const text = fc.array(fc.oneof(piece, fc.string()), { maxLength: 8 }).map((pieces) => `a${pieces.join('')}`);
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value')),
      fc.dictionary(text, tie('value')),
    ),
  }));
  const world = worldWith();
  fc.assert(
    fc.property(text, value, fc.dictionary(text, value), (words, any, map) => {
      const steps = [
        { id: 'a', tool: 'postgres_execute', arguments: map, when: words, for_each: [any] },
        { id: 'b', webhook: words, headers: { x: words }, body: any },
        { id: 'c', approval: words },
      ];
      const { definition } = readDefinition(JSON.stringify({ name: 'x', steps, outputs: map, schedule: words }));
      expect(definition).toBeDefined();
      if (definition) checkDefinition(definition, world);
    }),
    { numRuns: 300 },
  );
  const many = Array.from({ length: 6000 }, (_, index) => `k${index}: 1`).join(', ');
  const [finding] = checked(of(`id: a, tool: postgres_execute, arguments: { sql: abc, ${many} }`));
  expect(finding?.message.length).toBeLessThan(700);
});
