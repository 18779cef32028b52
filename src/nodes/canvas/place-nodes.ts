import type { WrittenConnections } from '../links.ts';
import { type Box, type Group, shifted } from './boxes.ts';
import { type FlowWire, flowLayout, type Unit } from './flow-layout.ts';
import { type Hanging, hung, rowOf, type SubNode } from './hanging.ts';
import { GAP_X, GAP_Y, GRID, isSticky, NODE, type Size, sizesOf, SUB_GAP_X, SUB_GAP_Y } from './node-size.ts';
import { mastersOf, partsOf } from './parts.ts';
import { type Placeable, type Wire, wiresOf } from './wires.ts';

export type Position = [number, number];

/** Unconnected nodes per row. */
const LONGEST_ROW = 8;
const STICKY_GAP = 64;

/**
 * Positions every node that has none, as a person would: from left to right along the flow, branches apart, sub-nodes below
 * the node they serve. Nodes with a position keep it, and nothing overlaps them. Deterministic.
 */
export function placedNodes(nodes: readonly Placeable[], connections: WrittenConnections): Position[] {
  const places: (Position | undefined)[] = nodes.map(({ position }) => position && [position[0], position[1]]);
  if (places.every((place) => place !== undefined)) return places;
  const wires = wiresOf(nodes, connections);
  const sizes = sizesOf(nodes, wires);
  const boxOf = (index: number): Box => {
    const [x, y] = places[index] as Position;
    return { x, y, ...(sizes[index] as Size) };
  };
  const isNode = (index: number) => !isSticky(nodes[index] as Placeable);
  const taken = places.flatMap((place, index) => (place && isNode(index) ? [boxOf(index)] : []));
  const put = (group: Group, x: number, y: number) => {
    // Adding 0 turns -0 into 0, so that equal positions compare equal.
    for (const { index, x: right, y: down } of group) {
      places[index] = [x + right + 0, y + down + 0];
      taken.push(boxOf(index));
    }
  };

  const masters = mastersOf(nodes, wires, places);
  const subNodes = new Map<number, SubNode[]>();
  for (const [index, { master, kind }] of masters) {
    const row = subNodes.get(master);
    if (row) row.push({ index, kind });
    else subNodes.set(master, [{ index, kind }]);
  }
  const free = nodes.flatMap((_, index) => (!places[index] && isNode(index) && !masters.has(index) ? [index] : []));
  const main = wires.filter(({ kind }) => kind === 'main');
  const serving = Map.groupBy(
    wires.filter(({ kind }) => kind !== 'main'),
    ({ to }) => to,
  );
  const parts = partsOf(free, main);
  const leaving = Map.groupBy(main, ({ from }) => from);
  const arriving = Map.groupBy(main, ({ to }) => to);
  const lastOutputs = new Map<number, number>();
  for (const { from, output } of main) lastOutputs.set(from, Math.max(output, lastOutputs.get(from) ?? 0));
  const besidePlaced = new Set(
    main.flatMap(({ from, to }) => [...(places[from] ? [to] : []), ...(places[to] ? [from] : [])]),
  );

  const anchored = new Set(parts.filter((part) => part.some((index) => besidePlaced.has(index))));
  for (const part of anchored) {
    const group = layOut(part);
    const { x, y } = anchor(group, part);
    put(group, x, y + shiftDown(group, x, y));
  }
  const others = parts.filter((part) => !anchored.has(part));
  const isLone = ([index, second]: readonly number[]) => second === undefined && !subNodes.has(index as number);
  for (const part of others.filter((one) => !isLone(one))) putBelow(layOut(part));
  const lone = others.filter(isLone).map(([index]) => index as number);
  for (let start = 0; start < lone.length; start += LONGEST_ROW) {
    let x = 0;
    putBelow(
      lone.slice(start, start + LONGEST_ROW).map((index) => {
        const spot = { index, x, y: 0 };
        x += (sizes[index] as Size).width + GAP_X;
        return spot;
      }),
    );
  }
  for (const [master, row] of subNodes) if (nodes[master]?.position) hangUnder(master, row);
  putNotes();
  return places.map((place) => place ?? [0, 0]);

  /** Lays out one connected part with its sub-nodes. Its first start node is at the origin. */
  function layOut(part: readonly number[]): Group {
    const hangings = part.map((index) => hung(index, sizes, subNodes));
    const units = hangings.map(({ left, right, bottom }, at): Unit => {
      const { height } = sizes[part[at] as number] as Size;
      const ceil = (value: number) => Math.ceil(value / GRID) * GRID;
      return { above: height / 2, below: bottom - height / 2, left: ceil(left), right: ceil(right) };
    });
    const at = new Map(part.map((index, place) => [index, place]));
    const inside = part.flatMap((from, first) =>
      (leaving.get(from) ?? []).flatMap(({ to, output }): FlowWire[] => {
        const second = at.get(to);
        return second === undefined ? [] : [{ from: first, to: second, error: isErrorOutput(from, output) }];
      }),
    );
    const spots = flowLayout(units, inside);
    const tops = spots.map(({ y }, place) => y - (units[place] as Unit).above);
    const begin = spots.findIndex(({ x }) => x === 0);
    const [firstTop = 0] = [tops[begin]];
    return hangings.flatMap(({ spots: hanging }: Hanging, place) =>
      hanging.map(({ index, x, y }) => ({
        index,
        x: x + (spots[place]?.x ?? 0),
        y: y + (tops[place] as number) - firstTop,
      })),
    );
  }

  function isErrorOutput(from: number, output: number): boolean {
    const { onError } = nodes[from] as Placeable;
    return onError === 'continueErrorOutput' && output > 0 && output === lastOutputs.get(from);
  }

  /** Right of the placed sources, else left of the placed targets, at the same height. */
  function anchor(group: Group, part: readonly number[]): { x: number; y: number } {
    const spot = new Map(group.map((one) => [one.index, one]));
    const before = part.flatMap((index) => (arriving.get(index) ?? []).filter(({ from }) => places[from]));
    const after = part.flatMap((index) => (leaving.get(index) ?? []).filter(({ to }) => places[to]));
    const [first] = before.length > 0 ? before : after;
    const [outer, inner] = before.length > 0 ? [first?.from, first?.to] : [first?.to, first?.from];
    const there = boxOf(outer as number);
    const here = spot.get(inner as number) as Group[number];
    const middle = there.y + there.height / 2 - (here.y + (sizes[here.index] as Size).height / 2);
    if (before.length > 0) {
      const x = before.map(({ from, to }) => boxOf(from).x + boxOf(from).width + GAP_X - (spot.get(to)?.x ?? 0));
      return { x: Math.max(...x), y: middle + branchOf(first as Wire) };
    }
    const x = after.map(({ from, to }) => {
      const { width } = sizes[from] as Size;
      return boxOf(to).x - GAP_X - width - (spot.get(from)?.x ?? 0);
    });
    return { x: Math.min(...x), y: middle };
  }

  /** Vertical distance of a branch from the middle of its source. */
  function branchOf({ from, output }: Wire): number {
    if (isErrorOutput(from, output)) return NODE + GAP_Y;
    const own = (leaving.get(from) ?? []).filter((wire) => !isErrorOutput(from, wire.output));
    const last = Math.max(...own.map((wire) => wire.output));
    return Math.round(((output - last / 2) * (NODE + GAP_Y)) / GRID) * GRID;
  }

  /** Puts a group below everything, including sticky notes. */
  function putBelow(group: Group): void {
    const all = places.flatMap((place, index) => (place ? [boxOf(index)] : []));
    if (all.length === 0) return put(group, 0, 0);
    const left = Math.min(...all.map(({ x }) => x)) - Math.min(...group.map(({ x }) => x));
    const bottom = Math.max(...all.map(({ y, height }) => y + height));
    put(group, left, bottom + GAP_Y - Math.min(...group.map(({ y }) => y)));
  }

  /** Places sub-nodes of a placed node: beside its existing ones, else centred. */
  function hangUnder(master: number, row: readonly SubNode[]): void {
    const { x, y, width, height } = boxOf(master);
    const group = rowOf(row, sizes, subNodes);
    const siblings = (serving.get(master) ?? []).filter(({ from }) => places[from]);
    const right = siblings.map(({ from }) => boxOf(from).x + boxOf(from).width + SUB_GAP_X);
    const start = right.length > 0 ? Math.max(...right) : x + Math.round((width - group.width) / 2 / GRID) * GRID;
    const top = y + height + SUB_GAP_Y;
    put(group.spots, start + shiftRight(group.spots, start, top), top);
  }

  /** Puts sticky notes without a position above everything. */
  function putNotes(): void {
    const notes = nodes.flatMap((_, index) => (places[index] ? [] : [index]));
    const there = places.flatMap((place, index) => (place ? [boxOf(index)] : []));
    const top = there.length === 0 ? 0 : Math.min(...there.map(({ y }) => y)) - STICKY_GAP;
    let x = there.length === 0 ? 0 : Math.min(...there.map((box) => box.x));
    for (const index of notes) {
      const { width, height } = sizes[index] as Size;
      places[index] = [x, top - height];
      x += width + GRID * 2;
    }
  }

  function shiftDown(group: Group, x: number, y: number): number {
    const margin = GAP_Y / 2;
    const left = x + Math.min(...group.map((one) => one.x)) - margin;
    const right = x + Math.max(...group.map((one) => one.x + (sizes[one.index] as Size).width)) + margin;
    const inWay = taken.filter((box) => box.x < right && box.x + box.width > left);
    const past = (mine: Box, other: Box) => other.y + other.height + GAP_Y - mine.y;
    return shifted(group, inWay, (one, by) => boxAt(one, x, y + by), margin, past);
  }

  function shiftRight(group: Group, x: number, y: number): number {
    const past = (mine: Box, other: Box) => other.x + other.width + SUB_GAP_X - mine.x;
    return shifted(group, taken, (one, by) => boxAt(one, x + by, y), GRID, past);
  }

  function boxAt({ index, x, y }: Group[number], left: number, top: number): Box {
    return { x: x + left, y: y + top, ...(sizes[index] as Size) };
  }
}

export function withPlaces<T extends Placeable>(nodes: readonly T[], connections: WrittenConnections): T[] {
  const places = placedNodes(nodes, connections);
  return nodes.map((node, index) => (node.position ? node : { ...node, position: places[index] }));
}
