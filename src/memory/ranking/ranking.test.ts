import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Age, Hit } from '../engine.ts';
import { cpuTime } from '../../../test/validation/cpu-time.ts';
import { askedTerms, ranked } from './ranking.ts';

const hit = (id: string, text: string, score: number, passage = 0): Hit => ({ id, passage, text, score });
const DAY = 24 * 60 * 60_000;
const NOW = Date.UTC(2026, 0, 1);

const redis = 'Redis listens on port 6380.';
const postgres = 'Postgres listens on port 5432.';
const tea = 'Anna prefers tea over coffee.';

test('what has the words and the meaning comes first, and says why', () => {
  const found = ranked({
    question: 'Which port does redis listen on?',
    byWords: [hit('redis', redis, 4), hit('postgres', postgres, 2)],
    byMeaning: [hit('postgres', postgres, 0.712), hit('redis', redis, 0.708), hit('tea', tea, 0.2)],
  });
  expect(found.map(({ id }) => id)).toEqual(['redis', 'postgres', 'tea']);
  expect(found[0]).toMatchObject({
    passage: 0,
    text: redis,
    why: { meaning: 0.71, words: ['port', 'redis', 'listen'] },
  });
  expect(found[2]?.why).toEqual({ meaning: 0.2 });
});

test('a rare word counts more than a common one', () => {
  const notes = Array.from({ length: 20 }, (_, at) => hit(`n${at}`, `The server number ${at} is fine`, 1));
  const found = ranked({
    question: 'server hermes',
    byWords: [...notes, hit('rare', 'hermes is in Porto', 1)],
    byMeaning: [],
  });
  expect(found[0]).toMatchObject({ id: 'rare', why: { words: ['hermes'] } });
});

test('works by words alone and by meaning alone', () => {
  expect(ranked({ question: 'tea', byWords: [hit('tea', tea, 1)], byMeaning: [] })).toMatchObject([
    { id: 'tea', why: { words: ['tea'] } },
  ]);
  expect(ranked({ question: '???', byWords: [], byMeaning: [hit('tea', tea, 0.5)] })).toMatchObject([{ id: 'tea' }]);
  expect(ranked({ question: 'tea', byWords: [], byMeaning: [] })).toEqual([]);
});

test('related words count, less than the word itself, and are named as written', () => {
  const passphrase = 'The passphrase is in the safe.';
  const found = ranked({
    question: 'password',
    byWords: [],
    byMeaning: [hit('other', tea, 0.5), hit('secret', passphrase, 0.5), hit('same', 'The password is blue.', 0.5)],
  });
  expect(found.map(({ id }) => id)).toEqual(['same', 'secret', 'other']);
  expect(found[1]?.why.related).toEqual(['passphrase']);
});

test('a question for a time prefers a text that names one', () => {
  const found = ranked({
    question: 'When does the backup start?',
    byWords: [],
    byMeaning: [
      hit('what', 'The backup starts with the databases.', 0.6),
      hit('when', 'The backup starts at 02:30.', 0.6),
    ],
  });
  expect(found[0]?.id).toBe('when');
});

test('a memory is there once, with its best passage, and a long one needs a better passage', () => {
  const found = ranked({
    question: 'tea',
    byWords: [],
    byMeaning: [hit('long', 'about nothing', 0.5, 0), hit('long', 'about walls', 0.6, 7), hit('short', 'x y', 0.58)],
  });
  expect(found.map(({ id, passage }) => [id, passage])).toEqual([
    ['short', 0],
    ['long', 7],
  ]);
});

const aged = (days: number, other: Partial<Age> = {}): Age => ({
  recordedAt: NOW - days * DAY,
  recalls: 0,
  pinned: false,
  ...other,
});

test('between two that fit alike, the newer, recalled or pinned one comes first', () => {
  const first = (ages: Record<'a' | 'b', Age>) =>
    ranked({
      question: 'tea',
      byWords: [],
      byMeaning: [hit('a', tea, 0.6), hit('b', tea, 0.6)],
      decay: { halfLifeDays: 30, now: NOW, ages: new Map(Object.entries(ages)) },
    })[0]?.id;
  expect(first({ a: aged(90), b: aged(1) })).toBe('b');
  expect(first({ a: aged(90), b: aged(90, { recalledAt: NOW - DAY, recalls: 1 }) })).toBe('b');
  expect(first({ a: aged(90), b: aged(90, { recalls: 9 }) })).toBe('b');
  expect(first({ a: aged(1), b: aged(900, { pinned: true }) })).toBe('b');
});

test('an old memory that fits clearly best stays first', () => {
  const found = ranked({
    question: 'tea',
    byWords: [hit('old', tea, 1)],
    byMeaning: [hit('new', redis, 0.4), hit('old', tea, 0.6)],
    decay: {
      halfLifeDays: 1,
      now: NOW,
      ages: new Map([
        ['old', aged(10_000)],
        ['new', aged(0)],
      ]),
    },
  });
  expect(found[0]).toMatchObject({ id: 'old', why: { age: -0.06 } });
});

test('every memory of the hits is there once, the best first, whatever was found', () => {
  const hits = fc.array(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'),
      passage: fc.nat(5),
      text: fc.oneof(fc.string({ unit: 'grapheme' }), fc.lorem()),
      score: fc.double({ min: -1, max: 1, noNaN: true }),
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.lorem()), hits, hits, (question, byWords, byMeaning) => {
      const found = ranked({ question, byWords, byMeaning });
      const ids = found.map(({ id }) => id);
      expect(new Set(ids)).toEqual(new Set([...byWords, ...byMeaning].map(({ id }) => id)));
      expect(ids).toHaveLength(new Set(ids).size);
      const scores = found.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    }),
  );
});

test('a question of words that are all akin to those of the hits takes no longer for each hit', () => {
  const akin = (at: number) => `deploy${String.fromCodePoint(97 + (at % 26), 97 + (Math.floor(at / 26) % 26))}`;
  const question = Array.from({ length: 200 }, (_, at) => akin(at)).join(' ');
  const hits = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      hit(`m${at}`, Array.from({ length: 60 }, (_term, word) => `deployment${akin(at * 60 + word)}`).join(' '), 1),
    );
  expect(askedTerms(question)).toHaveLength(50);
  const [few, many] = [hits(30), hits(300)];
  ranked({ question, byWords: few, byMeaning: [] });
  const { ms: short } = cpuTime(() => ranked({ question, byWords: few, byMeaning: [], limit: 1 }));
  const { ms: long } = cpuTime(() => ranked({ question, byWords: many, byMeaning: [], limit: 1 }));
  expect(long).toBeLessThan(Math.max(short, 10) * 40);
});
