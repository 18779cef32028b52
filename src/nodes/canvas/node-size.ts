import { own } from '../../kernel/own.ts';
import type { Placeable, Wire } from './wires.ts';

/** n8n's editor snaps to this. */
export const GRID = 16;
/** Between neighbours: n8n's own "Tidy up" leaves as much. */
export const GAP_X = 128;
export const GAP_Y = 96;
/** The names of sub-nodes are wider than they are. */
export const SUB_GAP_X = 80;
export const SUB_GAP_Y = 128;

export interface Size {
  readonly width: number;
  readonly height: number;
}

const STICKY = 'n8n-nodes-base.stickyNote';
/** A node without anything special about it is so wide and high. */
export const NODE = 96;
const SUB_NODE = 80;
const WITH_SUB_NODES = 224;
/** So many outputs fit beside a node; each one more makes it taller. */
const PORTS = 2;
const PORT = 32;
const MOST_PORTS = 100;

export const isSticky = ({ type }: Placeable): boolean => type === STICKY;

/** How large n8n draws each node. */
export function sizesOf(nodes: readonly Placeable[], wires: readonly Wire[]): Size[] {
  const ports = nodes.map(() => ({ main: false, serves: false, served: false, outputs: 0 }));
  type Ports = (typeof ports)[number];
  for (const { from, to, kind, output } of wires) {
    const [source, target] = [ports[from] as Ports, ports[to] as Ports];
    if (kind === 'main') {
      source.main = true;
      target.main = true;
      source.outputs = Math.max(source.outputs, Math.min(output + 1, MOST_PORTS));
    } else {
      source.serves = true;
      target.served = true;
    }
  }
  return nodes.map((node, index) => {
    if (isSticky(node)) return stickySize(node);
    const { main, serves, served, outputs } = ports[index] as Ports;
    const side = serves && !main ? SUB_NODE : NODE;
    const width = served || (main && takesSubNodes(node)) ? WITH_SUB_NODES + (main ? 0 : GRID) : side;
    return { width, height: side + Math.max(0, outputs - PORTS) * PORT };
  });
}

/** Nodes that can have sub-nodes are drawn wide, also while they have none: nearly all of this package in the main flow. */
const takesSubNodes = ({ type }: Placeable): boolean =>
  type.startsWith('@n8n/n8n-nodes-langchain.') && !type.endsWith('Trigger');

function stickySize({ parameters = {} }: Placeable): Size {
  const number = (key: string, usual: number) => {
    const value = own(parameters, key);
    return typeof value === 'number' && value > 0 && value < 1e6 ? value : usual;
  };
  return { width: number('width', 240), height: number('height', 160) };
}
