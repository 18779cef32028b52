import type { PortSpec } from './spec.ts';

/** Where items come in. */
export function itemsIn(node: string, description = 'Items to work on', index = 0): PortSpec {
  return { name: 'main', type: 'main', required: true, description, node, index };
}

/** Where items go out. */
export function itemsOut(node: string, description = 'One item for each result', index = 0): PortSpec {
  return { name: 'main', type: 'main', required: false, description, node, index };
}

/** Where this attaches to an agent or the like: a sub-node's output. */
export function attaches(node: string, type: string, description: string): PortSpec {
  return { name: type, type, required: true, description, node, index: 0 };
}
