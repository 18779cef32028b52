import { describe, expect, test } from 'vitest';
import { english } from '../../../bench/questions/english.ts';
import { otherLanguages } from '../../../bench/questions/other-languages.ts';
import { heldOut, type Question } from '../../../bench/questions/questions.ts';
import { keywords } from '../../../src/nodes/search/keywords/keywords.ts';
import { type SearchOptions, searchNodes } from '../../../src/nodes/search/search.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';

describe.skipIf(catalogueIsMissing)('searching the nodes of n8n by words', () => {
  const search = async (query: string, options?: SearchOptions) =>
    (await searchNodes(testCatalogue(), query, options)).hits.map(({ node }) => node);
  const names = async (query: string, options?: SearchOptions) =>
    (await search(query, options)).map(({ name }) => name.slice(name.lastIndexOf('.') + 1));

  /** Percentage of questions with a right answer among the first hits. */
  async function share(questions: readonly Question[], first: number): Promise<number> {
    let right = 0;
    for (const question of questions) {
      const found = (await search(question.ask)).slice(0, first);
      if (found.some(({ name }) => question.right.includes(name))) right += 1;
    }
    return (100 * right) / questions.length;
  }

  test('every expected answer is a node that exists', () => {
    const wrong = [...english, ...otherLanguages].flatMap(({ right }) => right);
    expect(wrong.filter((name) => testCatalogue().node(name) === undefined)).toEqual([]);
  });

  test('every node that has our phrases exists', () => {
    const unknown = [...keywords().texts.keys()].filter((name) => testCatalogue().node(name) === undefined);
    expect(unknown).toEqual([]);
  });

  test('held-out questions: 75 % right at rank 1, 92 % within the first five', async () => {
    const unseen = english.filter(heldOut);
    expect(await share(unseen, 1)).toBeGreaterThanOrEqual(75);
    expect(await share(unseen, 5)).toBeGreaterThanOrEqual(92);
  });

  test('questions in other languages reach the same shares', async () => {
    expect(await share(otherLanguages, 1)).toBeGreaterThanOrEqual(75);
    expect(await share(otherLanguages, 5)).toBeGreaterThanOrEqual(92);
  });

  test.each([
    ['slack', 'slack'],
    ['Slack Trigger', 'slackTrigger'],
    ['n8n-nodes-base.googleSheets', 'googleSheets'],
    ['n8n-nodes-base.slackTool', 'slackTool'],
    ['@n8n/n8n-nodes-langchain.agent', 'agent'],
    ['splitInBatches', 'splitInBatches'],
    ['WordPress', 'wordpress'],
    ['hub spot', 'hubspot'],
    ['if', 'if'],
    ['code', 'code'],
    ['sned a mesage to slak', 'slack'],
    ['HTTP', 'httpRequest'],
  ])('"%s" finds %s first', async (query, name) => {
    expect((await names(query))[0]).toBe(name);
  });

  test('a trigger comes first only if the question asks for one', async () => {
    expect((await names('post a message in slack'))[0]).toBe('slack');
    expect((await names('when a message is posted in slack'))[0]).toBe('slackTrigger');
  });

  test('tool variants are shown only if the question or the options ask for them', async () => {
    expect(await names('send a slack message')).not.toContain('slackTool');
    expect((await names('slack as a tool for an agent')).slice(0, 3)).toContain('slackTool');
    expect((await names('slack', { tools: true })).slice(0, 3)).toEqual(expect.arrayContaining(['slack', 'slackTool']));
    expect(await names('slack as a tool', { tools: false })).not.toContain('slackTool');
  });

  test('a type filters the hits', async () => {
    const found = await search('slack message', { type: 'TRIGGER' });
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ type }) => type === 'TRIGGER')).toBe(true);
  });

  test('a replaced node comes after its replacement', async () => {
    const found = await names('cron');
    expect(found.indexOf('scheduleTrigger')).toBeLessThan(found.indexOf('cron'));
    const code = await names('function');
    expect(code.indexOf('code')).toBeLessThan(code.indexOf('function'));
  });

  test.each([
    ['', 0],
    ['   ', 0],
    ['\0\0', 0],
    ['"', 0],
    ['*^:(){}[]', 0],
    ['🙂🎉', 0],
    ['xqzzvwq', 0],
  ])('%j finds nothing and does not throw', async (query, found) => {
    expect(await search(query)).toHaveLength(found);
  });

  test.each([
    'slack OR 1=1; DROP TABLE search',
    'slack NEAR/2 message',
    'title:slack',
    '"slack',
    'slack*',
    '-slack',
    '{title} : slack',
    'slack\0',
    '🙂 slack 🙂',
    `slack ${'x'.repeat(1_000_000)}`,
    'slack '.repeat(150_000),
  ])('operators are treated as words (%#)', async (query) => {
    expect((await names(query)).slice(0, 3)).toContain('slack');
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    '%s is treated like any other word',
    async (query) => {
      await expect(search(query)).resolves.toBeInstanceOf(Array);
      expect((await names(`slack ${query}`))[0]).toBe('slack');
    },
  );

  test('the same question has the same answer, with descending scores of at most 1', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => searchNodes(testCatalogue(), 'update a row in a table of customers')),
    );
    expect(one).toEqual(other);
    const scores = one?.hits.map(({ score }) => score) ?? [];
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores[0]).toBeLessThanOrEqual(1);
    expect(one?.how).toBe('lexical');
  });
});
