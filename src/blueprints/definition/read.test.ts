import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { findingLine, pathIn, pathText } from './finding.ts';
import { readDefinition } from './read.ts';

const lines = (text: string): string[] =>
  readDefinition(text).findings.map(
    ({ severity, line, column, path, message }) => `${severity} ${line}:${column} ${path} ${message}`,
  );
/** Of this thread: others may keep the machine busy. */
const cpuMs = (): number => process.threadCpuUsage().user / 1000;
const fixOf = (text: string): string | undefined => readDefinition(text).findings[0]?.fix;
const step = (inner: string): string => `name: x\nsteps:\n  - { id: a, ${inner} }\n`;

describe('a definition', () => {
  const whole = `
name: support-agent
description: A database, a workflow and a monitor for one team
inputs: { team: { type: string, pattern: "^[a-z]+$" }, hosts: { type: array, items: { type: string }, default: [] } }
needs: [postgres]
wants:
steps:
  - id: database
    tool: postgres_execute
    arguments: { sql: "create schema \${ident(inputs.team)}" }
    undo: { tool: postgres_execute, arguments: { sql: "drop schema \${ident(inputs.team)}" } }
    timeout: 60s
  - { id: provision, workflow: "Provision agent", input: { team: "\${inputs.team}" }, retry: { times: 3 } }
  - { id: go, approval: "Go live for \${inputs.team}?", timeout: 7d }
  - { id: monitors, for_each: "\${inputs.hosts}", as: host, tool: uptimekuma_add_monitor, arguments: { url: "\${host}" } }
  - { id: pause, wait: 1.5m }
  - { id: done, wait: { event: "n8n.*", where: "\${event.ok}" } }
  - { id: tell, webhook: "https://example.com/hook", method: PUT, headers: { X-Team: 7 }, body: [1], idempotent: false }
  - { id: inner, blueprint: other, inputs: { a: 1 }, confirm: human, parallel: 2, for_each: [1, 2] }
outputs: { url: "\${steps.provision.result.url}" }
on_failure: keep
schedule: 0 2 * * *
`;

  it('is read with every default filled in', () => {
    const { definition, findings, name } = readDefinition(whole);
    expect(findings).toEqual([]);
    expect(name).toBe('support-agent');
    expect(definition).toMatchObject({ needs: ['postgres'], wants: [], onFailure: 'keep', schedule: '0 2 * * *' });
    expect(definition?.steps.slice(1, 4)).toEqual([
      {
        id: 'provision',
        work: { kind: 'workflow', workflow: 'Provision agent', input: { team: '${inputs.team}' } },
        as: 'item',
        parallel: 5,
        retry: { times: 3, backoffMs: 1000 },
      },
      {
        id: 'go',
        work: { kind: 'approval', question: 'Go live for ${inputs.team}?' },
        as: 'item',
        parallel: 5,
        timeoutMs: 604_800_000,
      },
      {
        id: 'monitors',
        work: { kind: 'tool', tool: 'uptimekuma_add_monitor', arguments: { url: '${host}' } },
        forEach: '${inputs.hosts}',
        as: 'host',
        parallel: 5,
      },
    ]);
    expect(definition?.steps.slice(4).map(({ work }) => work)).toEqual([
      { kind: 'wait', ms: 90_000 },
      { kind: 'event', event: 'n8n.*', where: '${event.ok}' },
      {
        kind: 'webhook',
        webhook: 'https://example.com/hook',
        method: 'PUT',
        headers: { 'X-Team': '7' },
        body: [1],
      },
      { kind: 'blueprint', blueprint: 'other', inputs: { a: 1 } },
    ]);
  });

  it('may be JSON', () => {
    const { definition } = readDefinition('{\n\t"name": "x",\n\t"steps": [{"id": "a", "webhook": "/x"}]\n}');
    expect(definition).toEqual({
      name: 'x',
      inputs: {},
      needs: [],
      wants: [],
      outputs: {},
      onFailure: 'undo',
      steps: [
        { id: 'a', as: 'item', parallel: 5, work: { kind: 'webhook', webhook: '/x', method: 'POST', headers: {} } },
      ],
    });
  });

  it('says where a path is written, and for one that is not there where it would belong', () => {
    const { place } = readDefinition(whole);
    expect(place('steps.0.arguments.sql')).toEqual({ line: 10, column: 18 });
    expect(place('steps.0.arguments.params')).toEqual({ line: 10, column: 5 });
    expect(place('steps.1')).toEqual({ line: 13, column: 5 });
  });
});

