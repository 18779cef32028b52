import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../test/validation/cpu-time.ts';
import { readQuestion } from './question.ts';

describe('a trigger', () => {
  test.each([
    'when a new email arrives',
    'on new order',
    'new lead in salesforce',
    'every 5 minutes',
    'run daily at 9am',
    'watch a folder',
    'start the workflow as soon as a file is uploaded',
    'cuando llega un mensaje',
    'wenn eine Nachricht kommt',
  ])('is asked for by "%s"', (ask) => {
    expect(readQuestion(ask).trigger).toBe('surely');
  });

  test.each(['send an email', 'add a field to every item', 'create a new line in a sheet', 'each item on its own'])(
    'is not asked for by "%s"',
    (ask) => {
      expect(readQuestion(ask).trigger).toBe('no');
    },
  );

  test('is possible with a "when" in the middle', () => {
    expect(readQuestion('stop when the data is wrong').trigger).toBe('perhaps');
  });
});

test.each(['give my agent a calculator', 'slack as a tool', 'tool for an AI agent that reads a sheet'])(
  '"%s" asks for a tool',
  (ask) => {
    expect(readQuestion(ask).tool).toBe(true);
  },
);

test('"a tool to convert files" does not ask for an agent tool', () => {
  expect(readQuestion('a tool to convert files').tool).toBe(false);
});

test('a phrase adds the word it implies', () => {
  expect(readQuestion('every 30 seconds').words).toContain('schedul');
  expect(readQuestion('for each invoice').words).toContain('loop');
});

test('a question in another language is translated, and app names stay', () => {
  const { words, english } = readQuestion('Nachricht in einen Slack Kanal schicken');
  expect(words).toEqual(expect.arrayContaining(['messag', 'slack', 'channel', 'send']));
  expect(english).toBe(false);
});

test('English stays English even with words that exist in another language', () => {
  expect(readQuestion('send the data to the form').english).toBe(true);
  expect(readQuestion('the son of the customer').words).toContain('son');
});

test.each(['', '   ', '\0', '"*^()', '🙂🙂', '-'])('%j has no words', (ask) => {
  expect(readQuestion(ask).words).toEqual([]);
});

test('only the beginning of a very long question is read', () => {
  const { ms } = cpuTime(() => {
    expect(readQuestion('slack '.repeat(200_000)).words).toEqual(['slack']);
    expect(readQuestion('x'.repeat(1_000_000)).words).toEqual([]);
  });
  expect(ms).toBeLessThan(1_000);
});
