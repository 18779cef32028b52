import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { direct } from './direct.ts';
import { layered } from './layered.ts';
import { nearest } from './nearest.ts';
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
  /** What one sees first if all of it would be too small to read. */
  readonly first?: string | undefined;
}

const WIDE = 176;
const TALL = 52;
const MARGIN = 40;
const STEP = 1.25;
/** Smaller text cannot be read. */
const READABLE = 0.7;
const NOTE_LINE = 16;
const NOTE_CHARACTER = 6.6;

interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** A hand that trembles still presses. */
const STILL = 4;

/** Nodes and edges, to look at, move and choose from. Tab reaches one node, and arrow keys lead to the others. */
export function Graph({ label, nodes, edges, notes, chosen, onChoose, first }: GraphProps) {
  const box = useRef<HTMLDivElement>(null);
  const places = useMemo(() => placesOf(nodes, edges), [nodes, edges]);
  const bounds = useMemo(() => boundsOf(places, notes ?? []), [places, notes]);
  const view = useSignal<View>({ x: 0, y: 0, scale: 1 });
  const pointers = useRef(new Map<number, Place>());
  const grip = useRef<{ middle: Place; apart: number; from: View; isMoving: boolean } | undefined>(undefined);
  const last = useSignal<string | undefined>(undefined);
  /** What somebody chose with a key. */
  const walkedTo = useRef<string | undefined>(undefined);
  const reached = [last.value, chosen].find((id) => id !== undefined && places.has(id)) ?? nodes[0]?.id;

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

  function zoom(by: number, at?: Place): void {
    const middle = at ?? { x: (box.current?.clientWidth ?? 0) / 2, y: (box.current?.clientHeight ?? 0) / 2 };
    isMoved.current = true;
    view.value = zoomed(view.value, by, middle, middle);
  }

  /** What the keyboard reaches, or somebody chooses elsewhere on the page, must be seen. */
  function show(id: string | undefined): void {
    const [element, at] = [box.current, id === undefined ? undefined : places.get(id)];
    if (!element || !at) return;
    const { x, y, scale } = view.value;
    view.value = {
      scale,
      x: x + intoView(x + at.x * scale, WIDE * scale, element.clientWidth),
      y: y + intoView(y + at.y * scale, TALL * scale, element.clientHeight),
    };
  }

  function go(id: string): void {
    // Without the browser's own scrolling: it would move the page.
    box.current?.querySelector<SVGElement>(`[data-id="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
  }

  /** Until somebody moves it, the drawing shows what matters most. */
  const isMoved = useRef(false);
  function begin(): void {
    const [element, at] = [box.current, first === undefined ? undefined : places.get(first)];
    if (isMoved.current || !element) return;
    fit();
    const { scale } = view.value;
    if (!at || scale >= READABLE) return;
    const { clientWidth, clientHeight } = element;
    view.value = {
      scale: READABLE,
      x: within(
        clientWidth / 2 - (at.x + WIDE / 2) * READABLE,
        bounds.x * READABLE,
        bounds.wide * READABLE,
        clientWidth,
      ),
      y: within(
        clientHeight / 2 - (at.y + TALL / 2) * READABLE,
        bounds.y * READABLE,
        bounds.tall * READABLE,
        clientHeight,
      ),
    };
  }
  const subject = useMemo(() => nodes.map(({ id }) => id).join('\0'), [nodes]);
  useEffect(() => {
    // Somebody who chose with a key is still there when something else is drawn.
    const id = walkedTo.current;
    walkedTo.current = undefined;
    const at = document.activeElement;
    if (id !== undefined && (at === document.body || box.current?.contains(at))) go(id);
    isMoved.current = false;
  }, [subject]);
  useEffect(begin, [subject, bounds.x, bounds.y, bounds.wide, bounds.tall, first]);
  useEffect(() => show(chosen), [chosen]);

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
        <Box
          key={node.id}
          node={node}
          at={places.get(node.id)}
          chosen={node.id === chosen}
          isReached={node.id === reached}
          onChoose={choose}
          onReach={(id) => {
            last.value = id;
            isMoved.current = true;
            show(id);
          }}
        />
      )),
    ],
    [nodes, edges, notes, places, chosen, reached, choose],
  );

  function wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? STEP : 1 / STEP, inBox(event));
  }

  function inBox({ clientX, clientY }: MouseEvent): Place {
    const { left, top } = (box.current as HTMLElement).getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  /** Begins anew whenever a finger comes or goes. */
  function hold(isMoving: boolean): void {
    const all = [...pointers.current.values()];
    grip.current = all.length === 0 ? undefined : { ...between(all), from: view.value, isMoving };
  }

  function moved(event: PointerEvent): void {
    const start = grip.current;
    if (!start || !pointers.current.has(event.pointerId)) return;
    pointers.current.set(event.pointerId, inBox(event));
    const { middle, apart } = between([...pointers.current.values()]);
    const isFar = Math.hypot(middle.x - start.middle.x, middle.y - start.middle.y) > STILL;
    if (!start.isMoving && !isFar && pointers.current.size === 1) return;
    start.isMoving = true;
    isMoved.current = true;
    // Only now, because a press on a node that is captured chooses nothing.
    box.current?.setPointerCapture(event.pointerId);
    view.value = zoomed(start.from, start.apart > 0 ? apart / start.apart : 1, start.middle, middle);
  }

  function released(event: PointerEvent): void {
    if (pointers.current.delete(event.pointerId)) hold(true);
  }

  function pressed(event: KeyboardEvent & { currentTarget: Element }): void {
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [60, 0],
      ArrowRight: [-60, 0],
      ArrowUp: [0, 60],
      ArrowDown: [0, -60],
    };
    const move = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    const isOnNode = event.target !== event.currentTarget;
    if (move && isOnNode && reached !== undefined) {
      const next = nearest(places, reached, event.key);
      if (next !== undefined) go(next);
    } else if (move) view.value = { ...view.value, x: view.value.x + move[0], y: view.value.y + move[1] };
    else if (event.key === '+') zoom(STEP);
    else if (event.key === '-') zoom(1 / STEP);
    else if (event.key === '0') fit();
    else return;
    event.preventDefault();
  }

  const { x, y, scale } = view.value;
  return (
    <div class="graph">
      <div
        ref={box}
        class="canvas"
        role="group"
        aria-label={`${label}. Arrow keys move it, plus and minus zoom, 0 shows all.${onChoose ? ' Tab goes to a node; arrow keys go on to others.' : ''}`}
        tabIndex={0}
        onWheel={wheel}
        onKeyDown={pressed}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          pointers.current.set(event.pointerId, inBox(event));
          hold(false);
        }}
        onPointerMove={moved}
        onPointerUp={released}
        onPointerCancel={released}
        onPointerLeave={released}
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
        <button
          type="button"
          onClick={() => {
            isMoved.current = true;
            fit();
          }}
        >
          Show all
        </button>
      </div>
    </div>
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
}
type Places = ReadonlyMap<string, Place>;

/** Larger by a factor, so that what was under `from` is under `to`. */
function zoomed({ x, y, scale }: View, by: number, from: Place, to: Place): View {
  // A large drawing that is shown whole may be smaller than that.
  const next = by === 1 ? scale : Math.min(4, Math.max(0.05, scale * by));
  const ratio = next / scale;
  return { scale: next, x: to.x - (from.x - x) * ratio, y: to.y - (from.y - y) * ratio };
}

/** Moves no further than to the edges of what is drawn; what is smaller than the room is in its middle. */
function within(wanted: number, from: number, long: number, room: number): number {
  if (long <= room) return (room - long) / 2 - from;
  return Math.min(-from, Math.max(room - long - from, wanted));
}

/** How far to move what begins there and is so long, so that one sees it. */
function intoView(from: number, long: number, room: number): number {
  const edge = Math.min(24, Math.max(0, (room - long) / 2));
  if (from < edge) return edge - from;
  return Math.min(0, room - edge - from - long);
}

/** The middle of the fingers, and how far they are apart. */
function between(all: readonly Place[]): { middle: Place; apart: number } {
  const [first, second = first] = all as [Place, Place?];
  return {
    middle: { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 },
    apart: Math.hypot(first.x - second.x, first.y - second.y),
  };
}

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
    <g class={`edge ${edge.tone ?? ''}`} aria-hidden="true">
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
    <g class={`edge ${edge.tone ?? ''}`} aria-hidden="true">
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
  /** Tab leads to it. */
  readonly isReached: boolean;
  readonly onChoose: ((id: string, isByKey: boolean) => void) | undefined;
  readonly onReach: (id: string) => void;
}

function Box({ node, at, chosen, isReached, onChoose, onReach }: BoxProps) {
  if (!at) return null;
  const name = [node.label, node.detail, node.badge].filter((part) => part !== undefined).join(', ');
  const reach = onChoose && {
    role: 'button' as const,
    // In SVG, names of attributes are case-sensitive.
    tabindex: isReached ? 0 : -1,
    'aria-pressed': chosen,
    onFocus: () => onReach(node.id),
    onClick: () => onChoose(node.id, false),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      onChoose(node.id, true);
    },
  };
  return (
    <g
      class={`node ${node.tone ?? ''} ${chosen ? 'chosen' : ''} ${node.dim ? 'dim' : ''}`}
      data-id={node.id}
      transform={`translate(${at.x} ${at.y})`}
      {...reach}
    >
      <title>{name}</title>
      <rect width={WIDE} height={TALL} rx="8" />
      <svg width={WIDE - 6} height={TALL}>
        <text x="12" y={node.detail === undefined ? 31 : 22}>
          {cut(node.label, 24)}
        </text>
        {node.detail !== undefined && (
          <text class="detail" x="12" y="40">
            {cut(node.detail, 30)}
          </text>
        )}
      </svg>
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
