import { GAP_X, GAP_Y, GRID } from './node-size.ts';
import { Outline } from './outline.ts';

/** Extents of a node and its sub-nodes, measured from its left edge and its vertical middle. */
export interface Unit {
  readonly above: number;
  readonly below: number;
  readonly left: number;
  readonly right: number;
}

export interface FlowWire {
  readonly from: number;
  readonly to: number;
  /** Starts at the error output, which is laid out below the main flow. */
  readonly error: boolean;
}

/** The left edge and the vertical middle of a node. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Keep a row free for a long wire only if its target has at most this many inputs; else it may cross other nodes. */
const FEW_INPUTS = 3;

/**
 * Lays out connected nodes in columns: each node is right of all its sources, and branches go from top to bottom in the
 * order of the wires, which is the order in which n8n runs them. A node that joins branches is centred between them. Wires
 * that lead back in a loop have no effect.
 */
export function flowLayout(units: readonly Unit[], wires: readonly FlowWire[]): Spot[] {
  const { forward, roots } = withoutLoops(units.length, wires);
  const columns = columnsOf(units.length, forward);
  const { from, column, joined } = withRows(columns, forward);
  const root = column.length;
  const starts: FlowWire[] = roots.map((to) => ({ from: root, to, error: false }));
  const rows = rowsOf(units, [...column, -1], [...starts, ...joined], from);
  const edges = edgesOf(units, columns);
  return units.map((_, index) => ({ x: edges[columns[index] as number] as number, y: rows[index] as number }));
}

/** The wires without those that close a loop, and the start nodes. */
function withoutLoops(count: number, wires: readonly FlowWire[]): { forward: FlowWire[]; roots: number[] } {
  const leaving = grouped(count, wires, ({ from }) => from);
  const isTarget = new Set(wires.map(({ to }) => to));
  const state = new Uint8Array(count);
  const back = new Set<FlowWire>();
  const roots: number[] = [];
  const all = Array.from({ length: count }, (_, index) => index);
  const begins = [...all.filter((one) => !isTarget.has(one)), ...all];
  for (const begin of begins) {
    if (state[begin] !== 0) continue;
    roots.push(begin);
    state[begin] = 1;
    const path = [{ node: begin, next: (leaving[begin] as FlowWire[]).values() }];
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { value: wire } = top.next.next();
      if (!wire) {
        state[top.node] = 2;
        path.pop();
      } else if (state[wire.to] === 1) back.add(wire);
      else if (state[wire.to] === 0) {
        state[wire.to] = 1;
        path.push({ node: wire.to, next: (leaving[wire.to] as FlowWire[]).values() });
      }
    }
  }
  const seen = new Set<string>();
  const forward = wires.filter((wire) => {
    const pair = `${wire.from}-${wire.to}`;
    return !back.has(wire) && !seen.has(pair) && seen.add(pair);
  });
  return { forward, roots };
}

/** Each node's column: one more than the largest column of its sources. */
function columnsOf(count: number, wires: readonly FlowWire[]): number[] {
  const columns = Array.from({ length: count }, () => 0);
  const leaving = grouped(count, wires, ({ from }) => from);
  const open = Array.from({ length: count }, () => 0);
  for (const { to } of wires) open[to] = (open[to] as number) + 1;
  const ready = open.flatMap((left, index) => (left === 0 ? [index] : []));
  for (const node of ready) {
    for (const { to } of leaving[node] as FlowWire[]) {
      columns[to] = Math.max(columns[to] as number, (columns[node] as number) + 1);
      open[to] = (open[to] as number) - 1;
      if (open[to] === 0) ready.push(to);
    }
  }
  return columns;
}

/** Gives wires that skip columns a virtual node in each of them, so that nodes stay out of their way. */
function withRows(columns: readonly number[], wires: readonly FlowWire[]) {
  const column = [...columns];
  const arriving = grouped(columns.length, wires, ({ to }) => to);
  const joined: FlowWire[] = [];
  let left = 200 + 4 * columns.length;
  for (const wire of wires) {
    const [first, last] = [columns[wire.from] as number, columns[wire.to] as number];
    const few = (arriving[wire.to] as FlowWire[]).length <= FEW_INPUTS;
    if (last - first < 2 || !few || (left -= last - first) < 0) {
      joined.push(wire);
      continue;
    }
    let at = wire.from;
    for (let between = first + 1; between < last; between++) {
      joined.push({ from: at, to: column.length, error: wire.error });
      at = column.length;
      column.push(between);
    }
    joined.push({ from: at, to: wire.to, error: false });
  }
  return { from: columns.length, column, joined };
}

/**
 * The vertical middle of each node. Everything that can only be reached through a node (its dominator) belongs to its
 * group. Groups are laid out separately, then stacked.
 */
