import { cut } from './cut.ts';
import { direct } from './direct.ts';
import { type GraphEdge, type Place, type Places, TALL, WIDE } from './drawing.ts';

export function Line({ edge, places }: { edge: GraphEdge; places: Places }) {
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
