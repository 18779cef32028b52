import type { Catalogue, NodeSummary } from '../catalogue.ts';
import { habits, habitsOfKind, type Step } from './typical.ts';
import { wholeName } from './whole-name.ts';
import { own } from '../../kernel/own.ts';

/** A node that may come before or after another, and why. */
export interface Neighbour {
  readonly node: NodeSummary;
  readonly why: string;
}

type Parameters = Readonly<Record<string, unknown>>;

/** Nodes of many services have an operation that asks a person and waits. */
const asksPerson = ({ operation }: Parameters): boolean => operation === 'sendAndWait';

/** What often follows an output. `output` is its name, for nodes whose outputs differ. */
export function successors(
  catalogue: Catalogue,
  node: NodeSummary,
  parameters: Parameters,
  output?: string,
): Neighbour[] {
  if (asksPerson(parameters)) return known(catalogue, node, habitsOfKind.HUMAN_IN_THE_LOOP.after);
  const habit = habits.get(shortName(node.name));
  const byOutput = output === undefined ? undefined : own(habit?.outputs ?? {}, output.toLowerCase());
  const after = byOutput ?? habit?.after ?? habitsOfKind[node.type].after;
  const reply = node.trigger ? action(catalogue, node) : undefined;
  return known(catalogue, node, after, reply && { node: reply, why: 'act on it in the same service' });
}

/** What often comes before a node. Nothing comes before a trigger. */
export function predecessors(catalogue: Catalogue, node: NodeSummary): Neighbour[] {
  if (node.trigger) return [];
  const before = habits.get(shortName(node.name))?.before ?? habitsOfKind[node.type].before;
  const trigger = catalogue.node(`${node.name}Trigger`);
  return known(
    catalogue,
    node,
    before,
    trigger && { node: trigger, why: 'start with what happens in the same service' },
  );
}

export function noteOn({ name }: NodeSummary, parameters: Parameters): string | undefined {
  if (!asksPerson(parameters)) return habits.get(shortName(name))?.note;
  return 'Agreed, declined and no answer in time all leave through the same output: branch on the result after it. The HUMAN_IN_THE_LOOP fragment in get_node_details has the nodes for that.';
}

/** Keeps what this catalogue has. A node of the same service comes second, because a generic one is right more often. */
function known(catalogue: Catalogue, of: NodeSummary, steps: readonly Step[], own?: Neighbour): Neighbour[] {
  const found = steps.flatMap(([short, why]): Neighbour[] => {
    const node = catalogue.node(wholeName(short));
    return node && node.name !== of.name ? [{ node, why }] : [];
  });
  const rest = own ? found.filter(({ node }) => node.name !== own.node.name) : found;
  return own ? [...rest.slice(0, 1), own, ...rest.slice(1)] : rest;
}

function action(catalogue: Catalogue, { name }: NodeSummary): NodeSummary | undefined {
  return name.endsWith('Trigger') ? catalogue.node(name.slice(0, -'Trigger'.length)) : undefined;
}

function shortName(name: string): string {
  return name.replace(/^n8n-nodes-base\./, '').replace(/^@n8n\/n8n-nodes-langchain\./, 'ai:');
}
