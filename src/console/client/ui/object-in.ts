type Properties = Readonly<Record<string, unknown>>;

/** A JSON object as somebody types it, or why it is none. */
export function objectIn(text: string): { readonly value: Properties } | { readonly problem: string } {
  if (text.trim() === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: value as Properties };
    return { problem: 'This is not a JSON object. Write { "key": "value" }.' };
  } catch {
    return { problem: 'This is not JSON. Write { "key": "value" }.' };
  }
}
