/** A result that is larger is not kept. */
export const MOST_RESULT_BYTES = 1024 * 1024;
/** Of each item, because there may be 300. */
export const MOST_ITEM_BYTES = 32 * 1024;

/** What is kept of a result: all of it, or only how large it was. */
export function kept(result: unknown, most: number): { readonly result: unknown; readonly note?: string } {
  const bytes = Buffer.byteLength(JSON.stringify(result) ?? '');
  if (bytes <= most) return { result: result ?? null };
  const note = `Its result has ${bytes} bytes. Results over ${most} bytes are not kept: later steps cannot use it.`;
  return { result: { too_large: true, bytes }, note };
}
