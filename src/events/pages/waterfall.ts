import { durationIn, type Event, flagIn, isCallEnd, textIn, timeOf } from './event.ts';

/** Something in a trace that took time, or happened at one moment. */
export interface Span {
  readonly key: string;
  readonly kind: 'call' | 'step' | 'event';
  /** In milliseconds since 1970; undefined if the time is missing or absurd. */
  readonly start: number | undefined;
  /** Undefined while it has not ended, or if its end was not recorded. */
  readonly end: number | undefined;
  readonly failed: boolean;
  /** What is known last about it. */
  readonly event: Event;
  /** What began or ended within its time. */
  readonly children: readonly Span[];
}

interface Open {
  readonly key: string;
  readonly kind: Span['kind'];
  /** What a begin and its end have in common. */
  readonly sign: string;
  readonly start: number | undefined;
  end: number | undefined;
  failed: boolean;
  event: Event;
  hasEnded: boolean;
}

const STEP_ENDS = new Set(['blueprint.step_completed', 'blueprint.step_failed']);

const callSign = (event: Event): string =>
  JSON.stringify([textIn(event, 'tool'), textIn(event, 'source'), textIn(event, 'principal')]);
const stepSign = (event: Event): string =>
  JSON.stringify([textIn(event, 'run'), textIn(event, 'step'), flagIn(event, 'undo')]);

/** What happened in one trace, as a tree. The events come oldest first. */
export function spansIn(events: readonly Event[]): Span[] {
  const found: Open[] = [];
  const open = (event: Event, kind: Span['kind'], sign: string, hasEnded: boolean): void => {
    const at = timeOf(event);
    const ms = hasEnded ? durationIn(event) : undefined;
    found.push({
      key: String(event.id),
      kind,
      sign,
      start: at !== undefined && ms !== undefined ? at - ms : at,
      end: hasEnded ? at : undefined,
      failed: event.status === 'failure',
      event,
      hasEnded,
    });
  };
  const close = (event: Event, kind: Span['kind'], sign: string) => {
    if (!ended(found, event, kind, sign)) open(event, kind, '', true);
  };
  for (const event of events) {
    const type = textIn(event, 'watched') === undefined ? event.event_type : '';
    if (type === 'tool.call_received') open(event, 'call', callSign(event), false);
    else if (type === 'blueprint.step_started') open(event, 'step', stepSign(event), false);
    else if (type !== '' && isCallEnd(event)) close(event, 'call', callSign(event));
    else if (STEP_ENDS.has(type)) close(event, 'step', stepSign(event));
    else open(event, 'event', '', true);
  }
  return nested(found);
}

/** Ends what began with the same names: of several, that which began when this one must have begun. */
function ended(found: readonly Open[], event: Event, kind: Span['kind'], sign: string): boolean {
  const at = timeOf(event);
  const ms = durationIn(event);
  const began = at !== undefined && ms !== undefined ? at - ms : undefined;
  let best: Open | undefined;
  for (const one of found) {
    if (one.hasEnded || one.kind !== kind || one.sign !== sign) continue;
    if (!best || distance(one.start, began) < distance(best.start, began)) best = one;
  }
  if (!best) return false;
  best.hasEnded = true;
  best.event = event;
  best.failed = event.status === 'failure';
  // The measured time is finer than the two timestamps.
  best.end = best.start !== undefined && ms !== undefined ? best.start + ms : at;
  return true;
}

const distance = (one: number | undefined, other: number | undefined): number =>
  one === undefined || other === undefined ? 0 : Math.abs(one - other);

/** Timestamps are whole milliseconds, and may be one too late or too early. */
const BLUR_MS = 1;

/** Events name no parent. What is within the time of a call is shown below it. */
function nested(found: readonly Open[]): Span[] {
  const order = found
    .map((one, index) => ({ one, index }))
    .sort(
      (a, b) =>
        (a.one.start ?? Number.POSITIVE_INFINITY) - (b.one.start ?? Number.POSITIVE_INFINITY) ||
        (b.one.end ?? Number.POSITIVE_INFINITY) - (a.one.end ?? Number.POSITIVE_INFINITY) ||
        a.index - b.index,
    );
  const roots: Span[] = [];
  const around: { span: Span & { children: Span[] }; end: number }[] = [];
  for (const { one } of order) {
    const { key, kind, start, end, failed, event } = one;
    const span = { key, kind, start, end, failed, event, children: [] as Span[] };
    if (start === undefined) {
      roots.push(span);
      continue;
    }
    const until = end ?? start;
    while (around.length > 0 && (around.at(-1)?.end ?? 0) + BLUR_MS < until) around.pop();
    (around.at(-1)?.span.children ?? roots).push(span);
    if (kind !== 'event') around.push({ span, end: end ?? Number.POSITIVE_INFINITY });
  }
  return roots;
}

export interface Flat {
  readonly span: Span;
  readonly depth: number;
}

/** No trace needs more levels to be understood, and a page has no room for them. */
const DEEPEST = 12;

/** The tree as lines, in the order in which they are read. */
export function flat(spans: readonly Span[]): Flat[] {
  const lines: Flat[] = [];
  const rest = spans.map((span) => ({ span, depth: 0 })).toReversed();
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { span, depth } = next;
    lines.push({ span, depth: Math.min(depth, DEEPEST) });
    for (const child of span.children.toReversed()) rest.push({ span: child, depth: depth + 1 });
  }
  return lines;
}

/** From the first moment to the last that is known. Undefined if no time is. */
export function extent(spans: readonly Span[]): { from: number; to: number } | undefined {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { span } of flat(spans)) {
    if (span.start === undefined) continue;
    from = Math.min(from, span.start);
    to = Math.max(to, span.end ?? span.start);
  }
  return from > to ? undefined : { from, to };
}
