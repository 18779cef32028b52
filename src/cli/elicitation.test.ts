import { describe, expect, test } from 'vitest';
import { scriptedTerminal } from '../../test/fixtures/scripted-terminal.ts';
import { createAnswerer } from './elicitation.ts';

const { signal } = new AbortController();
const form = {
  mode: 'form',
  message: 'Who are you?',
  requestedSchema: {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' }, note: { type: 'string' } },
    required: ['name', 'age'],
  },
};
const confirmation = (confirm: string) => ({
  mode: 'form',
  message: 'Allow ref__wipe?',
  requestedSchema: { type: 'object', properties: {} },
  _meta: { 'sluice/confirm': confirm },
});
const ask = (answers: (string | undefined)[], params: object, yes = false, interactive = true) => {
  const { terminal, ...seen } = scriptedTerminal(answers, interactive);
  const answer = createAnswerer(terminal, yes)('elicitation/create', params as Record<string, unknown>, signal);
  return answer.then((outcome) => ({ outcome, ...seen }));
};

describe('on a terminal', () => {
  test('a form is filled in field by field; what is wrong is asked again, what is optional may stay away', async () => {
    const { outcome, said } = await ask(['', 'Bob', 'old', '42', ''], form);
    expect(outcome).toEqual({ result: { action: 'accept', content: { name: 'Bob', age: 42 } } });
    expect(said).toEqual(['Who are you?\n(Ctrl-D declines)', '  This field is required.', '  Write a whole number.']);
  });

  test('the end of the input declines', async () => {
    expect((await ask(['Bob', undefined], form)).outcome).toEqual({ result: { action: 'decline' } });
  });

  test.each([
    ['y', 'accept'],
    ['YES', 'accept'],
    ['', 'decline'],
    ['n', 'decline'],
    [undefined, 'decline'],
  ])('a confirmation answered with %j: %s', async (answer, action) => {
    const { outcome } = await ask([answer], confirmation('any'));
    expect(outcome).toMatchObject({ result: { action } });
  });
});

describe('--yes', () => {
  test('confirms without asking, with or without a terminal', async () => {
    for (const interactive of [true, false]) {
      const { outcome, asked } = await ask([], confirmation('any'), true, interactive);
      expect(outcome).toEqual({ result: { action: 'accept', content: {} } });
      expect(asked).toEqual([]);
    }
  });

  test('is not a person where a person must confirm', async () => {
    expect((await ask(['n'], confirmation('human'), true)).outcome).toEqual({ result: { action: 'decline' } });
    expect((await ask([], confirmation('human'), true, false)).outcome).toEqual({ result: { action: 'decline' } });
  });

  test('does not answer what a tool itself asks', async () => {
    const { _meta, ...own } = confirmation('any');
    expect((await ask([], own, true, false)).outcome).toEqual({ result: { action: 'decline' } });
  });
});

test('where nobody can be asked it is declined, and what to do is said', async () => {
  const plain = await ask([], form, false, false);
  expect(plain.outcome).toEqual({ result: { action: 'decline' } });
  expect(plain.said).toEqual([expect.stringContaining('Run this on a terminal') as string]);
  expect((await ask([], confirmation('any'), false, false)).said).toEqual([expect.stringContaining('--yes') as string]);
});

test.each([
  ['sampling/createMessage', {}],
  ['roots/list', undefined],
  ['elicitation/create', { mode: 'url', url: 'https://example.com', message: 'Open it' }],
])('%s is not done', async (method, params) => {
  const { terminal } = scriptedTerminal();
  expect(await createAnswerer(terminal, true)(method, params, signal)).toMatchObject({ error: { code: -32601 } });
});
