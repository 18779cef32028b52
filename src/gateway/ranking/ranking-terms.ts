import { stem, wordParts } from '../../kernel/stem.ts';
import { normalized } from '../../kernel/normalized.ts';

const WORD = /[\p{L}\p{N}]+/gu;
const PLAIN = /^(?:[A-Z]?[a-z]+|\d+)$/;

/** `createIssue2` gives `creat`, `issu`, and the whole word, because people also search `GitHub` as `github`. */
export function tokenize(text: string): string[] {
  const terms: string[] = [];
  for (const word of unaccented(text).match(WORD) ?? []) {
    if (PLAIN.test(word)) {
      terms.push(stem(word.toLowerCase()));
      continue;
    }
    const parts = wordParts(word);
    // A single letter or digit of `n8n` or `s3` means nothing.
    if (parts.length > 1) for (const part of parts) if (part.length > 1) terms.push(stem(part.toLowerCase()));
    terms.push(stem(word.toLowerCase()));
  }
  return terms;
}

function unaccented(text: string): string {
  // oxlint-disable-next-line no-control-regex -- all of ASCII, where there is nothing to do
  return /^[\0-\x7f]*$/.test(text) ? text : normalized(text, 'NFKD').replace(/\p{M}+/gu, '');
}

const fillers = new Set(
  'a an and any are as at be by can could did do does for from had has have how i if in into is it its me my of on or our please should so some that the their them then there these they this those to up was we were what when where which who will with would you your want need just something anything thing things now right really some please am im ive id lets let here ones one today tomorrow yesterday tonight night morning evening week month year monday tuesday wednesday thursday friday saturday sunday last many much am pm day hour hours everything'
    .split(' ')
    .map(stem),
);

/** A word that rarely tells one tool from another. */
export const isFiller = (term: string): boolean => fillers.has(term);
