/** Ends a stream after so many bytes. */
export function limitedTo(
  body: AsyncIterable<Buffer>,
  most: number,
): { readonly bytes: AsyncIterable<Buffer>; isCut(): boolean } {
  let isCut = false;
  async function* bytes(): AsyncGenerator<Buffer> {
    let read = 0;
    for await (const chunk of body) {
      yield chunk;
      read += chunk.length;
      if (read < most) continue;
      isCut = true;
      return;
    }
  }
  return { bytes: bytes(), isCut: () => isCut };
}
