/** The text of an answer; undefined if it has more bytes than this. Reads no further than needed. */
export async function bodyOf(response: Response, largest: number): Promise<string | undefined> {
  if (Number(response.headers.get('content-length') ?? 0) > largest) {
    await response.body?.cancel();
    return undefined;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the rest.
    if (bytes > largest) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
