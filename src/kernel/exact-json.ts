// TypeScript does not know JSON.rawJSON yet.
const { rawJSON } = JSON as JSON & { rawJSON(text: string): unknown };

/** JSON text after a change of its value. Numbers beyond JavaScript's precision stay exact. */
export function changedJson(text: string, change: (value: unknown) => void): string {
  const value = JSON.parse(text, exactly) as unknown;
  change(value);
  return JSON.stringify(value);
}

/** The JSON with every text changed, and none of its keys. */
export function changedTexts(json: string, change: (text: string) => string): string {
  const value: unknown = JSON.parse(json, (key, inner: unknown, context?: { source?: string }) =>
    typeof inner === 'string' ? change(inner) : exactly(key, inner, context),
  );
  return JSON.stringify(value);
}

function exactly(_: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? rawJSON(context.source) : value;
}
