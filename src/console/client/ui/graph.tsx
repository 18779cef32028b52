import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { layered } from './layered.ts';
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
}

interface GraphProps {
  /** What it shows, in words. */
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly chosen?: string | undefined;
  readonly onChoose?: ((id: string) => void) | undefined;
}

const WIDE = 176;
const TALL = 52;
const MARGIN = 40;
const STEP = 1.25;

interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Nodes and edges, to look at, move and choose from. */
export function Graph({ label, nodes, edges, chosen, onChoose }: GraphProps) {
  const box = useRef<HTMLDivElement>(null);
  const places = useMemo(() => placesOf(nodes, edges), [nodes, edges]);
  const bounds = useMemo(() => boundsOf(places), [places]);
  const view = useSignal<View>({ x: 0, y: 0, scale: 1 });
  const drag = useRef<{ x: number; y: number; from: View } | undefined>(undefined);

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

  function zoom(by: number, at?: { x: number; y: number }): void {
    const { x, y, scale } = view.value;
    const next = Math.min(4, Math.max(0.05, scale * by));
    const middle = at ?? { x: (box.current?.clientWidth ?? 0) / 2, y: (box.current?.clientHeight ?? 0) / 2 };
    const ratio = next / scale;
    view.value = { scale: next, x: middle.x - (middle.x - x) * ratio, y: middle.y - (middle.y - y) * ratio };
  }

  useEffect(fit, [bounds]);

  function wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const { left, top } = (box.current as HTMLElement).getBoundingClientRect();
    zoom(event.deltaY < 0 ? STEP : 1 / STEP, { x: event.clientX - left, y: event.clientY - top });
  }

  function pressed(event: KeyboardEvent): void {
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [60, 0],
      ArrowRight: [-60, 0],
      ArrowUp: [0, 60],
      ArrowDown: [0, -60],
    };
    const move = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (move) view.value = { ...view.value, x: view.value.x + move[0], y: view.value.y + move[1] };
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
        aria-label={`${label}. Arrow keys move it, plus and minus zoom, 0 shows all.`}
        tabIndex={0}
        onWheel={wheel}
        onKeyDown={pressed}
        onPointerDown={(event) => {
          if ((event.target as Element).closest('.node')) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX, y: event.clientY, from: view.value };
        }}
        onPointerMove={(event) => {
          const start = drag.current;
          if (!start) return;
          view.value = {
            ...start.from,
            x: start.from.x + event.clientX - start.x,
            y: start.from.y + event.clientY - start.y,
          };
        }}
        onPointerUp={() => (drag.current = undefined)}
      >
        <svg aria-hidden={onChoose ? undefined : 'true'}>
          <defs>
            <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0 0 8 4 0 8z" />
            </marker>
          </defs>
          <g transform={`translate(${x} ${y}) scale(${scale})`}>
            {edges.map((edge, index) => (
              <Line key={index} edge={edge} places={places} />
            ))}
            {nodes.map((node) => (
              <Box key={node.id} node={node} at={places.get(node.id)} chosen={node.id === chosen} onChoose={onChoose} />
            ))}
          </g>
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

type Places = ReadonlyMap<string, { readonly x: number; readonly y: number }>;

function Line({ edge, places }: { edge: GraphEdge; places: Places }) {
  const [start, end] = [places.get(edge.from), places.get(edge.to)];
  if (!start || !end) return null;
  const [x1, y1, x2, y2] = [start.x + WIDE, start.y + TALL / 2, end.x, end.y + TALL / 2];
  const bend = x2 > x1 ? Math.max(30, (x2 - x1) / 2) : 80;
  const path =
    edge.from === edge.to
      ? `M${x1} ${y1}c60 0 60 -${TALL} -20 -${TALL}`
      : `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  return (
    <g class={`edge ${edge.tone ?? ''}`}>
      <path d={path} class={edge.dashed ? 'dashed' : ''} marker-end="url(#arrow)" />
      {edge.label !== undefined && (
        <text x={(x1 + x2) / 2} y={(y1 + y2) / 2 - 6} text-anchor="middle">
          {cut(edge.label, 24)}
        </text>
      )}
    </g>
  );
}

interface BoxProps {
  readonly node: GraphNode;
  readonly at: { readonly x: number; readonly y: number } | undefined;
  readonly chosen: boolean;
  readonly onChoose: ((id: string) => void) | undefined;
}

function Box({ node, at, chosen, onChoose }: BoxProps) {
  if (!at) return null;
  const name = [node.label, node.detail, node.badge].filter((part) => part !== undefined).join(', ');
  const reach = onChoose && {
    role: 'button' as const,
    tabIndex: 0,
    'aria-label': name,
    'aria-pressed': chosen,
    onClick: () => onChoose(node.id),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      onChoose(node.id);
    },
  };
  return (
    <g
      class={`node ${node.tone ?? ''} ${chosen ? 'chosen' : ''} ${node.dim ? 'dim' : ''}`}
      transform={`translate(${at.x} ${at.y})`}
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

function boundsOf(places: Places) {
  const all = [...places.values()];
  const left = all.reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY);
  const top = all.reduce((least, { y }) => Math.min(least, y), Number.POSITIVE_INFINITY);
  const right = all.reduce((most, { x }) => Math.max(most, x + WIDE), Number.NEGATIVE_INFINITY);
  const bottom = all.reduce((most, { y }) => Math.max(most, y + TALL), Number.NEGATIVE_INFINITY);
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
