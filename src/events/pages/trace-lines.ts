import { type Event, textIn, timeOf } from './event.ts';
import { given, type Part, sentenceOf } from './sentence.ts';
import { extent, flat, type Span } from './waterfall.ts';

/** What n8n says about an execution that a call started. */
export interface Ran {
  readonly url: string;
  readonly status: string;
  readonly started?: string;
  readonly stopped?: string;
  readonly nodes: readonly {
    readonly node: string;
    readonly ms: number;
    readonly started?: string;
    readonly failed?: boolean;
    readonly error?: string;
  }[];
  readonly note?: string;
}

/** A line of the waterfall. */
export interface Line {
  readonly key: string;
  readonly depth: number;
  readonly kind: 'client' | 'call' | 'server' | 'execution' | 'node' | 'step' | 'event';
  readonly label: readonly Part[];
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly state: 'good' | 'bad' | 'open' | 'unsure';
  /** Said behind the label. */
  readonly detail?: string;
  readonly event?: Event;
  /** In n8n's editor. */
  readonly url?: string;
}

const MOST_NODES = 60;
/** n8n's clock may be so far from ours; then its bars would stand beside the call. */
const SAME_CLOCK_MS = 60_000;

/** The n8n executions that a trace names. */
export function executionsIn(events: readonly Event[]): string[] {
  const named = events.flatMap((event) => textIn(event, 'execution') ?? []);
  return [...new Set(named)].filter((id) => /^\d{1,15}$/.test(id));
}

/** A trace from the client to what ran in n8n. */
export function linesOf(spans: readonly Span[], runs: ReadonlyMap<string, Ran>): Line[] {
  const callers = new Map<string, Span[]>();
  const others: Span[] = [];
  for (const span of spans) {
    const caller = span.kind === 'call' ? textIn(span.event, 'principal') : undefined;
    if (caller === undefined) others.push(span);
    else callers.set(caller, [...(callers.get(caller) ?? []), span]);
  }
  const clients = [...callers].flatMap(([caller, own]) => {
    const whole = extent(own);
    const isOpen = own.some(({ end }) => end === undefined);
    const client: Line = {
      key: `client ${caller}`,
      depth: 0,
      kind: 'client',
      label: ['Client ', given(caller, 60)],
      start: whole?.from,
      end: isOpen ? undefined : whole?.to,
      state: isOpen ? 'open' : own.every(({ failed }) => failed) ? 'bad' : 'good',
    };
    return [client, ...below(own, 1, runs)];
  });
  return [...clients, ...below(others, 0, runs)];
}

function below(spans: readonly Span[], depth: number, runs: ReadonlyMap<string, Ran>): Line[] {
  return flat(spans).flatMap(({ span, depth: own }) => {
    const at = depth + own;
    const line = lineOf(span, at);
    if (span.kind !== 'call') return [line];
    return [line, ...serverOf(span, at + 1), ...executionOf(span, at + 1, runs)];
  });
}

function lineOf(span: Span, depth: number): Line {
  const { key, kind, start, end, failed, event } = span;
  const reason = failed ? textIn(event, 'reason') : undefined;
  return {
    key,
    depth,
    kind,
    label:
      kind === 'call'
        ? [given(calledIn(event), 120)]
        : kind === 'step'
          ? ['Step ', given(textIn(event, 'step') ?? '(unknown)', 120)]
          : sentenceOf(event),
    start,
    end,
    state: failed ? 'bad' : end === undefined && start !== undefined ? 'open' : 'good',
    ...(reason !== undefined && { detail: reason.slice(0, 200) }),
    event,
  };
}

/** The tool, or the name that somebody asked for and that no tool has. */
function calledIn(event: Event): string {
  const tool = textIn(event, 'tool') ?? '(unknown)';
  return tool === '(unknown)' ? (textIn(event, 'asked') ?? tool) : tool;
}

/** The server behind a call. Its own time is not recorded, only that of the whole call. */
function serverOf({ key, start, end, failed, event }: Span, depth: number): Line[] {
  const source = textIn(event, 'source');
  if (source === undefined || !textIn(event, 'tool')?.startsWith(`${source}__`)) return [];
  const state = end === undefined ? 'open' : failed ? 'bad' : 'unsure';
  return [{ key: `${key} server`, depth, kind: 'server', label: ['Server ', given(source, 80)], start, end, state }];
}

function executionOf(span: Span, depth: number, runs: ReadonlyMap<string, Ran>): Line[] {
  const id = textIn(span.event, 'execution');
  if (id === undefined) return [];
  const run = runs.get(id);
  const line = { key: `${span.key} n8n`, depth, kind: 'execution' as const, label: ['n8n execution ', given(id, 20)] };
  if (!run) return [{ ...line, state: span.failed ? 'bad' : 'unsure', event: span.event }];
  const start = momentIn(run.started);
  const end = momentIn(run.stopped);
  const isSame = isDuring({ from: span.start ?? 0, to: span.end ?? Number.POSITIVE_INFINITY }, run.started);
  const failed = ['error', 'crashed', 'failed'].includes(run.status);
  const nodes = run.nodes.slice(0, MOST_NODES).map((node, index): Line => {
    const began = momentIn(node.started);
    return {
      key: `${span.key} node ${index}`,
      depth: depth + 1,
      kind: 'node',
      label: [given(node.node, 120)],
      ...(isSame && began !== undefined && { start: began, end: began + Math.max(0, node.ms) }),
      state: node.failed ? 'bad' : 'good',
      ...(node.error !== undefined && { detail: node.error.slice(0, 200) }),
    };
  });
  return [
    {
      ...line,
      ...(isSame && { start, end }),
      state: failed ? 'bad' : run.status === 'success' ? 'good' : 'open',
      detail: isSame ? run.status : `${run.status}, at another time: the clock of n8n differs, or it is another n8n`,
      url: run.url,
    },
    ...nodes,
  ];
}

const momentIn = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : timeOf({ timestamp: text } as Event);

/** Whether this can have been then, if the clocks are about the same. */
export function isDuring(whole: { from: number; to: number } | undefined, text: string | undefined): boolean {
  const at = momentIn(text);
  return whole !== undefined && at !== undefined && at > whole.from - SAME_CLOCK_MS && at < whole.to + SAME_CLOCK_MS;
}

/** What a reader might expect and the events do not say. */
export function unknownIn(lines: readonly Line[], missing: readonly string[]): string[] {
  const has = (kind: Line['kind']) => lines.some((line) => line.kind === kind);
  const isNested = lines.some(({ kind, depth }) => kind === 'call' && depth > 1);
  return [
    ...(has('server')
      ? [
          'How much of a call the server itself took. Events have the time of the whole call; OpenTelemetry traces have both.',
        ]
      : []),
    ...(isNested ? ['Which call made which. A call within the time of another is shown below it.'] : []),
    ...(lines.some(isUnnamedRun)
      ? ['Which n8n execution it was. n8n does not name it when a workflow answers by itself and succeeds.']
      : []),
    ...(lines.some(({ state }) => state === 'open')
      ? ['When what is striped ended: it still runs, or the gateway stopped before it did.']
      : []),
    ...(lines.some(({ kind, start }) => kind === 'event' && start === undefined)
      ? ['When some events happened: they have no usable time.']
      : []),
    ...missing,
  ];
}

/** Tools of this source are n8n workflows. */
const RUNS = 'run';

const isUnnamedRun = ({ kind, state, event }: Line): boolean =>
  kind === 'call' &&
  state === 'good' &&
  event !== undefined &&
  textIn(event, 'source') === RUNS &&
  textIn(event, 'execution') === undefined;
