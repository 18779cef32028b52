const WORD = /[\p{L}\p{N}]+/gu;
/** The parts of `getHTTPResponse2`: a lower-case run with its capital, capitals up to the next word, digits, others. */
const PART = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lu}|\p{N}+|\p{Lo}+|\p{L}/gu;
const PLAIN = /^(?:[A-Z]?[a-z]+|\d+)$/;

/** `createIssue2` gives `creat`, `issu`, and the whole word, because people also search `GitHub` as `github`. */
export function tokenize(text: string): string[] {
  const terms: string[] = [];
  for (const word of unaccented(text).match(WORD) ?? []) {
    if (PLAIN.test(word)) {
      terms.push(stem(word.toLowerCase()));
      continue;
    }
    const parts = word.match(PART) ?? [];
    // A single letter or digit of `n8n` or `s3` means nothing.
    if (parts.length > 1) for (const part of parts) if (part.length > 1) terms.push(stem(part.toLowerCase()));
    terms.push(stem(word.toLowerCase()));
  }
  return terms;
}

function unaccented(text: string): string {
  // oxlint-disable-next-line no-control-regex -- all of ASCII, where there is nothing to do
  return /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '');
}

/** Reduces `deletes`, `deleted`, `deleting` and `delete` to one stem. It does not try to be a linguist. */
export function stem(word: string): string {
  if (!/^[a-z]{2,}(?:[deis]|ing)$/.test(word)) return word;
  let root = singular(word);
  const base = /^(.+?)(?:ing|ed)$/.exec(root)?.[1];
  // `string`, `bring`, `need` and `feed` have these endings but are not verb forms.
  if (base && base.length > 2 && /[aeiouy]/.test(base)) root = undoubled(base);
  if (root.length > 3 && root.endsWith('i')) return `${root.slice(0, -1)}y`;
  return root.length > 3 && root.endsWith('e') ? root.slice(0, -1) : root;
}

function singular(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

/** `stopped` and `running` double a letter; in `added`, `called` and `passed` it belongs to the stem. */
function undoubled(base: string): string {
  return base.length > 3 && /([bdgmnprt])\1$/.test(base) ? base.slice(0, -1) : base;
}

const fillers = new Set(
  'a an and any are as at be by can could did do does for from had has have how i if in into is it its me my of on or our please should so some that the their them then there these they this those to up was we were what when where which who will with would you your want need just something anything thing things now right really some please am im ive id lets let here ones one today tomorrow yesterday tonight night morning evening week month year monday tuesday wednesday thursday friday saturday sunday last many much am pm day hour hours everything'
    .split(' ')
    .map(stem),
);

/** A word that rarely tells one tool from another. */
export const isFiller = (term: string): boolean => fillers.has(term);
