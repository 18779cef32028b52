import { GRID, type Size, SUB_GAP_X, SUB_GAP_Y } from './node-size.ts';

/** The order of an agent's inputs from left to right. Other kinds follow. */
const kinds = ['ai_languageModel', 'ai_embedding', 'ai_memory', 'ai_document', 'ai_textSplitter', 'ai_tool'];

export interface SubNode {
  readonly index: number;
  readonly kind: string;
}

/** A node and its sub-nodes. Positions are upper left corners, relative to the node's. */
export interface Hanging {
  readonly spots: readonly { readonly index: number; readonly x: number; readonly y: number }[];
  /** Extent to the left and to the right of the node's left edge. */
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

/** Places sub-nodes side by side below their node, recursively. */
export function hung(
  index: number,
  sizes: readonly Size[],
  subNodes: ReadonlyMap<number, readonly SubNode[]>,
): Hanging {
  const { width, height } = sizes[index] as Size;
  const row = rowOf(subNodes.get(index) ?? [], sizes, subNodes);
  if (row.width === 0) return { spots: [{ index, x: 0, y: 0 }], left: 0, right: width, bottom: height };
  const x = Math.round((width - row.width) / 2 / GRID) * GRID;
  const below = row.spots.map((spot) => ({ ...spot, x: spot.x + x, y: spot.y + height + SUB_GAP_Y }));
  return {
    spots: [{ index, x: 0, y: 0 }, ...below],
    left: Math.max(0, -x),
    right: Math.max(width, x + row.width),
    bottom: height + SUB_GAP_Y + row.height,
  };
}

/** Places sub-nodes side by side, each with its own sub-nodes below it. */
export function rowOf(
  row: readonly SubNode[],
  sizes: readonly Size[],
  subNodes: ReadonlyMap<number, readonly SubNode[]>,
): { spots: Hanging['spots'][number][]; width: number; height: number } {
  const rank = ({ kind }: SubNode) => (kinds.includes(kind) ? kinds.indexOf(kind) : kinds.length);
  const spots: Hanging['spots'][number][] = [];
  let [width, height] = [0, 0];
  for (const { index } of row.toSorted((a, b) => rank(a) - rank(b) || a.index - b.index)) {
    const block = hung(index, sizes, subNodes);
    const start = (width === 0 ? 0 : width + SUB_GAP_X) + block.left;
    spots.push(...block.spots.map((spot) => ({ ...spot, x: spot.x + start })));
    width = start + block.right;
    height = Math.max(height, block.bottom);
  }
  return { spots, width, height };
}