test('all problems are reported at once, each where it is', () => {
  const text = `name: Support
inputs: { team: string, a-b: { type: string } }
steps:
  - { id: a, tool: x, undo: { tool: y, inputs: {} }, retry: { times: 30, backof: 2s } }
  - { id: a, approval: hi, for_each: [1] }
  - { id: b, tool: x, webhook: y }
  - { id: c, tol: x }
  - { id: d }
  - id: 7
    tool: x
    idempotent: yes
    timeout: 5
    confirm: yes
    parallel: 3
    method: GET
on_failure: no
outputs: []
shedule: x
`;
  expect(lines(text)).toEqual([
    'error 1:1 name is not a name of a blueprint',
    'error 2:11 inputs.team must be a map of names and values, not a text',
    'error 2:25 inputs.a-b is not a name that expressions can use',
    'error 4:40 steps.0.undo.inputs "inputs" does not go with tool',
    'error 4:63 steps.0.retry.times must be at most 20',
    'error 4:74 steps.0.retry.backof "backof" is not a known key',
    'error 5:7 steps.1.id "a" is already the id of step 1',
    'error 5:28 steps.1.for_each "for_each" does not go with approval',
    'error 6:5 steps.2 A step does one thing, but this one has tool and webhook',
    'error 7:14 steps.3.tol "tol" is not a known key',
    'error 8:5 steps.4 A step needs one of tool, workflow, webhook, approval, wait, blueprint',
    'error 9:5 steps.5.id must be a text, not a number',
    'error 11:5 steps.5.idempotent must be true or false, not a text',
    'error 12:5 steps.5.timeout is not a duration',
    'error 13:5 steps.5.confirm must be human',
    'warning 14:5 steps.5.parallel "parallel" does nothing without for_each',
    'error 15:5 steps.5.method "method" does not go with tool',
    'error 16:1 on_failure must be one of undo, keep',
    'error 17:1 outputs must be a map of names and values, not a list',
    'error 18:1 shedule "shedule" is not a known key',
  ]);
  const { definition, findings } = readDefinition(text);
  expect(definition).toBeUndefined();
  expect(findings.map(({ fix }) => fix)).toEqual(
    expect.arrayContaining([
      'Write a JSON Schema: { type: string }.',
      'Did you mean "backoff"?',
      'Did you mean "tool"?',
      'Put it in quotes.',
      'YAML reads yes as a text. Write true.',
      'Write it with its unit: "5s".',
      'Write keep to leave what was done, or undo to undo it.',
      'Did you mean "schedule"?',
    ]),
  );
});

test.each([
  ['tool: t, args: {}', 'Did you mean "arguments"?'],
  ['tool: t, if: "${true}"', 'Did you mean "when"?'],
  ['tool: t, loop: [1]', 'Did you mean "for_each"?'],
  ['tool: t, retry: { attempts: 3 }', 'Did you mean "times"?'],
  ['tool: t, retry: 3', 'Write { times: 3 }.'],
  ['tool: t, undo: drop', 'Write it as a step without an id: { tool: …, arguments: { … } }.'],
])('what people know from elsewhere gets a fix that works: %s', (text, fix) => {
  expect(readDefinition(step(text)).findings).toMatchObject([{ fix }]);
});

test.each([
  ['needs: n8n', 'Write [n8n].'],
  ['outputs: "${steps.a.result}"', 'Give it a name, such as { result: "${…}" }.'],
  ['inputs: [team]', 'Write each name with its JSON Schema, such as { team: { type: string } }.'],
])('the same for the whole definition: %s', (text, fix) => {
  expect(fixOf(`name: x\nsteps: [{ id: a, wait: 1s }]\n${text}`)).toBe(fix);
  expect(fixOf('name: x\nsteps: [{ id: My-step, wait: 1s }]')).toBe('Write my_step.');
});

test('a misspelled key is not also missing', () => {
  expect(lines('nmae: x\nsteps: [{ id: a, wait: 1s }]')).toEqual(['error 1:1 nmae "nmae" is not a known key']);
});

