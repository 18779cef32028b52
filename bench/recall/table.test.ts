import { expect, test } from 'vitest';
import type { Question } from '../../test/recall/questions.ts';
import { passagesOf } from './meaning-alone.ts';
import type { Ranker } from './ranker.ts';
import { answersOf, hitTable, rowOf } from './table.ts';
import { wordsAlone } from './words-alone.ts';

const notes = ['one', 'two', 'three', 'four', 'five', 'six'].map((id) => ({ id, text: id }));

function ask(text: string, right: readonly string[], more: Partial<Question> = {}): Question {
  return { text, notes: right, kind: 'paraphrase', tuning: false, ...more };
}

function inOrder(): Ranker {
  let ids: readonly string[] = [];
  return {
    name: 'in order',
    prepare: async (given) => void (ids = given.map(({ id }) => id)),
    rank: async () => ids,
    [Symbol.asyncDispose]: async () => {},
  };
}

test('the rank is that of the best right note', async () => {
  await using ranker = inOrder();
  const questions = [ask('a', ['one']), ask('b', ['six', 'five']), ask('c', ['seven'])];
  const answers = await answersOf(ranker, notes, questions);
  expect(answers.map(({ rank }) => rank)).toEqual([1, 5, Number.POSITIVE_INFINITY]);
});

test('counts the hits of each set of questions', async () => {
  await using ranker = inOrder();
  const questions = [
    ask('a', ['one']),
    ask('b', ['five'], { tuning: true }),
    ask('c', ['six'], { tuning: true }),
    ask('d', ['two'], { kind: 'words' }),
  ];
  const answers = await answersOf(ranker, notes, questions);
  expect(hitTable([rowOf(ranker.name, answers, answers.slice(2))])).toMatchInlineSnapshot(`
    "| hit@1 / hit@5, % | all (4) | held out (2) | paraphrases (3) | paraphrases, held out (1) | same words (1) | other languages (2) |
    | --- | --: | --: | --: | --: | --: | --: |
    | in order | 25.0 / 75.0 | 50.0 / 100.0 | 33.3 / 66.7 | 100.0 / 100.0 | 0.0 / 100.0 | 0.0 / 50.0 |"
  `);
});

test('words alone finds by any word, and takes operators for words', async () => {
  await using ranker = wordsAlone();
  await ranker.prepare([
    { id: 'tea', text: 'Marek drinks green tea.' },
    { id: 'coffee', text: 'Hannah drinks coffee.' },
  ]);
  expect(await ranker.rank('who likes tea OR NEAR("x')).toEqual(['tea']);
  expect(await ranker.rank('drinks, tea?')).toEqual(['tea', 'coffee']);
  expect(await ranker.rank('?!')).toEqual([]);
});

test('a long text becomes passages of fifty words', () => {
  const words = Array.from({ length: 120 }, (_, at) => `w${at}`);
  const passages = passagesOf(words.join(' '));
  expect(passages.map((passage) => passage.split(' ').length)).toEqual([50, 50, 20]);
  expect(passages.join(' ')).toBe(words.join(' '));
});
