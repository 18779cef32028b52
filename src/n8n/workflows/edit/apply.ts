import { randomUUID } from 'node:crypto';
import { AppError, messageOf } from '../../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import { withPlaces } from '../../../nodes/canvas/place-nodes.ts';
import type { Node, Workflow } from '../../client/shapes.ts';
import { itemsOf } from '../../items.ts';
import { checkedSettings } from '../settings.ts';
import type { Operation } from './operations.ts';
import { removeAt, setAt, valueAt } from './parameter-path.ts';
import { nodesNaming, renamedReferences } from './references.ts';
import { bridged, connected, disconnected, renamedNode, withoutNode } from './wires.ts';

/** The workflow that operations change. */
export type Draft = Pick<Workflow, 'name' | 'description' | 'nodes' | 'connections' | 'settings' | 'pinData'> & {
  /** Tag names. */
  tags: string[];
};

export interface Edited {
  readonly draft: Draft;
  /** Side effects the caller may not expect. */
  readonly warnings: readonly string[];
}

/** Applies all operations in order to a copy. Throws at the first that fails; the original never changes. */
export function applyOperations(original: Draft, operations: readonly Operation[]): Edited {
  const draft = structuredClone(original);
  const warnings: string[] = [];
  for (const [index, operation] of operations.entries()) {
    try {
      apply(draft, operation, (text) => warnings.push(text));
    } catch (error) {
      throw new AppError(
        error instanceof AppError ? error.code : 'internal',
        `operations[${index}] (${operation.op}) failed, so nothing was changed: ${messageOf(error)}`,
        { cause: error },
      );
    }
  }
  // Place new nodes last: their positions depend on all connections.
  draft.nodes = withPlaces(draft.nodes, draft.connections);
  return { draft, warnings };
}

function apply(draft: Draft, operation: Operation, warn: (text: string) => void): void {
  switch (operation.op) {
    case 'add_node':
      return addNode(draft, operation);
    case 'remove_node':
      return removeNode(draft, operation, warn);
    case 'rename_node':
      return renameNode(draft, operation);
    case 'move_node':
      nodeOf(draft, operation.node).position = operation.position;
      return;
    case 'enable_node':
      delete nodeOf(draft, operation.node).disabled;
      return;
    case 'disable_node':
      nodeOf(draft, operation.node).disabled = true;
      return;
    case 'set_node':
      Object.assign(nodeOf(draft, operation.node), operation.set);
      return;
    case 'set_parameter':
      return setAt(nodeOf(draft, operation.node).parameters, operation.path, operation.value);
    case 'remove_parameter':
      return removeAt(nodeOf(draft, operation.node).parameters, operation.path);
    case 'replace_text':
      return replaceText(draft, operation);
    case 'set_credential': {
      const node = nodeOf(draft, operation.node);
      node.credentials = { ...node.credentials, [operation.type]: { id: operation.id, name: operation.name ?? '' } };
      return;
    }
    case 'remove_credential':
      return removeCredential(draft, operation);
    case 'replace_credential':
      return replaceCredential(draft, operation);
    case 'connect':
      return connect(draft, operation);
    case 'disconnect':
      return disconnect(draft, operation);
    case 'set_settings':
      draft.settings = { ...draft.settings, ...checkedSettings(operation.settings) };
      return;
    case 'set_name':
      draft.name = operation.name;
      return;
    case 'set_description':
      draft.description = operation.description;
      return;
    case 'pin_data':
      return pinData(draft, operation);
    case 'add_tags':
      draft.tags = [...new Set([...draft.tags, ...operation.tags])];
      return;
    case 'remove_tags':
      draft.tags = draft.tags.filter((tag) => !operation.tags.includes(tag));
      return;
    case 'set_tags':
      draft.tags = [...new Set(operation.tags)];
      return;
  }
}

type Of<Op extends Operation['op']> = Extract<Operation, { op: Op }>;

function nodeOf(draft: Draft, name: string): Node {
  const node = draft.nodes.find((one) => one.name === name);
  if (node) return node;
  const names = draft.nodes.map((one) => one.name);
  const known = names.length === 0 ? 'It has no nodes.' : `There are ${inQuotes(names.slice(0, 20)).join(', ')}.`;
  const meant = didYouMean(inQuotes(nearestNames(name, names)), known);
  throw new AppError('not_found', `No node "${shown(name)}". ${meant}`);
}

function assertFree(draft: Draft, name: string): void {
  if (draft.nodes.some((node) => node.name === name)) {
    throw new AppError('conflict', `A node "${name}" already exists. Names must be unique within a workflow.`);
  }
}

