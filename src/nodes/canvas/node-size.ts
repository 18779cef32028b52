import { own } from '../../kernel/own.ts';
import type { Placeable, Wire } from './wires.ts';

/** The grid of n8n's editor. */
export const GRID = 16;
/** Gaps between neighbours, as in n8n's "Tidy up". */
export const GAP_X = 128;
export const GAP_Y = 96;
/** Wide, because the names of sub-nodes are wider than the nodes. */
export const SUB_GAP_X = 80;
export const SUB_GAP_Y = 128;

export interface Size {
  readonly width: number;
  readonly height: number;
}

const STICKY = 'n8n-nodes-base.stickyNote';
/** Width and height of a normal node. */
export const NODE = 96;
const SUB_NODE = 80;
const WITH_SUB_NODES = 224;
/** Outputs that fit at normal height. Each further one makes the node taller. */
const PORTS = 2;
const PORT = 32;
const MOST_PORTS = 100;

export const isSticky = ({ type }: Placeable): boolean => type === STICKY;

/** The size at which n8n draws each node. */
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

/** n8n draws nodes that can have sub-nodes wide, even without any. In the main flow that is nearly all of this package. */
const takesSubNodes = ({ type }: Placeable): boolean =>
  type.startsWith('@n8n/n8n-nodes-langchain.') && !type.endsWith('Trigger');

function stickySize({ parameters = {} }: Placeable): Size {
  const number = (key: string, usual: number) => {
    const value = own(parameters, key);
    return typeof value === 'number' && value > 0 && value < 1e6 ? value : usual;
  };
  return { width: number('width', 240), height: number('height', 160) };
}
