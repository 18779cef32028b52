import type { Port } from '../../nodes/description.ts';
import type { NodeView } from '../subject/subject.ts';

/** The inputs of one kind; undefined if unknown. */
export function inputsOfKind(node: NodeView, kind: string): readonly Port[] | undefined {
  return node.inputs()?.filter(({ type }) => type === kind);
}

export function outputsOfKind(node: NodeView, kind: string): readonly Port[] | undefined {
  return node.outputs()?.filter(({ type }) => type === kind);
}

/** Undefined if unknown. */
export function takes(node: NodeView, kind: string): boolean | undefined {
  return node.inputs()?.some(({ type }) => type === kind);
}

export function gives(node: NodeView, kind: string): boolean | undefined {
  return node.outputs()?.some(({ type }) => type === kind);
}

/** A node that only serves other nodes: a model, a tool, a memory. */
export function isSubNode(node: NodeView): boolean {
  const outputs = node.outputs();
  return outputs !== undefined && outputs.length > 0 && outputs.every(({ type }) => type !== 'main');
}

/** Whether the node has such a port in another configuration, as far as its description shows. */
export function couldTake(node: NodeView, kind: string): boolean {
  const inputs = node.description?.inputs;
  return typeof inputs === 'string' && inputs.includes(kind);
}

export function couldGive(node: NodeView, kind: string): boolean {
  const outputs = node.description?.outputs;
  return typeof outputs === 'string' && outputs.includes(kind);
}

/** `1 output`, `3 outputs`. */
export function count(number: number, what: string): string {
  return `${number === 0 ? 'no' : number} ${what}${number === 1 ? '' : 's'}`;
}
