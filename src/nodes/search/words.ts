/**
 * Splits text into words for the index: lower case, without accents, stemmed. Nodes and questions use the same functions,
 * and the result does not depend on platform or locale.
 */
import { normalized } from '../../kernel/normalized.ts';

/** Longer strings are no words. */
const LONGEST = 40;

export function wordsOf(text: string): string[] {
  return rawWordsOf(text).map(stemOf);
}

/** Words before stemming. A name like WordPress is one word, because people vary its case. */
export function rawWordsOf(text: string): string[] {
  const plain = normalized(text, 'NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('đ', 'd')
    .replaceAll('ß', 'ss')
    .replace(/(?<=\p{L})['’](?:s|re|ll|d|ve|m)\b/gu, '')
    .replace(/(?<=n)['’]t\b/gu, 't')
    .replace(/\be-?mail/g, 'email');
  const words: string[] = [];
  for (const [word] of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(word)) words.push(...pairsOf(word));
    else if (word.length <= LONGEST) words.push(word);
  }
  return words;
}

/** A camelCase name as a whole and as separate words. */
export function partsOf(name: string): string {
  const parts = name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return `${name} ${parts}`;
}

/** Scripts without spaces between words are indexed as pairs of characters. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** A light stemmer: forms that differ in number, tense or part of speech get the same stem, which need not be a word. */
export function stemOf(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word) || names.has(word)) return word;
  let stem = irregular.get(word) ?? word;
  if (stem.length < 4) return stem;
  if (/(?:ss|us|is|os|ws)$/.test(stem)) {
    // Not a plural: "address", "status", "analysis", "news".
  } else if (stem.endsWith('ies')) stem = `${stem.slice(0, -3)}y`;
  else if (/(?:sses|xes|zes|ches|shes)$/.test(stem)) stem = stem.slice(0, -2);
  else if (stem.endsWith('s')) stem = stem.slice(0, -1);
  const cut = /^(.*[aeiouy].*?)(?:ing|ed)$/.exec(stem)?.[1];
  if (cut !== undefined && cut.length >= 3) stem = cut.replace(/([bdfgklmnprt])\1$/, '$1');
  return stem
    .replace(/(?:ification|ifier)$/, 'ify')
    .replace(/(?:ization|isation|izer|iser|ise|ize)$/, 'iz')
    .replace(/(?<=.{3}[st])ion$/, '')
    .replace(/(?<=.{3})e$/, '')
    .replace(/(?<=.{3})y$/, 'i');
}

/** Names that are not stemmed: their stems would be other words. */
const names: ReadonlySet<string> = new Set([
  'stripe',
  'notion',
  'cohere',
  'currents',
  'segment',
  'wise',
  'vero',
  'ghost',
  'line',
]);

const irregular: ReadonlyMap<string, string> = new Map(
  `bought:buy sent:send made:make wrote:write written:write paid:pay sold:sell built:build kept:keep told:tell found:find
  chose:choose chosen:choose got:get gotten:get gave:give given:give took:take taken:take came:come began:begin begun:begin
  broke:break broken:break spoke:speak spoken:speak said:say ran:run held:hold left:leave met:meet drew:draw drawn:draw
  knew:know known:know grew:grow thrown:throw threw:throw shown:show fell:fall fallen:fall lost:lose taught:teach
  people:person men:man children:child indices:index indexes:index analyse:analyze analyses:analyze analysis:analyze
  analytics:analytics setting:set running:run signing:sign`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);
