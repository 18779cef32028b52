/** The size of an answer as data. */
export const bytesAsData = (data: unknown): number => Buffer.byteLength(JSON.stringify(data));

/** The size of a tool result, which contains the answer twice: as data and as text. */
export const bytesAsReply = (data: unknown): number =>
  bytesAsData({ content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data });