test('what is missing is reported where it belongs', () => {
  expect(lines('description: x')).toEqual(['error 1:1 name is missing', 'error 1:1 steps is missing']);
  expect(lines('name: x\nsteps: []')).toEqual(['error 2:1 steps must be a list with at least 1 entry']);
});

describe('YAML that says something else than was meant', () => {
  it('asks for quotes around expressions in braces', () => {
    expect(lines(step('tool: x, arguments: { url: ${host} }'))).toEqual([
      'error 3:42  cannot be read: Unexpected flow-map-start at node end',
    ]);
    expect(fixOf(step('tool: x, arguments: { url: ${host} }'))).toBe(
      'Put texts with ${…} in quotes: "${inputs.name}".',
    );
  });
  it('asks for quotes around a schedule that begins with a star', () => {
    expect(fixOf('name: x\nschedule: * * * * *')).toBe('Put it in quotes, such as "* * * * *".');
    expect(fixOf('name: x\nschedule: *daily')).toBe('Put it in quotes if it is a text, such as "* * * * *".');
  });
  it('takes durations with their unit only', () => {
    for (const wrong of ['60', '"60"', 'soon', '0s', '400d', '1h30m', '1e3s'])
      expect(lines(step(`tool: x, timeout: ${wrong}`))).toHaveLength(1);
    for (const right of ['500ms', '60s', '5m', '2h', '7d', '365d'])
      expect(lines(step(`tool: x, timeout: ${right}`))).toEqual([]);
    expect(lines(step('tool: x, retry: { times: 1, backoff: 2h }'))).toEqual([
      'error 3:42 steps.0.retry.backoff must be at most 1h',
    ]);
  });
  it('refuses numbers that would lose digits', () => {
    expect(lines(step('tool: x, arguments: { id: 12345678901234567890 }'))).toEqual([
      'error 3:40  is too large to stay exact as a number',
    ]);
  });
  it('refuses a second document, tags and keys that are not names', () => {
    expect(lines('name: x\n---\nname: y')).toEqual(['error 2:1  begins a second document']);
    expect(lines(step('tool: !secret x'))).toEqual(['error 3:28  has the tag !secret']);
    expect(lines(step('tool: x, arguments: { ? [a] : 1 }'))).toEqual(['error 3:38  is not a name']);
  });
});

test('fixes of inputs are about schemas', () => {
  expect(fixOf(`inputs: { confirm: integer }\n${step('tool: x')}`)).toBe('Write a JSON Schema: { type: integer }.');
  expect(fixOf(`inputs: { confirm: text }\n${step('tool: x')}`)).toBe('Write a JSON Schema: { type: string }.');
  const many = Array.from({ length: 201 }, (_, index) => `a${index}: {}`).join(', ');
  expect(lines(`inputs: { ${many} }\n${step('tool: x')}`)).toEqual(['error 1:1 inputs has more than 200 inputs']);
});

