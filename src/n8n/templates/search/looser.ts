import { queryTerms, termsOf } from '../../../kernel/terms.ts';

const MOST_WORDS = 8;
const MOST_ALONE = 3;

/**
 * The same question in fewer words, for a service that wants each of them to occur: first without words that only ask, then
 * each of its longest words alone.
 */
export function looser(question: string): string[][] {
  const telling = new Set(queryTerms(question));
  const words = [...new Set(question.split(/[^\p{L}\p{N}\p{M}._-]+/u))]
    .filter((word) => termsOf(word).some((term) => telling.has(term)))
    .slice(0, MOST_WORDS);
  const alone = words.toSorted((one, other) => other.length - one.length).slice(0, MOST_ALONE);
  return words.length > 1 ? [[words.join(' ')], alone] : [alone];
}
