import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { shown } from '../../../kernel/nearest-names.ts';
import { connectionsInput, type NodeInput, nodeInput } from '../../workflows/node-input.ts';
import type { Connections } from '../../client/shapes.ts';
import { pasteable, pastedInput } from '../../workflows/pasted.ts';
import { isRecord, own, type Rec } from '../../../validation/json/record.ts';
import { readWorkflow } from '../../../validation/subject/read-workflow.ts';
import type { Template } from '../template.ts';
import { soundConnections } from './sound-connections.ts';

/** A workflow from elsewhere, in the form that n8n accepts. Its references are still those of its author. */
export interface Source {
  /** The template that it is; absent if it was pasted. */
  readonly template?: Pick<Template, 'id' | 'library'>;
  /** Its id where it comes from. */
  readonly ownId?: string;
  readonly name: string;
  readonly description?: string;
  readonly nodes: readonly NodeInput[];
  readonly connections: Connections;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly pinData?: Readonly<Record<string, unknown>>;
  readonly nodeGroups?: readonly unknown[];
  /** What was left out because n8n refuses it. */
  readonly dropped: readonly string[];
}

const MOST_NODES = 5000;

const whole = pasteable(
  z.strictObject({
    workflow: pastedInput,
    name: z.string().optional(),
    description: z.string().max(5000).optional(),
    nodes: z.array(nodeInput).max(MOST_NODES),
    connections: connectionsInput.default({}),
    settings: z.record(z.string(), z.unknown()).default({}),
  }),
);

export function templateSource({ id, library, name, workflow }: Template): Source {
  return { ...sourceOf({ ...workflow, name }, `Template ${shown(id)}`), template: { id, library } };
}

/** Reads a workflow as n8n exports it. Throws if n8n could not save it. */
export function sourceOf(document: unknown, what = 'This'): Source {
  const { workflow, problems } = readWorkflow(document);
  if (!workflow) throw unreadable(what, problems);
  const read = whole.safeParse({ workflow: withNamedNotes(workflow) });
  if (!read.success) {
    const issues = read.error.issues.map(({ path, message }) => ({
      path: path.filter((step) => step !== 'workflow').join('.'),
      message,
    }));
    throw unreadable(what, issues);
  }
  const { workflow: pasted, name, description, nodes, connections, settings } = read.data;
  const sound = soundConnections(connections, nodes);
  return {
    name: name ?? '',
    nodes,
    connections: sound.connections,
    settings,
    ...(pasted?.id !== undefined && { ownId: pasted.id }),
    ...(description !== undefined && { description }),
    ...(pasted?.pinData && { pinData: pasted.pinData }),
    ...(pasted?.nodeGroups && { nodeGroups: pasted.nodeGroups }),
    dropped: [...(pasted?.dropped ?? []), ...sound.dropped],
  };
}

function unreadable(what: string, problems: readonly { readonly path: string; readonly message: string }[]): AppError {
  const lines = problems
    .slice(0, 3)
    .map(({ path, message }) => `- ${path === '' ? '' : `${shown(path)}: `}${shown(message, 300)}`);
  return new AppError(
    'invalid_input',
    [`${what} is not a workflow that n8n can save; nothing was imported.`, ...lines].join('\n'),
  );
}

const NOTE = 'n8n-nodes-base.stickyNote';

/** Notes without a name, or with a name that another node has, get one: n8n requires it, and nothing refers to notes. */
function withNamedNotes(workflow: Rec): Rec {
  const nodes = own(workflow, 'nodes');
  if (!Array.isArray(nodes)) return workflow;
  const isNote = (node: unknown): node is Rec => isRecord(node) && own(node, 'type') === NOTE;
  const taken = new Set(
    (nodes as unknown[]).map((node) => (isRecord(node) && !isNote(node) ? own(node, 'name') : undefined)),
  );
  let count = 0;
  const named = (nodes as unknown[]).map((node) => {
    if (!isNote(node)) return node;
    let name = own(node, 'name');
    while (typeof name !== 'string' || name === '' || taken.has(name)) name = `Sticky Note${++count}`;
    taken.add(name);
    return { ...node, name };
  });
  return { ...workflow, nodes: named };
}
