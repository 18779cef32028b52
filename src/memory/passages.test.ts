import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuTime } from '../../test/validation/cpu-time.ts';
import { passagesOf as readPassages } from './passages.ts';

const passagesOf = (text: string): string[] => [...readPassages(text)];

const words = (count: number, word = 'word') => Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ');
const count = (text: string) => text.split(/\s+/).filter(Boolean).length;

test('a short text is one passage', () => {
  expect(passagesOf('Redis listens on port 6380.')).toEqual(['Redis listens on port 6380.']);
  expect(passagesOf('  \n ')).toEqual(['  \n ']);
  expect(passagesOf('')).toEqual([]);
});

test('ends passages after sentences', () => {
  const text = `${words(20, 'a')}. ${words(20, 'b')}. ${words(20, 'c')}. ${words(20, 'd')}.`;
  expect(passagesOf(text)).toEqual([`${words(20, 'a')}. ${words(20, 'b')}. `, `${words(20, 'c')}. ${words(20, 'd')}.`]);
});

test('prefers the end of a paragraph to a later end of a sentence', () => {
  const text = `${words(20, 'a')}.\n\n${words(20, 'b')}. ${words(40, 'c')}.`;
  expect(passagesOf(text)[0]).toBe(`${words(20, 'a')}.\n\n`);
});

test('starts a passage at a heading, and keeps a heading with its text', () => {
  const text = `# Backups\n\n${words(10, 'a')}.\n\n## Restore\n\n${words(10, 'b')}.\n`;
  expect(passagesOf(text)).toEqual([`# Backups\n\n${words(10, 'a')}.\n\n`, `## Restore\n\n${words(10, 'b')}.\n`]);
});

test('splits words that are too long, and scripts without spaces', () => {
  const long = passagesOf(`key ${'x'.repeat(2000)} end`);
  expect(Math.max(...long.map((passage) => passage.length))).toBeLessThanOrEqual(404);
  const chinese = passagesOf('服务器在法兰克福。备份每天晚上三点开始，保存三十天。'.repeat(20));
  expect(chinese.length).toBeGreaterThan(4);
  for (const passage of chinese) expect(passage).toMatch(/^(?:服务器|备份).*。$/u);
});

test('never splits a letter from its marks or an emoji in two', () => {
  for (const letter of ['ที่', '👩🏽', 'é', 'कि']) {
    const passages = passagesOf(letter.normalize('NFD').repeat(400));
    expect(passages.length).toBeGreaterThan(1);
    for (const passage of passages) {
      expect(passage).not.toMatch(/^\p{M}/u);
      expect(passage.isWellFormed()).toBe(true);
    }
  }
});

const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\n',
        '\n\n',
        '. ',
        ' ',
        '# ',
        '\n## ',
        '。',
        '服务器',
        'port 5432 ',
        'x'.repeat(100),
        '\r\n',
        ', ',
      ),
      fc.lorem({ maxCount: 40 }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''));

test('passages joined are the text, for any text', () => {
  fc.assert(
    fc.property(text, (any) => {
      const passages = passagesOf(any);
      expect(passages.join('')).toBe(any);
      for (const passage of passages) expect(count(passage)).toBeLessThanOrEqual(55);
      expect(passages.every((passage) => passage !== '')).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('passages of prose have 28 to 55 words', () => {
  fc.assert(
    fc.property(
      fc.array(fc.lorem({ mode: 'sentences', maxCount: 3 }), { minLength: 20, maxLength: 60 }),
      (sentences) => {
        for (const passage of passagesOf(sentences.join(' ')).slice(0, -1)) {
          expect(count(passage)).toBeGreaterThanOrEqual(28);
          expect(count(passage)).toBeLessThanOrEqual(55);
        }
      },
    ),
    { numRuns: 50 },
  );
});

test('a text of 1 MB takes no longer for each character than a short one', () => {
  for (const piece of ['x', 'a b. ', '服', '\n', ' ', '# a\n', '\u0301', 'x\n \n', '.']) {
    const { ms: short } = cpuTime(() => passagesOf(piece.repeat(100_000 / piece.length)));
    const { result, ms: long } = cpuTime(() => passagesOf(piece.repeat(1_000_000 / piece.length)));
    expect(long).toBeLessThan(Math.max(short, 50) * 30);
    expect(Math.max(...result.map((passage) => passage.length))).toBeLessThan(4000);
  }
});
