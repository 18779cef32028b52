/** What people say before they say what they want. */
const politeness =
  /^\W*(?:(?:please|hi|hello|hey|ok|okay|now|so|and|also)\W+|(?:can|could|would|will) you (?:please )?|(?:i|we) (?:want|need|would like|like|wish|have) (?:you )?to |i[' ]?d like (?:you )?to |help me (?:to )?|let[' ]?s |let me |how (?:do|can|could|would|should|to) (?:i |we |you )?|is (?:it|there) (?:possible|a way) (?:to |of )?|may i )+/i;

/** Whoever asks so wants to know something, not to change it. */
const asking =
  /^\W*(?:which|what|who|whose|where|when|why|how (?!do|can|to)|is|are|was|were|did|does|has|have|show|list|tell|any)\b/i;

export interface Wish {
  readonly text: string;
  readonly asks: boolean;
}

export function readWish(query: string): Wish {
  // An address is one thing, whatever words it is made of, and so is an expression of n8n.
  const text = query
    .replace(politeness, '')
    .replace(/\bhttps?:\/\/\S+/gi, 'url')
    .replace(/\{\{[^{}]*\}\}/g, 'expression');
  return { text, asks: asking.test(text) };
}
