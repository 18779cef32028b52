import { describe, expect, test } from 'vitest';
import { partsOf, rawWordsOf, stemOf, wordsOf } from './words.ts';

describe('words', () => {
  test.each([
    ['Send a Message!', ['send', 'a', 'message']],
    ['WordPress', ['wordpress']],
    ['e-mail, E-Mails and email', ['email', 'emails', 'and', 'email']],
    ['Zürich café straße', ['zurich', 'cafe', 'strasse']],
    ["don't, it's", ['dont', 'it']],
    ['NEAR("a" AND *) OR -x:y', ['near', 'a', 'and', 'or', 'x', 'y']],
    ['\0\u0001 ^*"(): 🙂', []],
    ['发送邮件', ['发送', '送邮', '邮件']],
    ['gửi tin nhắn đến', ['gui', 'tin', 'nhan', 'den']],
  ])('of %j', (text, words) => {
    expect(rawWordsOf(text)).toEqual(words);
  });

  test('an overlong string is no word', () => {
    expect(rawWordsOf(`${'x'.repeat(1_000_000)} slack`)).toEqual(['slack']);
  });

  test('a name is indexed whole and by its parts', () => {
    expect(wordsOf(partsOf('googleSheetsTrigger'))).toEqual(['googlesheetstrigger', 'googl', 'sheet', 'trigger']);
  });
});

describe('stems', () => {
  test.each([
    ['schedule', 'scheduling', 'scheduled', 'schedules'],
    ['classify', 'classifier', 'classification', 'classifies'],
    ['summarize', 'summarizing', 'summarise', 'summarization'],
    ['translate', 'translation', 'translated'],
    ['batch', 'batches', 'batching'],
    ['split', 'splitting'],
    ['buy', 'bought'],
    ['entry', 'entries'],
  ])('of %s and its forms are equal', (...forms) => {
    expect(new Set(forms.map(stemOf)).size).toBe(1);
  });

  test.each([
    ['new', 'news'],
    ['statu', 'status'],
    ['form', 'format'],
    ['custom', 'customer'],
  ])('of %s and %s differ', (one, other) => {
    expect(stemOf(one)).not.toBe(stemOf(other));
  });
});
