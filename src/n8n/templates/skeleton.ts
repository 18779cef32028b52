import { withPlaces } from '../../nodes/canvas/place-nodes.ts';
import type { Catalogue } from '../../nodes/catalogue.ts';
import { inputsOf, outputsOf } from '../../nodes/configuration/ports.ts';
import { connected, type FragmentNode, type Wire } from '../../nodes/fragments/fragment.ts';
import { fragmentFor } from '../../nodes/fragments/fragment-for.ts';
import { linksOf } from '../../nodes/links.ts';
import { findNode } from '../../nodes/lookup/corrections.ts';
import { line } from './text.ts';

/** A larger one is no help, and does not fit into a reply. */
const MOST_NODES = 8;
const MOST_BYTES = 1800;

const MANUAL = 'n8n-nodes-base.manualTrigger';

/** These nodes with the parameters that they need, triggers first, connected in their order. */
export function skeletonOf(
  names: readonly string[],
  catalogue: Catalogue,
): { readonly skeleton?: Record<string, unknown>; readonly notes: readonly string[] } {
  const known = names.flatMap((given) => {
    const lookup = findNode(catalogue, given);
    return 'found' in lookup ? [{ given, ...lookup.found.node }] : [];
  });
  if (known.length < 2 || names.length > MOST_NODES) return { notes: [] };
  const first = known.find(({ trigger }) => trigger);
  const types = [first?.name ?? MANUAL, ...known.filter(({ trigger }) => !trigger).map(({ name }) => name)];
  const nodes: FragmentNode[] = [];
  const wires: Wire[] = [];
  const used = new Set<string>();
  let last: string | undefined;
  for (const type of types) {
    const description = catalogue.description(type);
    // A model or a tool is attached to another node: its place is not a matter of order.
    const isStep =
      description !== undefined &&
      (outputsOf(description, {}, catalogue.node(type)?.latest ?? 1) ?? []).some((port) => port.type === 'main');
    const takes =
      description !== undefined &&
      (inputsOf(description, {}, catalogue.node(type)?.latest ?? 1) ?? []).some((port) => port.type === 'main');
    if (!isStep && !takes) continue;
    const fragment = fragmentFor(catalogue, type);
    const renamed = uniquely(fragment.nodes, nodes);
    nodes.push(...fragment.nodes.map((node) => ({ ...node, name: renamed.get(node.name) ?? node.name })));
    for (const { from, to, kind, output, input } of linksOf(fragment.connections)) {
      wires.push({ from: renamed.get(from) ?? from, to: renamed.get(to) ?? to, type: kind, output, input });
    }
    const main = fragment.nodes[0]?.name ?? '';
    const name = renamed.get(main) ?? main;
    used.add(type);
    if (last !== undefined && takes) wires.push({ from: last, to: name });
    if (isStep) last = name;
  }
  const connections = connected(...wires);
  const skeleton = { nodes: withPlaces(nodes.map(unplaced) as never, connections as never), connections };
  if (Buffer.byteLength(JSON.stringify(skeleton)) > MOST_BYTES) {
    return {
      notes: [
        `A skeleton of ${line(names.join(', '), 200)} is too long for this answer: get_node_details has a fragment for each.`,
      ],
    };
  }
  const kept = new Set(known.filter(({ name }) => used.has(name)).map(({ given }) => given));
  const left = names.filter((name) => !kept.has(name));
  return {
    skeleton,
    notes: [
      'No template has all of these nodes; "skeleton" connects them in the given order.',
      // Unknown, a second trigger, or attached to another node.
      ...(left.length > 0
        ? [`It leaves out ${line(left.join(', '), 200)}: get_node_details shows how to add one.`]
        : []),
    ],
  };
}

const unplaced = ({ position: _, ...node }: FragmentNode): Omit<FragmentNode, 'position'> => node;

/** New names for nodes whose names are taken. */
function uniquely(added: readonly FragmentNode[], there: readonly FragmentNode[]): Map<string, string> {
  const taken = new Set(there.map(({ name }) => name));
  const names = new Map<string, string>();
  for (const { name } of added) {
    let free = name;
    for (let count = 1; taken.has(free); count++) free = `${name}${count}`;
    taken.add(free);
    names.set(name, free);
  }
  return names;
}