describe('hostile YAML', () => {
  it('reports duplicate keys, in linear time', () => {
    expect(lines('name: x\nname: y\nsteps: []')).toEqual(['error 2:1  "name" appears twice']);
    const many = Array.from({ length: 7000 }, (_, index) => `k${index}: 1`).join('\n');
    const began = cpuMs();
    expect(readDefinition(many).findings).toHaveLength(22);
    const inputs = `inputs:\n${many.replaceAll('k', ' a-')}`;
    expect(readDefinition(inputs).findings).toHaveLength(101);
    expect(cpuMs() - began).toBeLessThan(3000);
  });
  it('does not parse a text that has more in it than a blueprint', () => {
    const text = `name: x\noutputs: { a: [${'a,'.repeat(100_000)}] }`;
    expect(lines(text)).toEqual(['error undefined:undefined  has too many values and signs']);
    const long = Array.from({ length: 100 }, (_, step) => {
      const keys = Array.from(
        { length: 40 },
        (_, key) => `      key_${key}: "a text about \${inputs.team} of some length"\n`,
      );
      return `  - id: step_${step}\n    tool: t\n    arguments:\n${keys.join('')}`;
    });
    expect(lines(`name: x\nsteps:\n${long.join('')}`)).toEqual([]);
  });
  it('does not write out aliases without end', () => {
    const laughs = ['a: &a [x,x,x,x,x,x,x,x,x,x]'];
    for (let level = 1; level < 12; level++) {
      const [name, last] = ['abcdefghijklm'.charAt(level), 'abcdefghijklm'.charAt(level - 1)];
      laughs.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${last}`).join(',')}]`);
    }
    expect(lines(laughs.slice(0, 9).join('\n'))).toEqual([
      'error 1:1  becomes too large when its aliases are written out',
    ]);
    expect(lines(`name: &a x\nsteps: [${'*a, '.repeat(10_000)}]`)).toEqual(['error 2:409  uses too many aliases']);
    expect(lines('name: &x [*x]')).toEqual(['error 1:11  "*x" contains itself']);
  });
  it('takes a few aliases', () => {
    const { definition } = readDefinition(`name: x
steps:
  - { id: a, tool: t, arguments: &same { to: [1] } }
  - { id: b, tool: t, arguments: *same }`);
    expect(definition?.steps[1]?.work).toEqual({ kind: 'tool', tool: 't', arguments: { to: [1] } });
  });
  it('does not take a merge for an argument', () => {
    const text = `steps:
  - { id: a, tool: t, arguments: &same { to: [1] } }
  - { id: b, tool: t, arguments: { <<: *same, cc: x } }`;
    expect(lines(`name: x\n${text}`)).toEqual(['error 4:36  "<<" does not merge maps here']);
    expect(lines(`%YAML 1.1\n---\nname: x\n${text}`)).toEqual(['error 6:36  "<<" does not merge maps here']);
  });
  it.each(['[', '{', '- ', '? ', '[{a: ', ' '])('survives %j without end', (piece) => {
    const began = cpuMs();
    readDefinition(piece.repeat(Math.floor(200_000 / piece.length)));
    expect(cpuMs() - began).toBeLessThan(5000);
  });
  it('refuses what is too long or too deep, and names that objects already have', () => {
    expect(lines(`name: x # ${'x'.repeat(256 * 1024)}`)).toEqual([
      'error undefined:undefined  is 257 KB long, but may have 256 KB',
    ]);
    expect(lines(`a: ${'['.repeat(80)}${']'.repeat(80)}`)[0]).toBe('error 1:64  is nested too deeply');
    expect(lines(step('tool: x, arguments: { __proto__: { a: 1 } }'))).toEqual([
      'error 3:36  "__proto__" cannot be a name',
    ]);
    const { definition } = readDefinition(step('tool: x, arguments: { constructor: 1, toString: 2 }'));
    expect(definition?.steps[0]?.work).toMatchObject({ arguments: { constructor: 1, toString: 2 } });
    expect(lines('constructor: 1\nname: x\nsteps: [{ id: a, wait: 1s, toString: 1 }]')).toEqual([
      'error 1:1 constructor "constructor" is not a known key',
      'error 3:28 steps.0.toString "toString" is not a known key',
    ]);
  });
  it('counts steps', () => {
    const steps = Array.from({ length: 101 }, (_, index) => `  - { id: s${index}, wait: 1s }`).join('\n');
    expect(lines(`name: x\nsteps:\n${steps}`)).toEqual(['error 2:1 steps must be a list with at most 100 entries']);
  });
  it('never throws', () => {
    const piece = fc.constantFrom(
      'name: x\n',
      'steps:\n',
      '  - id: a\n',
      '    tool: x\n',
      '{',
      '}',
      '[',
      ']',
      '&a ',
      '*a',
      ': ',
      '? ',
      '!t ',
      '"',
      '|\n',
      '---\n',
      '<<: ',
      '\t',
      '${',
      'undo: ',
      '\0',
      'é',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        const { definition, findings } = readDefinition(pieces.join(''));
        expect(definition === undefined).toBe(findings.some(({ severity }) => severity === 'error'));
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        readDefinition(JSON.stringify({ name: 'x', steps: value, inputs: value }));
      }),
      { numRuns: 200 },
    );
  });
});

test('paths survive as texts', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 })), (path) => {
      expect(pathIn(pathText(path))).toEqual(path);
    }),
  );
});

test('a finding as a line', () => {
  const [finding] = readDefinition('name: x\nsteps: 1').findings;
  expect(finding && findingLine(finding)).toBe(
    'line 2, column 1, steps: must be a list, not a number. Write a list here.',
  );
});
