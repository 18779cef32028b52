import type { NodeSummary } from '../../nodes/catalogue.ts';
import { linksOf } from '../../nodes/links.ts';
import type { Node, Workflow } from '../client/shapes.ts';
import type { KnownOutputs } from '../executions/outputs.ts';
import type { Drawing } from './shapes.ts';

/** What is known about the types of nodes. */
interface Types {
  readonly outputs: KnownOutputs;
  readonly type: (name: string) => Pick<NodeSummary, 'title' | 'trigger'> | undefined;
}

/** What a drawing of this workflow shows. Names and links stay as they are, also if they do not fit together. */
export function drawingOf(workflow: Workflow, types: Types): Omit<Drawing, 'url' | 'workflow'> {
  const { nodes, connections, pinData } = workflow;
  return {
    nodes: nodes.map((node) => drawnNode(node, types, Object.hasOwn(pinData ?? {}, node.name))),
    links: linksOf(connections).map(({ from, to, kind, output, input }) => ({ from, to, kind, output, input })),
  };
}

function drawnNode(node: Node, types: Types, pinned: boolean): Drawing['nodes'][number] {
  const { name, type, typeVersion, position, parameters, credentials, disabled, notes } = node;
  const known = types.type(type);
  const outputs = outputsOf(node, types);
  const { width: wide, height: tall } = parameters;
  const isNote = type === 'n8n-nodes-base.stickyNote' && typeof wide === 'number' && typeof tall === 'number';
  const used = Object.entries(credentials ?? {}).map(([kind, credential]) => ({ type: kind, name: credential.name }));
  return {
    name,
    type,
    ...(known && { title: known.title }),
    ...(typeVersion !== undefined && { version: typeVersion }),
    ...(position && { at: { x: position[0], y: position[1] } }),
    ...(isNote && { size: { wide, tall } }),
    ...(known?.trigger && { trigger: true }),
    ...(disabled && { disabled: true }),
    ...(pinned && { pinned: true }),
    ...(outputs.length > 1 && { outputs }),
    ...(typeof notes === 'string' && notes !== '' && { notes }),
    parameters,
    ...(used.length > 0 && { credentials: used }),
  };
}

function outputsOf(node: Node, types: Types): string[] {
  const known = types.outputs(node);
  const names = (known?.names ?? []).map((name) => name ?? '');
  if (node.onError !== 'continueErrorOutput') return names;
  const regular = known?.regular ?? Math.max(1, names.length);
  // As n8n calls them.
  if (regular === 1) return [names[0] || 'success', 'error'];
  return [...Array.from({ length: regular }, (_, at) => names[at] ?? ''), 'error'];
}
