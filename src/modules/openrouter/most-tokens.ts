export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What models add to a conversation: instructions of their own, and those for an answer in JSON. */
const FOR_REQUEST = 1024;
/** What marks its beginning, its role and its end. */
const FOR_MESSAGE = 32;

/**
 * No model counts more tokens for this than the number returned. A token stands for a byte of the text at least; some
 * models write the text out first, so that one sign becomes several (`ﷺ` becomes 18).
 */
export function mostTokens(messages: readonly Message[], schema?: unknown): number {
  const sent = messages.reduce((sum, { content }) => sum + FOR_MESSAGE + bytesOf(content), 0);
  // It may be sent with indentation, and again in the instructions.
  const described = schema === undefined ? 0 : 2 * bytesOf(JSON.stringify(schema, null, 4));
  return FOR_REQUEST + sent + described;
}

/**
 * The most bytes that the text has in any Unicode form. Sign by sign: to normalize a whole text may take minutes, because
 * marks on the same letter are sorted one by one. Sorting keeps the length, and composing never adds to it.
 */
function bytesOf(text: string): number {
  const plain = Buffer.byteLength(text);
  if (plain === text.length) return plain;
  const known = new Map<string, number>();
  let bytes = 0;
  for (const sign of text) {
    let most = known.get(sign);
    if (most === undefined) {
      most = Math.max(...[sign, sign.normalize('NFD'), sign.normalize('NFKD')].map((form) => Buffer.byteLength(form)));
      known.set(sign, most);
    }
    bytes += most;
  }
  return bytes;
}
