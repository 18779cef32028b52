/** Polite openings before the wish itself. */
const politeness =
  /^\W*(?:(?:please|hi|hello|hey|ok|okay|now|so|and|also)\W+|(?:can|could|would|will) you (?:please )?|(?:i|we) (?:want|need|would like|like|wish|have) (?:you )?to |i[' ]?d like (?:you )?to |help me (?:to )?|let[' ]?s |let me |how (?:do|can|could|would|should|to) (?:i |we |you )?|is (?:it|there) (?:possible|a way) (?:to |of )?|may i )+/i;

/** Openings of a question: the wish is to know something, not to change it. */
const asking =
  /^\W*(?:which|what|who|whose|where|when|why|how (?!do|can|to)|is|are|was|were|did|does|has|have|show|list|tell|any)\b/i;

export interface Wish {
  readonly text: string;
  readonly asks: boolean;
}

export function readWish(query: string): Wish {
  // A URL counts as one word, whatever words it contains, and so does an n8n expression.
  const text = query
    .replace(politeness, '')
    .replace(/\bhttps?:\/\/\S+/gi, 'url')
    .replace(/\{\{[^{}]*\}\}/g, 'expression');
  return { text, asks: asking.test(text) };
}
