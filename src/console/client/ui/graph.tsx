import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { direct } from './direct.ts';
import { layered } from './layered.ts';
import { type Direction, nextIn } from './next-in.ts';
import type { Tone } from './state.tsx';

export interface GraphNode {
  readonly id: string;
  readonly label: string;
  /** A second, smaller line. */
  readonly detail?: string | undefined;
  readonly tone?: Tone | undefined;
  /** A few words in the corner: the number of items, a finding. */
  readonly badge?: string | undefined;
  /** Where it stands, if somebody has placed it; all nodes or none. */
  readonly at?: { readonly x: number; readonly y: number } | undefined;
  readonly dim?: boolean | undefined;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly label?: string | undefined;
  readonly tone?: Tone | undefined;
  readonly dashed?: boolean | undefined;
  /** Which of several ways out of a node it takes, from the top: its label stands there. */
  readonly way?: { readonly index: number; readonly of: number } | undefined;
  /** It leads from the top of a node to the bottom of another. */
  readonly up?: boolean | undefined;
  /** It takes the shortest way between the two nodes, wherever they are. */
  readonly direct?: boolean | undefined;
}

/** A text on the ground, behind the nodes. */
export interface GraphNote {
  readonly id: string;
  readonly text: string;
  readonly at: { readonly x: number; readonly y: number };
  readonly wide: number;
  readonly tall: number;
}

interface GraphProps {
  /** What it shows, in words. */
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly notes?: readonly GraphNote[] | undefined;
  readonly chosen?: string | undefined;
  readonly onChoose?: ((id: string) => void) | undefined;
  /** A node to begin with if all together would be too small to read. */
  readonly startAt?: string | undefined;
}

const WIDE = 176;
const TALL = 52;
const MARGIN = 40;
const STEP = 1.25;
/** How far an arrow key moves it. */
const MOVE = 60;
/** Smaller than this, names are hard to read. */
const READABLE = 0.75;
const NOTE_LINE = 16;
const NOTE_CHARACTER = 6.6;

interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Nodes and edges, to look at, move and choose from. */
export function Graph({ label, nodes, edges, notes, chosen, onChoose, startAt }: GraphProps) {
  const box = useRef<HTMLDivElement>(null);
  const places = useMemo(() => placesOf(nodes, edges), [nodes, edges]);
  const bounds = useMemo(() => boundsOf(places, notes ?? []), [places, notes]);
  const view = useSignal<View>({ x: 0, y: 0, scale: 1 });
  /** Where the mouse or each finger is that moves it. */
  const held = useRef(new Map<number, { x: number; y: number }>());
  /** What somebody chose with a key: if the drawing changes, they are still there. */
  const walkedTo = useRef<string | undefined>(undefined);

  function fit(): void {
    const element = box.current;
    if (!element) return;
    const { clientWidth, clientHeight } = element;
    const scale = Math.min(1, clientWidth / bounds.wide, clientHeight / bounds.tall);
    view.value = {
      scale,
      x: (clientWidth - bounds.wide * scale) / 2 - bounds.x * scale,
      y: (clientHeight - bounds.tall * scale) / 2 - bounds.y * scale,
    };
  }

  function begin(): void {
    fit();
    const start = startAt === undefined ? undefined : places.get(startAt);
    const element = box.current;
    if (!start || !element || view.value.scale >= READABLE) return;
    view.value = {
      scale: READABLE,
      x: element.clientWidth / 2 - (start.x + WIDE / 2) * READABLE,
      y: element.clientHeight / 2 - (start.y + TALL / 2) * READABLE,
    };
  }

  function zoom(by: number, at?: { x: number; y: number }): void {
    const { x, y, scale } = view.value;
    const next = Math.min(4, Math.max(0.05, scale * by));
    const middle = at ?? { x: (box.current?.clientWidth ?? 0) / 2, y: (box.current?.clientHeight ?? 0) / 2 };
    const ratio = next / scale;
    view.value = { scale: next, x: middle.x - (middle.x - x) * ratio, y: middle.y - (middle.y - y) * ratio };
  }

  useEffect(begin, [bounds.x, bounds.y, bounds.wide, bounds.tall, startAt]);
  useEffect(() => {
    const id = walkedTo.current;
    walkedTo.current = undefined;
    const at = document.activeElement;
    if (id !== undefined && (at === document.body || box.current?.contains(at))) focusOn(id);
  }, [nodes]);

  function focusOn(id: string): void {
    // Without the browser's own scrolling: it would move the page.
    box.current?.querySelector<SVGElement>(`[data-node="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
  }

  /** Moves the drawing so that a node can be seen. */
  function reveal(id: string): void {
    const [element, at] = [box.current, places.get(id)];
    if (!element || !at) return;
    const { x, y, scale } = view.value;
    const inside = (start: number, size: number, room: number) =>
      start < MARGIN / 2 ? MARGIN / 2 - start : Math.min(0, room - MARGIN / 2 - start - size);
    view.value = {
      scale,
      x: x + inside(at.x * scale + x, WIDE * scale, element.clientWidth),
      y: y + inside(at.y * scale + y, TALL * scale, element.clientHeight),
    };
  }

  const choose = useMemo(
    () =>
      onChoose &&
      ((id: string, isByKey: boolean) => {
        if (isByKey) walkedTo.current = id;
        onChoose(id);
      }),
    [onChoose],
  );

  // The same elements while only the view moves, so that moving hundreds of nodes stays smooth.
  const drawn = useMemo(
    () => [
      notes?.map((note) => <Note key={note.id} note={note} />),
      edges.map((edge, index) => <Line key={index} edge={edge} places={places} />),
      nodes.map((node) => (
        <Box key={node.id} node={node} at={places.get(node.id)} chosen={node.id === chosen} choose={choose} />
      )),
    ],
    [nodes, edges, notes, places, chosen, choose],
  );

  function wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const { left, top } = (box.current as HTMLElement).getBoundingClientRect();
    zoom(event.deltaY < 0 ? STEP : 1 / STEP, { x: event.clientX - left, y: event.clientY - top });
  }

  function pressed(event: KeyboardEvent): void {
    const direction = Object.hasOwn(directions, event.key) ? directions[event.key] : undefined;
    const from = nodeAt(event.target);
    if (direction && from !== undefined) {
      const next = nextIn(places, from, direction);
      if (next !== undefined) focusOn(next);
    } else if (direction) {
      const { x, y, scale } = view.value;
      view.value = { scale, x: x - direction.x * MOVE, y: y - direction.y * MOVE };
    } else if (event.key === '+') zoom(STEP);
    else if (event.key === '-') zoom(1 / STEP);
    else if (event.key === '0') fit();
    else return;
    event.preventDefault();
  }

  function hold(event: PointerEvent & { currentTarget: HTMLElement }): void {
    // The first press on a node is to choose it.
    if (held.current.size === 0 && nodeAt(event.target) !== undefined) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  function move(event: PointerEvent & { currentTarget: HTMLElement }): void {
    const before = held.current.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const [other] = [...held.current].flatMap(([id, place]) => (id === event.pointerId ? [] : [place]));
    held.current.set(event.pointerId, now);
    if (other) {
      const { left, top } = event.currentTarget.getBoundingClientRect();
      const apart = (one: Place) => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
      zoom(apart(now) / apart(before), { x: (now.x + other.x) / 2 - left, y: (now.y + other.y) / 2 - top });
    } else {
      const { x, y, scale } = view.value;
      view.value = { scale, x: x + now.x - before.x, y: y + now.y - before.y };
    }
  }

  const release = (event: PointerEvent) => void held.current.delete(event.pointerId);

  const { x, y, scale } = view.value;
  return (
    <div class="graph">
      <div
        ref={box}
        class="canvas"
        role="group"
        aria-label={`${label}. Arrow keys move it, plus and minus zoom, 0 shows all.${onChoose ? ' Tab leads to the nodes: there, arrow keys lead from one to the next.' : ''}`}
        tabIndex={0}
        onWheel={wheel}
        onKeyDown={pressed}
        onFocusCapture={({ target }) => {
          const id = nodeAt(target);
          // What is pressed with the mouse must not move away from under it.
          if (id !== undefined && (target as Element).matches(':focus-visible')) reveal(id);
        }}
        onPointerDown={hold}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={release}
      >
        <svg aria-hidden={onChoose ? undefined : 'true'}>
          <defs>
            <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0 0 8 4 0 8z" />
            </marker>
          </defs>
          <g transform={`translate(${x} ${y}) scale(${scale})`}>{drawn}</g>
        </svg>
      </div>
      <div class="tools">
        <button type="button" onClick={() => zoom(STEP)} aria-label="Zoom in">
          +
        </button>
        <button type="button" onClick={() => zoom(1 / STEP)} aria-label="Zoom out">
          −
        </button>
        <button type="button" onClick={fit}>
          Show all
        </button>
      </div>
    </div>
  );
}

/** The node that an event happened to. */
const nodeAt = (target: EventTarget | null): string | undefined =>
  (target as Element | null)?.closest('[data-node]')?.getAttribute('data-node') ?? undefined;

interface Place {
  readonly x: number;
  readonly y: number;
}
type Places = ReadonlyMap<string, Place>;

function Line({ edge, places }: { edge: GraphEdge; places: Places }) {
  const [start, end] = [places.get(edge.from), places.get(edge.to)];
  if (!start || !end) return null;
  if (edge.direct && edge.from !== edge.to) return <Direct edge={edge} start={start} end={end} />;
  const { way } = edge;
  const part = way ? (way.index + 1) / (way.of + 1) : 0.5;
  const [x1, y1, x2, y2] = edge.up
    ? [start.x + WIDE / 2, start.y, end.x + WIDE / 2, end.y + TALL]
    : [start.x + WIDE, start.y + TALL * part, end.x, end.y + TALL / 2];
  const label = { x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 6, 'text-anchor': 'middle' } as const;
  const besideStart = { x: x1 + 6, y: y1 - 4, 'text-anchor': 'start' } as const;
  return (
    <g class={`edge ${edge.tone ?? ''}`}>
      <path
        d={edge.up ? upward(x1, y1, x2, y2) : sideways(edge, x1, y1, x2, y2)}
        class={edge.dashed ? 'dashed' : ''}
        marker-end="url(#arrow)"
      />
      {edge.label !== undefined && <text {...(way ? besideStart : label)}>{cut(edge.label, 24)}</text>}
    </g>
  );
}

function Direct({ edge, start, end }: { edge: GraphEdge; start: Place; end: Place }) {
  const { x1, y1, x2, y2, middle } = direct(start, end, { wide: WIDE, tall: TALL });
  return (
    <g class={`edge ${edge.tone ?? ''}`}>
      <path
        d={`M${x1} ${y1}Q${middle.x} ${middle.y} ${x2} ${y2}`}
        class={edge.dashed ? 'dashed' : ''}
        marker-end="url(#arrow)"
      />
      {edge.label !== undefined && (
        <text x={(x1 + x2 + 2 * middle.x) / 4} y={(y1 + y2 + 2 * middle.y) / 4 - 4} text-anchor="middle">
          {cut(edge.label, 24)}
        </text>
      )}
    </g>
  );
}

function sideways({ from, to }: GraphEdge, x1: number, y1: number, x2: number, y2: number): string {
  if (from === to) return `M${x1} ${y1}c60 0 60 -${TALL} -20 -${TALL}`;
  const bend = x2 > x1 ? Math.max(30, (x2 - x1) / 2) : 80;
  // A way back goes below the boxes, where one can follow it.
  const drop = x2 > x1 ? 0 : 1.8 * TALL;
  return `M${x1} ${y1}C${x1 + bend} ${y1 + drop} ${x2 - bend} ${y2 + drop} ${x2} ${y2}`;
}

function upward(x1: number, y1: number, x2: number, y2: number): string {
  const bend = Math.max(24, Math.abs(y1 - y2) / 2);
  return `M${x1} ${y1}C${x1} ${y1 - bend} ${x2} ${y2 + bend} ${x2} ${y2}`;
}

function Note({ note: { at, wide, tall, text } }: { note: GraphNote }) {
  const lines = wrapped(text, Math.floor((wide - 20) / NOTE_CHARACTER), Math.floor((tall - 12) / NOTE_LINE));
  return (
    <g class="note" transform={`translate(${at.x} ${at.y})`}>
      <title>{cut(text, 500)}</title>
      <rect width={wide} height={tall} rx="8" />
      {lines.map((line, index) => (
        <text key={index} x="10" y={20 + index * NOTE_LINE}>
          {line}
        </text>
      ))}
    </g>
  );
}

/** As many lines of so many characters as fit. */
function wrapped(text: string, wide: number, most: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.slice(0, 4000).split(/\r?\n/)) {
    let line = '';
    for (const word of paragraph.split(/\s+/)) {
      if (line !== '' && line.length + word.length >= wide) {
        lines.push(line);
        line = '';
      }
      line = cut(line === '' ? word : `${line} ${word}`, Math.max(1, wide));
    }
    lines.push(line);
    if (lines.length > most) break;
  }
  return lines.slice(0, Math.max(0, most));
}

interface BoxProps {
  readonly node: GraphNode;
  readonly at: { readonly x: number; readonly y: number } | undefined;
  readonly chosen: boolean;
  readonly choose: ((id: string, isByKey: boolean) => void) | undefined;
}

function Box({ node, at, chosen, choose }: BoxProps) {
  if (!at) return null;
  const name = [node.label, node.detail, node.badge].filter((part) => part !== undefined).join(', ');
  const reach = choose && {
    role: 'button' as const,
    // In SVG, names of attributes are case-sensitive.
    tabindex: 0,
    'aria-pressed': chosen,
    onClick: () => choose(node.id, false),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose(node.id, true);
    },
  };
  return (
    <g
      class={`node ${node.tone ?? ''} ${chosen ? 'chosen' : ''} ${node.dim ? 'dim' : ''}`}
      transform={`translate(${at.x} ${at.y})`}
      data-node={node.id}
      {...reach}
    >
      <title>{name}</title>
      <rect width={WIDE} height={TALL} rx="8" />
      <text x="12" y={node.detail === undefined ? 31 : 22}>
        {cut(node.label, 22)}
      </text>
      {node.detail !== undefined && (
        <text class="detail" x="12" y="40">
          {cut(node.detail, 27)}
        </text>
      )}
      {node.badge !== undefined && (
        <text class="badge" x={WIDE - 8} y="-5" text-anchor="end">
          {cut(node.badge, 24)}
        </text>
      )}
    </g>
  );
}

function placesOf(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Places {
  if (nodes.length > 0 && nodes.every(({ at }) => at && Number.isFinite(at.x) && Number.isFinite(at.y)))
    return new Map(nodes.map(({ id, at }) => [id, at as { x: number; y: number }]));
  const ids = nodes.map(({ id }) => id);
  return layered(ids, edges, { column: WIDE + 80, row: TALL + 28 });
}

function boundsOf(places: Places, notes: readonly GraphNote[]) {
  const all = [
    ...[...places.values()].map(({ x, y }) => ({ x, y, wide: WIDE, tall: TALL })),
    ...notes.map(({ at: { x, y }, wide, tall }) => ({ x, y, wide, tall })),
  ];
  const left = all.reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY);
  const top = all.reduce((least, { y }) => Math.min(least, y), Number.POSITIVE_INFINITY);
  const right = all.reduce((most, { x, wide }) => Math.max(most, x + wide), Number.NEGATIVE_INFINITY);
  const bottom = all.reduce((most, { y, tall }) => Math.max(most, y + tall), Number.NEGATIVE_INFINITY);
  if (all.length === 0) return { x: 0, y: 0, wide: 1, tall: 1 };
  return { x: left - MARGIN, y: top - MARGIN, wide: right - left + 2 * MARGIN, tall: bottom - top + 2 * MARGIN };
}

const characters = new Intl.Segmenter();

/** Without cutting a character in two. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const all = Array.from(characters.segment(text.slice(0, 8 * most)), ({ segment }) => segment);
  return all.length > most || text.length > 8 * most ? `${all.slice(0, most - 1).join('')}…` : text;
}
