import { layered } from './layered.ts';
import type { Tone } from '../state.tsx';

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

export interface Place {
  readonly x: number;
  readonly y: number;
}
export type Places = ReadonlyMap<string, Place>;

export const WIDE = 176;
export const TALL = 52;
const MARGIN = 40;

/** Where the nodes stand: as somebody placed them, else in layers. */
export function placesOf(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Places {
  if (nodes.length > 0 && nodes.every(({ at }) => at && Number.isFinite(at.x) && Number.isFinite(at.y)))
    return new Map(nodes.map(({ id, at }) => [id, at as { x: number; y: number }]));
  const ids = nodes.map(({ id }) => id);
  return layered(ids, edges, { column: WIDE + 80, row: TALL + 28 });
}

export function boundsOf(places: Places, notes: readonly GraphNote[]) {
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
