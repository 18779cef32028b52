type Form = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/**
 * The text in one of Unicode's normal forms, with at most 30 marks on a letter, as its stream-safe format has it. Normalizing
 * takes quadratic time in the marks on one letter: a megabyte of them would stop the process for minutes.
 */
export const normalized = (text: string, form: Form): string =>
  text.replaceAll(/(\p{M}{30})\p{M}+/gu, '$1').normalize(form);
