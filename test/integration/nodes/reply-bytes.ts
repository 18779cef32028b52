/** How large an answer is as data alone. */
export const bytesAsData = (data: unknown): number => Buffer.byteLength(JSON.stringify(data));

/** How large the result of a tool is: as data, and the same as text. */
export const bytesAsReply = (data: unknown): number =>
  bytesAsData({ content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data });
