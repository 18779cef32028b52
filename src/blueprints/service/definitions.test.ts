import { afterAll, expect, test } from 'vitest';
import type { World } from '../definition/world.ts';
import { createEvaluator } from '../expressions/evaluator.ts';
import { createReading, fromTexts } from '../library/known.ts';
import { createDefinitions, type KnownDefinitions } from './definitions.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator[Symbol.asyncDispose]());

function definitionsOf(...texts: string[]) {
  const given = texts.map((text, index) => ({ where: `${index}.yaml`, text }));
  const library = {
    all: () => fromTexts('file', given, createReading()),
    save: () => Promise.reject(new Error('not here')),
    stored: async () => undefined,
    delete: async () => false,
    problems: () => [],
  };
  const world = (known: KnownDefinitions): World => ({
    tool: (name) => (name === 'postgres_execute' ? { name, inputSchema: { type: 'object' } } : undefined),
    toolNames: () => ['postgres_execute'],
    sources: () => new Set(['postgres']),
    blueprint: (name) => known.get(name),
    blueprintNames: () => [...known.keys()],
  });
  return createDefinitions({ library, world, evaluator: async () => evaluator });
}

const calling = (name: string, called: string) =>
  `name: ${name}\ninputs: { x: { type: string } }\nsteps:\n  - id: call\n    blueprint: ${called}\n    inputs: { x: "\${inputs.x}" }\n`;
const doing = (name: string, step: string) =>
  `name: ${name}\ninputs: { x: { type: string } }\nsteps:\n  - { id: do, ${step} }\n`;

test.each([
  ['sql: a value in a statement', 'tool: postgres_execute, arguments: { sql: "drop table ${inputs.x}" }'],
  ['a host that is not written out', 'webhook: "https://${inputs.x}/"'],
  ['a tool that is not written out', 'tool: "${inputs.x}"'],
  ['a tool that does not exist', 'tool: nothing'],
])('%s is refused in a blueprint that another one calls, too', async (_, step) => {
  const definitions = definitionsOf(calling('outer', 'middle'), calling('middle', 'inner'), doing('inner', step));
  await expect(definitions.ready('outer')).rejects.toThrow(
    /outer cannot be deployed\.\nline 5, column 5, steps\.0\.blueprint: inner, which it calls, has an error at steps\.0/,
  );
});

test('a blueprint that is called and cannot be read is not missing', async () => {
  const definitions = definitionsOf(calling('outer', 'inner'), 'name: inner\nsteps: 1\n');
  expect(await definitions.findingsIn(calling('outer', 'inner'))).toMatchObject([
    { line: 5, message: 'inner has errors', fix: 'Correct inner first: validate it.' },
  ]);
});

test('a blueprint may call others that are right', async () => {
  const right = 'tool: postgres_execute, arguments: { sql: "drop table ${ident(inputs.x)}" }';
  const definitions = definitionsOf(calling('outer', 'middle'), calling('middle', 'inner'), doing('inner', right));
  expect(Object.keys((await definitions.ready('outer')).nested)).toEqual(['middle', 'inner']);
});

test('a call that is skipped without a service may need that service', async () => {
  const inner = `needs: [redis]\n${doing('inner', 'tool: redis_set')}`;
  const outer = (when: string) =>
    `name: outer\nwants: [redis]\ninputs: { x: { type: string } }\nsteps:\n  - id: call\n    blueprint: middle\n    inputs: { x: "\${inputs.x}" }\n${when}`;
  const definitions = definitionsOf(calling('middle', 'inner'), inner);
  expect(await definitions.findingsIn(outer(`    when: "\${'redis' in services}"\n`))).toEqual([]);
  expect((await definitions.findingsIn(outer(''))).map(({ message }) => message)).toEqual([
    'inner, which it calls, has an error at needs.0: redis has no tools now',
  ]);
  const loose = doing('inner', 'tool: redis_set, arguments: { sql: "drop ${inputs.x}" }');
  const findings = await definitionsOf(calling('middle', 'inner'), loose).findingsIn(
    outer(`    when: "\${'redis' in services}"\n`),
  );
  expect(findings.map(({ message }) => message)).toEqual([
    'inner, which it calls, has an error at steps.0.arguments.sql: ${inputs.x} would become a part of the statement',
  ]);
});

test('findings come in the order of the text', async () => {
  const text = 'name: x\nsteps:\n  - { id: a, webhook: "ftp://x" }\n  - { id: b, tool: nothing, parallel: 3 }\n';
  expect((await definitionsOf().findingsIn(text)).map(({ line, severity }) => `${line} ${severity}`)).toEqual([
    '3 warning',
    '3 error',
    '4 error',
    '4 warning',
  ]);
});

test.each([
  ['ABC', 'a: Invalid string: must match pattern /^([a-z]+)+$/'],
  [`${'a'.repeat(40)}!`, 'The check of the input "a" took longer than 200 ms and was stopped. Make it simpler'],
])('a default that does not match its pattern is found, however long that takes: %s', async (given, why) => {
  const text = (value: string) =>
    `name: x\ninputs:\n  a: { type: string, pattern: "^([a-z]+)+$", default: "${value}" }\nsteps: [{ id: b, wait: 1s }]\n`;
  expect(await definitionsOf().findingsIn(text('abc'))).toEqual([]);
  expect(await definitionsOf().findingsIn(text(given))).toMatchObject([
    { severity: 'error', line: 2, path: 'inputs', message: `have a default that does not fit: ${why}` },
  ]);
});