function rowsOf(units: readonly Unit[], column: readonly number[], wires: readonly FlowWire[], real: number): number[] {
  const count = column.length;
  const arriving = grouped(count, wires, ({ to }) => to);
  const order = column.map((_, index) => index).sort((a, b) => (column[a] as number) - (column[b] as number));
  const owner = ownersOf(order, arriving);
  const place = new Map(wires.map((wire, index) => [wire, index]));
  const owned = grouped(count, order.slice(1), (node) => owner[node] as number);
  const offset = Array.from({ length: count }, () => 0);
  const outlines: (Outline | undefined)[] = Array.from({ length: count });
  for (const node of order.toReversed()) {
    const inside = owned[node] as number[];
    const isBranch = (child: number) => (arriving[child] as FlowWire[]).length === 1;
    const wireOf = (child: number) => (arriving[child] as FlowWire[])[0] as FlowWire;
    const branches = inside
      .filter(isBranch)
      .sort((a, b) => (place.get(wireOf(a)) as number) - (place.get(wireOf(b)) as number));
    const outline = new Outline();
    let before: number | undefined;
    for (const child of branches) {
      const own = outlines[child] as Outline;
      // Keep the order from top to bottom even if branches share no column.
      const least = before === undefined ? 0 : (offset[before] as number) + stepBetween(before, child);
      const by = Math.max(least, outline.roomBelow(own));
      own.move(by);
      outline.add(own);
      offset[child] = by;
      before = child;
    }
    const central = branches.filter((child) => !wireOf(child).error);
    const [first = branches[0], last = branches[0]] = [central[0], central.at(-1)];
    if (first !== undefined && last !== undefined) {
      const middle = snapped(((offset[first] as number) + (offset[last] as number)) / 2);
      for (const child of branches) offset[child] = (offset[child] as number) - middle;
      outline.move(-middle);
    }
    for (const child of inside.filter((one) => !isBranch(one))) {
      const own = outlines[child] as Outline;
      const heights = (arriving[child] as FlowWire[]).map(({ from }) => offsetWithin(from, node));
      const wanted = snapped(heights.reduce((sum, one) => sum + one, 0) / heights.length);
      const by = outline.nearestRoom(own, wanted);
      own.move(by);
      outline.add(own);
      offset[child] = by;
    }
    if (node < real) {
      const { above, below } = units[node] as Unit;
      outline.add(new Outline(column[node], -above, below));
    } else if (node < count - 1) outline.add(new Outline(column[node], 0, 0));
    outlines[node] = outline;
  }
  for (const node of order.slice(1))
    offset[node] = (offset[node] as number) + (offset[owner[node] as number] as number);
  return offset;

  function stepBetween(upper: number, lower: number): number {
    const below = upper < real ? (units[upper] as Unit).below : 0;
    const above = lower < real ? (units[lower] as Unit).above : 0;
    return Math.ceil((below + GAP_Y + above) / GRID) * GRID;
  }

  function offsetWithin(node: number, group: number): number {
    let sum = 0;
    for (let at = node; at !== group; at = owner[at] as number) sum += offset[at] as number;
    return sum;
  }
}

/** Each node's immediate dominator: the nearest node that every path to it passes through. */
function ownersOf(order: readonly number[], arriving: readonly (readonly FlowWire[])[]): number[] {
  const owner: number[] = [];
  const depth: number[] = [];
  const [root, ...others] = order as [number, ...number[]];
  owner[root] = root;
  depth[root] = 0;
  for (const node of others) {
    const [first, ...rest] = (arriving[node] as FlowWire[]).map(({ from }) => from);
    let shared = first as number;
    for (let other of rest) {
      while (shared !== other) {
        if ((depth[shared] as number) >= (depth[other] as number)) shared = owner[shared] as number;
        else other = owner[other] as number;
      }
    }
    owner[node] = shared;
    depth[node] = (depth[shared] as number) + 1;
  }
  return owner;
}

/** The left edge of each column. A column is as wide as its widest node. */
function edgesOf(units: readonly Unit[], columns: readonly number[]): number[] {
  const widths: { left: number; right: number }[] = [];
  for (const [index, { left, right }] of units.entries()) {
    const width = (widths[columns[index] as number] ??= { left: 0, right: 0 });
    width.left = Math.max(width.left, left);
    width.right = Math.max(width.right, right);
  }
  let x = 0;
  return widths.map(({ left, right }, index) => {
    if (index > 0) x += left;
    const edge = x;
    x += right + GAP_X;
    return edge;
  });
}

const snapped = (value: number): number => Math.round(value / GRID) * GRID;

function grouped<T>(count: number, items: readonly T[], by: (item: T) => number): T[][] {
  const groups: T[][] = Array.from({ length: count }, () => []);
  for (const item of items) groups[by(item)]?.push(item);
  return groups;
}
