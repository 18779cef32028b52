/** A part of a text, and what to write instead. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly put: string;
}

/** In order. Those that overlap become one, so that nothing of them is left. */
export function apart(spans: Span[]): Span[] {
  const ordered = spans.sort((one, other) => one.start - other.start || other.end - one.end);
  const separate: Span[] = [];
  for (const span of ordered) {
    const last = separate.at(-1);
    if (!last || span.start >= last.end) separate.push(span);
    else if (span.end > last.end) separate[separate.length - 1] = { ...last, end: span.end };
  }
  return separate;
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
