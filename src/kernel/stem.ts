/** The parts of `getHTTPResponse2`: a lower-case run with its capital, capitals up to the next word, digits, others. */
const PART = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lu}|\p{N}+|\p{Lo}+|\p{L}/gu;

/** The parts of a word of letters and digits. */
export const wordParts = (word: string): readonly string[] => word.match(PART) ?? [];

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

/** Endings of cases and genders in Russian and Ukrainian, where й is written и without its accent. */
const CYRILLIC_ENDING =
  /(?<=[а-яіє]{3})(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|иях|иям|ах|ях|ов|ев|еи|ам|ям|ом|ем|ои|ыи|ии|ая|яя|ое|ее|ые|ие|ую|юю|ия|ию|[аяоеыиуюьіє])$/;

/** Reduces `сервера`, `серверов` and `сервер` to one stem. */
export const cyrillicStem = (word: string): string => word.replace(CYRILLIC_ENDING, '');
