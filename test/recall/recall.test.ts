import { describe, expect, test } from 'vitest';
import { notesInLanguages, questionsInLanguages } from './languages.ts';
import { notes } from './notes.ts';
import { questions } from './questions.ts';

const little = new Set(
  `a about after again all already also always am an and any anything are aren as at be because been before being but by
  can come could did didn do does doesn doing don down each else ever every everything for from get gets give go goes
  got had has have he her him his how i if in into is it its just keep kept let like ll made make many may me more most
  much must my need needed needs never no nobody not nothing of off on once one only or other others our out over own re
  s should since so some somebody something soon still such t take than that the their them then there these they thing
  this those three time times to too two under until up us use used uses very want wants was we were what when where
  which while who whose why will with without won would yet you your`.split(/\s+/),
);

function contentWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return new Set(words.filter((word) => !little.has(word)));
}

/** A word counts as shared if only its ending differs: dump and dumps, kopie and kopię. */
function alike(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [shorter = 0, longer = 0] = [one.length - same, other.length - same].toSorted((a, b) => a - b);
  return longer === 0 || (same >= 4 && longer <= (shorter === 0 ? 3 : 2));
}

function sharedWords(question: string, note: string): number {
  const inNote = [...contentWords(note)];
  return [...contentWords(question)].filter((word) => inNote.some((other) => alike(word, other))).length;
}

const textOf = new Map([...notes, ...notesInLanguages].map(({ id, text }) => [id, text]));
const lengthOf = (text: string) => text.split(/\s+/).length;

test('there are enough notes and questions', () => {
  expect(notes.length).toBeGreaterThanOrEqual(165);
  expect(questions.length).toBeGreaterThanOrEqual(135);
  expect(notesInLanguages).toHaveLength(20);
  expect(questionsInLanguages).toHaveLength(20);
  const long = notes.filter(({ text }) => lengthOf(text) >= 120);
  expect(long.length).toBeGreaterThanOrEqual(10);
  expect(Math.max(...long.map(({ text }) => lengthOf(text)))).toBeLessThanOrEqual(400);
});

test('ids and texts are unique', () => {
  const every = [...notes, ...notesInLanguages];
  expect(textOf.size).toBe(every.length);
  expect(every.filter(({ id }) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(id))).toEqual([]);
  const texts = [...every, ...questions, ...questionsInLanguages].map(({ text }) => text.toLowerCase());
  expect(new Set(texts).size).toBe(texts.length);
});

test('every question names notes that exist', () => {
  const asked = [...questions, ...questionsInLanguages];
  expect(asked.filter((question) => question.notes.length === 0)).toEqual([]);
  expect(asked.flatMap((question) => question.notes).filter((id) => !textOf.has(id))).toEqual([]);
});

describe.each(['paraphrase', 'words'] as const)('questions of kind %s', (kind) => {
  const ofKind = questions.filter((question) => question.kind === kind);

  test('half of them are held out, spread evenly', () => {
    expect(ofKind.length).toBeGreaterThanOrEqual(15);
    const tuning = ofKind.filter((question) => question.tuning).length;
    expect(Math.abs(ofKind.length - 2 * tuning)).toBeLessThanOrEqual(1);
    for (let from = 0; from + 10 <= ofKind.length; from += 10) {
      expect(ofKind.slice(from, from + 10).filter((question) => question.tuning)).toHaveLength(5);
    }
  });
});

test('paraphrases share few content words with their note', () => {
  const shared = questions
    .filter(({ kind }) => kind === 'paraphrase')
    .map(({ text, notes: ids }) => Math.max(...ids.map((id) => sharedWords(text, textOf.get(id) ?? ''))));
  const atMostTwo = shared.filter((count) => count <= 2).length / shared.length;
  const average = shared.reduce((sum, count) => sum + count, 0) / shared.length;
  expect(atMostTwo).toBeGreaterThan(0.8);
  expect({
    paraphrases: shared.length,
    average: average.toFixed(2),
    none: shared.filter((count) => count === 0).length,
    one: shared.filter((count) => count === 1).length,
    two: shared.filter((count) => count === 2).length,
    more: shared.filter((count) => count > 2).length,
  }).toMatchInlineSnapshot(`
    {
      "average": "0.89",
      "more": 6,
      "none": 57,
      "one": 90,
      "paraphrases": 179,
      "two": 26,
    }
  `);
});

test('a question in words shares one with its note', () => {
  const without = questions.filter(
    ({ kind, text, notes: ids }) => kind === 'words' && !ids.some((id) => sharedWords(text, textOf.get(id) ?? '') > 0),
  );
  expect(without).toEqual([]);
});

test('a question in another language has a word, or a pair of characters, in common with its note', () => {
  const without = questionsInLanguages.filter(({ language, text, notes: [id = ''] }) => {
    const note = textOf.get(id) ?? '';
    if (language !== 'zh' && language !== 'ja') return sharedWords(text, note) === 0;
    const pairs = Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2));
    return !pairs.some((pair) => note.includes(pair));
  });
  expect(without).toEqual([]);
  expect(questionsInLanguages.filter(({ inflected }) => inflected).length).toBeGreaterThanOrEqual(5);
});
