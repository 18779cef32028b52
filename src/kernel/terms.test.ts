import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuTime } from '../../test/validation/cpu-time.ts';
import { queryTerms, termsOf } from './terms.ts';

test.each([
  // Words, endings, accents, contractions.
  ['Backups are deleted daily', 'backup are delet daily'],
  ["The server's port; don't, we've", 'the server port dont we'],
  ['Éclair ÅNGSTRÖM straße Łódź İstanbul', 'eclair angstrom strasse lodz istanbul'],
  ['ｆｕｌｌ　ｗｉｄｔｈ ﬁle', 'full width fil'],
  // Names in code.
  ['getHTTPResponse2', 'get http respons gethttpresponse2'],
  ['GitHub n8n', 'git hub github n8n'],
  ['postgres_port sign-in', 'postgr port postgresport sign in signin'],
  ['sluice.yaml', 'sluic yaml sluiceyaml'],
  // Numbers.
  ['port 5432 in 2026-03-14', 'port 5432 in 2026 03 14 2026d03d14'],
  ['v1.2.3 at 10.0.0.7', 'v1 2 3 v1d2d3 at 10 0 0 7 10d0d0d7'],
  ['ORA-00942 0x80070005 E_FAIL', 'ora 00942 ora00942 80070005 0x80070005 e fail efail'],
  ['20,000 of 1,000,000', '20000 of 1000000'],
  ['٣٤٥ १२३ ９８', '345 123 98'],
  // Scripts without spaces.
  ['備份在東京', '備份 份在 在東 東京'],
  ['サーバーは3台', 'サー ーバ バー ーは 3 台'],
  ['Redisの鍵', 'redis の鍵'],
  ['水', '水'],
  ['ที่ไหน', 'ทไ ไห หน'],
  // Korean is written with spaces, but particles are attached.
  ['서버는', '서버 버는 서버는'],
  ['서버', '서버'],
  ['', ''],
  ['?! … —', ''],
])('the terms of %s', (text, terms) => {
  expect(termsOf(text).join(' ')).toBe(terms);
});

test('forms of a word have the same terms', () => {
  for (const [one, other] of [
    ['deploy', 'deploys'],
    ['Café', 'cafe\u0301'],
    ['ΟΔΟΣ', 'οδος'],
    ['שָׁלוֹם', 'שלום'],
    ['می‌شود', 'میشود'],
    ['한국', '한국'],
    ['сервера', 'серверов'],
    ['резервная копия', 'копии'],
    ['gitHub', 'github'],
    ['sign-in', 'signin'],
    ['e-mail', 'email'],
  ] as const)
    expect(termsOf(one)).toEqual(expect.arrayContaining(termsOf(other).slice(-1)));
});

test('vowels of Hindi tell words from one another', () => {
  expect(termsOf('किताब')).not.toEqual(termsOf('कताब'));
  expect(termsOf('किताब')).toHaveLength(1);
});

test('an emoji is a term', () => {
  expect(termsOf('🚀 ❤️')).toHaveLength(2);
  expect(termsOf('❤️')).toEqual(termsOf('❤'));
});

test('a term has letters and digits only, at most 64, and none is empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const term of termsOf(text)) expect(term).toMatch(/^[\p{L}\p{N}]{1,64}$/u);
    }),
    { numRuns: 300 },
  );
  expect(termsOf('x'.repeat(1000))).toEqual(['x'.repeat(64)]);
});

test('a text of 100 KB takes no longer for each character than a short one', () => {
  for (const piece of ['x', 'aB', 'a.', 'a b. ', '服', "a'", '1,', '🚀', '\u0301', '_', '서']) {
    const { ms: short } = cpuTime(() => termsOf(piece.repeat(10_000 / piece.length)));
    const { ms: long } = cpuTime(() => termsOf(piece.repeat(100_000 / piece.length)));
    expect(long).toBeLessThan(Math.max(short, 50) * 30);
  }
});

test.each([
  ['What is the port of the Redis server?', 'port redis server'],
  ['Who moved the van?', 'mov van'],
  ['How do I do it?', 'how do i it'],
  ['Wo liegt die Sicherung des Servers?', 'liegt sicherung server'],
  ['Où est la sauvegarde du serveur ?', 'sauvegard serveur'],
  ['¿Dónde está la copia?', 'copia'],
  ['服务器的端口是什么？', '服务 务器 器的 的端 端口 口是'],
  ['什么？', '什么'],
  ['port port PORT', 'port'],
  ['???', ''],
])('the terms of the question %s', (question, terms) => {
  expect(queryTerms(question).join(' ')).toBe(terms);
});

test('a question with any word has terms, all of them terms of its text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.lorem()), (question) => {
      const terms = queryTerms(question);
      expect(terms.length > 0).toBe(termsOf(question).length > 0);
    }),
    { numRuns: 500 },
  );
});

test('a question is read as far as it can rank anything', () => {
  const question = `${'abc '.repeat(2500)}beyond`;
  expect(queryTerms(question)).toEqual(queryTerms('abc'));
  expect(queryTerms('the '.repeat(3000))).toEqual(queryTerms('the'));
  expect(termsOf(question)).toEqual(expect.arrayContaining(termsOf('beyond')));
});

test('a text with endless marks on a letter is folded at once', () => {
  const many = `a${'\u0315\u0300'.repeat(200_000)}b`;
  expect(termsOf(many)).toEqual(termsOf('ab'));
  expect(queryTerms(many)).toEqual(queryTerms('ab'));
});
