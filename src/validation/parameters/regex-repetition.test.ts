import { describe, expect, it } from 'vitest';
import { repeatsItself } from './regex-repetition.ts';

describe('a repetition', () => {
  it.each(['(a+)+', '(.*)*', '(\\d+)*$', '([a-z]+)+@', '(?:x+){2,}', '(a|a)*', '(\\w+\\s?)*', '((ab)+)+', '(a*b?)*'])(
    'of a repetition is seen in %s',
    (source) => expect(repeatsItself(source)).toBeDefined(),
  );

  it.each([
    '(\\w+,)*',
    '(a|b)+',
    '[a+]+',
    '\\(a+\\)+',
    '(ab)+',
    '(a+)',
    '(a+){3}',
    '(a+b)+',
    '^\\S+@\\S+$',
    '(?=a+)b',
    '(',
    ')+',
    '[',
    '\\',
  ])('is not seen in %s', (source) => expect(repeatsItself(source)).toBeUndefined());
});
