import type { Catalogues } from '../../nodes/catalogue.ts';
import { outputsOf as portsOf } from '../../nodes/configuration/ports.ts';
import type { Item, NodeRun, RanNode } from './run-data.ts';

/** One output of a node, with its items. */
export interface Output {
  readonly index: number;
  readonly name?: string;
  /** discarded: n8n keeps these items for people to look at, and passes them to no other node. */
  readonly kind: 'regular' | 'error' | 'discarded';
  readonly items: readonly Item[];
}

/** What the type and parameters of a node say about its outputs. */
interface Known {
  readonly names: readonly (string | undefined)[];
  /** How many of them lead to other nodes, without the error output. */
  readonly regular?: number;
}

export type KnownOutputs = (node: RanNode) => Known | undefined;

/** Uses the node catalogue if it is ready, and otherwise what is known about a few common nodes. */
export function knownOutputs(catalogues?: Catalogues, instance?: string): KnownOutputs {
  const state = catalogues?.state(instance);
  const catalogue = state?.state === 'ready' ? state.catalogue : undefined;
  return (node) => {
    const { type, typeVersion, parameters = {} } = node;
    const description = catalogue?.description(type, typeVersion);
    if (!description) return wellKnown(node);
    const ports = portsOf(description, parameters, typeVersion ?? description.version.at(-1) ?? 1)?.filter(
      (port) => port.type === 'main',
    );
    const names = ports?.map(({ displayName }, at) => displayName || description.outputNames?.[at]) ?? [];
    return {
      names: [...names, ...(description.outputNames ?? []).slice(names.length)],
      ...(ports && { regular: ports.length }),
    };
  };
}

function wellKnown({ type, typeVersion = 1, parameters = {} }: RanNode): Known | undefined {
  switch (type) {
    case 'n8n-nodes-base.if':
      return { names: ['true', 'false'], regular: 2 };
    case 'n8n-nodes-base.filter':
    case 'n8n-nodes-base.removeDuplicates':
      return { names: ['kept', 'discarded'], regular: 1 };
    case 'n8n-nodes-base.splitInBatches':
      if (typeVersion < 2) return { names: [], regular: 1 };
      return { names: typeVersion < 3 ? ['loop', 'done'] : ['done', 'loop'], regular: 2 };
    case 'n8n-nodes-base.switch':
      return { names: switchNames(parameters) };
    default:
      return undefined;
  }
}

function switchNames({ mode, rules, options }: Readonly<Record<string, unknown>>): (string | undefined)[] {
  if (mode === 'expression') return [];
  const { values, rules: old } = (rules ?? {}) as { values?: unknown; rules?: unknown };
  const list = [values, old].find((one) => Array.isArray(one)) ?? [];
  const { fallbackOutput, renameFallbackOutput: name } = (options ?? {}) as Record<string, unknown>;
  return [
    ...(list as { outputKey?: unknown }[]).map(({ outputKey }) => textOf(outputKey)),
    ...(fallbackOutput === 'extra' ? [textOf(name) ?? 'Fallback'] : []),
  ];
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The outputs of one run of a node. For a sub-node, which passes on no items, what it gave to its parent. */
export function outputsOf(run: NodeRun, node: RanNode | undefined, known: KnownOutputs): Output[] {
  const kinds = run.data ?? {};
  const lists = kinds.main ?? Object.values(kinds)[0] ?? [];
  const ports = node && kinds.main && lists.length > 1 ? known(node) : undefined;
  // The error output is the last one: n8n fills in the outputs before it.
  const errors = node?.onError === 'continueErrorOutput' && lists.length > 1 ? lists.length - 1 : undefined;
  const regular = Math.min(ports?.regular ?? lists.length, errors ?? lists.length);
  return lists.map((items, index) => {
    const kind = index === errors ? 'error' : index < regular ? 'regular' : 'discarded';
    const name = kind === 'error' ? 'error' : (ports?.names[index] ?? (kind === 'discarded' ? kind : undefined));
    return { index, kind, items: items ?? [], ...(name !== undefined && { name: plain(name) }) };
  });
}

/** n8n capitalises some names of its own outputs. Names of rules stay as they are. */
const plain = (name: string): string => (/^(Kept|Discarded)$/.test(name) ? name.toLowerCase() : name);

/** The output to show by default: the first with items, the error output last. */
export function mainWay(outputs: readonly Output[]): Output | undefined {
  const filled = (kind: Output['kind']) => outputs.find((one) => one.kind === kind && one.items.length > 0);
  return filled('regular') ?? filled('error') ?? outputs[0];
}

/** The outputs of all runs of a node together: in a loop, each run has only some of the items. */
export function together(runs: readonly (readonly Output[])[]): Output[] {
  const widest = runs.reduce((most, one) => (one.length > most.length ? one : most), []);
  return widest.map((output) => ({ ...output, items: runs.flatMap((one) => one[output.index]?.items ?? []) }));
}

/** How many items the regular outputs have. */
export const givenOut = (outputs: readonly Output[]): number =>
  outputs.reduce((sum, { kind, items }) => sum + (kind === 'regular' ? items.length : 0), 0);

/** For example "1 false". */
export const labelOf = ({ index, name }: Output): string =>
  name === undefined || name === String(index) ? String(index) : `${index} ${name}`;

const MOST_LISTED = 4;

/** The number of items in each output. Undefined for a node with one output. */
export function countsOf(outputs: readonly Output[]): Record<string, number> | undefined {
  if (outputs.length < 2) return undefined;
  const listed = outputs.length > MOST_LISTED ? outputs.filter(({ items }) => items.length > 0) : outputs;
  return Object.fromEntries(listed.map((one) => [labelOf(one), one.items.length]));
}
