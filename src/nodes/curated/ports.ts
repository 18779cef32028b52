import type { PortSpec } from './spec.ts';

export function itemsIn(node: string, description = 'Items to process', index = 0): PortSpec {
  return { name: 'main', type: 'main', required: true, description, node, index };
}

export function itemsOut(node: string, description = 'One item per result', index = 0): PortSpec {
  return { name: 'main', type: 'main', required: false, description, node, index };
}

/** The output of a sub-node, which attaches to an agent or a similar node. */
export function attaches(node: string, type: string, description: string): PortSpec {
  return { name: type, type, required: true, description, node, index: 0 };
}
