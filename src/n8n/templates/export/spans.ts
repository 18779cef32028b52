/** A part of a text, and what to write instead. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly put: string;
}

/** In order, and of those that overlap the first. */
export function apart(spans: Span[]): Span[] {
  let free = 0;
  return spans
    .sort((one, other) => one.start - other.start || other.end - one.end)
    .filter(({ start, end }) => {
      if (start < free) return false;
      free = end;
      return true;
    });
}

/** The text with the spans, in order and apart, replaced. */
export function replaced(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, put } of spans) {
    parts.push(text.slice(from, start), put);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}
