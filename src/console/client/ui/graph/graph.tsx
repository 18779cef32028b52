import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Box } from './box.tsx';
import {
  boundsOf,
  type GraphEdge,
  type GraphNode,
  type GraphNote,
  type Place,
  placesOf,
  TALL,
  WIDE,
} from './drawing.ts';
import { Line } from './line.tsx';
import { between, intoView, type View, within, zoomed } from './moving.ts';
import { nearest } from './nearest.ts';
import { Note } from './note.tsx';

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

const STEP = 1.25;
/** Smaller text cannot be read. */
const READABLE = 0.7;

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