function addNode(draft: Draft, { node, after }: Of<'add_node'>): void {
  assertFree(draft, node.name);
  if (after !== undefined) nodeOf(draft, after);
  if (node.id !== undefined && draft.nodes.some(({ id }) => id === node.id)) {
    throw new AppError('conflict', `A node with the id ${node.id} already exists. Omit the id.`);
  }
  const { customTelemetryTags, ...given } = node;
  draft.nodes.push({
    ...(given as Node),
    ...(customTelemetryTags !== undefined && { customTelemetryTags }),
    id: node.id ?? randomUUID(),
    parameters: node.parameters ?? {},
  });
  if (after !== undefined) {
    draft.connections = connected(draft.connections, { from: after, to: node.name, kind: 'main', output: 0, input: 0 });
  }
}

function removeNode(draft: Draft, { node, reconnect }: Of<'remove_node'>, warn: (text: string) => void): void {
  const gone = nodeOf(draft, node);
  draft.nodes = draft.nodes.filter((one) => one !== gone);
  draft.connections = reconnect ? bridged(draft.connections, node) : withoutNode(draft.connections, node);
  if (draft.pinData) draft.pinData = withoutKey(draft.pinData, node);
  const naming = nodesNaming(draft.nodes, node);
  if (naming.length > 0)
    warn(`"${node}" was removed, but expressions still refer to it in ${inQuotes(naming).join(', ')}.`);
}

function renameNode(draft: Draft, { node, to }: Of<'rename_node'>): void {
  const renamed = nodeOf(draft, node);
  if (to === node) return;
  assertFree(draft, to);
  renamed.name = to;
  for (const one of draft.nodes) one.parameters = renamedReferences(one.parameters, node, to);
  draft.connections = renamedNode(draft.connections, node, to);
  if (draft.pinData) {
    draft.pinData = Object.fromEntries(
      Object.entries(draft.pinData).map(([name, data]) => [name === node ? to : name, data]),
    );
  }
}

function replaceText(draft: Draft, { node, path, find, replace, all }: Of<'replace_text'>): void {
  const { parameters } = nodeOf(draft, node);
  const text = valueAt(parameters, path);
  if (typeof text !== 'string') throw new AppError('invalid_input', `"${path}" of "${node}" is not a string.`);
  const count = text.split(find).length - 1;
  if (count === 0) throw new AppError('not_found', `"${path}" of "${node}" does not contain the text to find.`);
  if (count > 1 && !all) {
    throw new AppError(
      'conflict',
      `"${path}" of "${node}" contains the text ${count} times: make "find" longer, or pass "all": true.`,
    );
  }
  setAt(
    parameters,
    path,
    text.replaceAll(find, () => replace),
  );
}

function removeCredential(draft: Draft, { node, type }: Of<'remove_credential'>): void {
  const found = nodeOf(draft, node);
  if (!found.credentials || !Object.hasOwn(found.credentials, type)) {
    const types = Object.keys(found.credentials ?? {}).join(', ') || 'none';
    throw new AppError('not_found', `"${node}" has no credential of type ${type}. It has: ${types}.`);
  }
  found.credentials = withoutKey(found.credentials, type);
}

function replaceCredential(draft: Draft, { from, id, name }: Of<'replace_credential'>): void {
  let count = 0;
  for (const node of draft.nodes) {
    for (const [type, used] of Object.entries(node.credentials ?? {})) {
      if (used.id !== from) continue;
      node.credentials = { ...node.credentials, [type]: { id, name: name ?? '' } };
      count++;
    }
  }
  if (count === 0) throw new AppError('not_found', `No node uses the credential ${from}.`);
}

function connect(draft: Draft, { from, to, kind = 'main', output = 0, input = 0 }: Of<'connect'>): void {
  nodeOf(draft, from);
  nodeOf(draft, to);
  draft.connections = connected(draft.connections, { from, to, kind, output, input });
}

function disconnect(draft: Draft, { op: _, ...pattern }: Of<'disconnect'>): void {
  nodeOf(draft, pattern.from);
  nodeOf(draft, pattern.to);
  const { connections, cut } = disconnected(draft.connections, {
    from: pattern.from,
    to: pattern.to,
    ...(pattern.kind !== undefined && { kind: pattern.kind }),
    ...(pattern.output !== undefined && { output: pattern.output }),
    ...(pattern.input !== undefined && { input: pattern.input }),
  });
  if (cut === 0) throw new AppError('not_found', `No such connection from "${pattern.from}" to "${pattern.to}".`);
  draft.connections = connections;
}

function pinData(draft: Draft, { node, items }: Of<'pin_data'>): void {
  nodeOf(draft, node);
  const others = withoutKey(draft.pinData ?? {}, node);
  draft.pinData = items === null ? others : { ...others, [node]: itemsOf(items) };
}

function withoutKey<T>(object: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
