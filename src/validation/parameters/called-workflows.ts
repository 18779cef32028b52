import { calledBy } from '../instance-references.ts';
import { pointer } from '../json/json-pointer.ts';
import type { NamedWorkflow, NodeView, Subject } from '../subject/subject.ts';

export const pathOf = (node: NodeView) => pointer(node.pointer, 'parameters', 'workflowId');

/** n8n refuses to publish an Execute Workflow node that calls it: `unpublished-sub-workflow` reports that. */
export function isRefused({ raw }: NodeView, { purpose }: Subject): boolean {
  return purpose === 'publish' && calledBy(raw)?.isServing === false;
}

export interface Call {
  readonly node: NodeView;
  readonly id: string;
  readonly isServing: boolean;
  readonly called: NamedWorkflow | 'missing';
}

export function callsIn({ nodes, world }: Subject): Call[] {
  const lookUp = world?.workflow;
  if (!lookUp) return [];
  return nodes.flatMap((node) => {
    const call = calledBy(node.raw);
    // n8n treats a workflow that calls itself as published.
    if (!call || call.id === world.self) return [];
    const called = lookUp(call.id);
    return called === undefined ? [] : [{ node, ...call, called }];
  });
}
