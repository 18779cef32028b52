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

const bytesOf = (text: string): number =>
  Math.max(
    Buffer.byteLength(text),
    Buffer.byteLength(text.normalize('NFKD')),
    Buffer.byteLength(text.normalize('NFKC')),
  );
