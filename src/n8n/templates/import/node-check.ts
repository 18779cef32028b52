import { shown } from '../../../kernel/nearest-names.ts';
import type { Catalogue, NodeSummary } from '../../../nodes/catalogue.ts';
import { typesMeant } from '../../../validation/structure/node-type-meant.ts';
import { validateWorkflow } from '../../../validation/validate.ts';
import type { Connections } from '../../client/shapes.ts';
import type { NodeInput } from '../../workflows/node-input.ts';

/** A type of node that this n8n does not have. */
export interface MissingType {
  readonly type: string;
  readonly nodes: readonly string[];
  /** The community package that has it. */
  readonly package?: string;
  readonly similar: readonly string[];
}

/** A node in a version that this n8n does not have. */
export interface ForeignVersion {
  readonly node: string;
  readonly type: string;
  readonly version: number;
  readonly newest: number;
}

/** A node that got another version or another type. */
export interface Raised {
  readonly node: string;
  /** Absent if the node had none. */
  readonly from?: number;
  readonly to: number;
  /** The type that it had, if that is gone. */
  readonly was?: string;
}

export interface CheckedNodes {
  readonly nodes: readonly NodeInput[];
  readonly raised: readonly Raised[];
  readonly missing: readonly MissingType[];
  readonly versions: readonly ForeignVersion[];
}

/**
 * Compares nodes with those of an n8n. A version that it no longer has becomes the next one, if the validator has nothing
 * against the node in that version. Nothing is lowered: a node from a newer n8n may mean something else in an older one.
 */
export function checkedNodes(
  given: readonly NodeInput[],
  connections: Connections,
  catalogue: Catalogue,
): CheckedNodes {
  const meant = typesMeant(catalogue);
  const raised = new Map<number, Raised>();
  const missing = new Map<string, string[]>();
  const nodes = given.map((node, index): NodeInput => {
    const known = catalogue.node(node.type);
    const successor = known || !ofBase.test(node.type) ? undefined : meant(node.type).successor;
    const summary = known ?? (successor === undefined ? undefined : catalogue.node(successor));
    if (!summary) {
      const others = missing.get(node.type);
      if (others) others.push(node.name);
      else missing.set(node.type, [node.name]);
      return node;
    }
    const to = successor === undefined ? nextVersion(summary, node.typeVersion) : summary.latest;
    if (to === undefined) return node;
    raised.set(index, {
      node: node.name,
      ...(node.typeVersion !== undefined && { from: node.typeVersion }),
      to,
      ...(successor !== undefined && { was: node.type }),
    });
    return { ...node, type: summary.name, typeVersion: to };
  });
  const doubtful = doubtfulNodes(given, nodes, connections, catalogue, (index) => isOnlyRaised(raised.get(index)));
  for (const index of doubtful) {
    nodes[index] = given[index] as NodeInput;
    raised.delete(index);
  }
  return {
    nodes,
    raised: [...raised.values()],
    missing: [...missing].map(([type, names]) => missingType(type, names, catalogue, meant)),
    versions: foreignVersions(nodes, connections, catalogue),
  };
}

/** Nodes of packages that are not n8n's have no successors that we know. */
const ofBase = /^n8n-nodes-base\./;

/** The next version that exists, for a node whose version does not; undefined if it stays. */
function nextVersion({ versions, latest }: NodeSummary, version: number | undefined): number | undefined {
  if (version === undefined) return latest;
  return versions.includes(version) ? undefined : versions.find((one) => one > version);
}

const isOnlyRaised = (one: Raised | undefined): boolean => one?.from !== undefined && one.was === undefined;

/** The raised nodes about which the validator has something new to say in their new version. */
function doubtfulNodes(
  before: readonly NodeInput[],
  after: readonly NodeInput[],
  connections: Connections,
  catalogue: Catalogue,
  isRaised: (index: number) => boolean,
): number[] {
  const indexes = after.flatMap((_, index) => (isRaised(index) ? [index] : []));
  if (indexes.length === 0) return [];
  const only = ['structure', 'parameters', 'connections', 'expressions'] as const;
  const judged = (nodes: readonly NodeInput[]) =>
    validateWorkflow({ nodes, connections, settings: {} }, catalogue, { only }).findings.filter(
      ({ severity }) => severity !== 'info',
    );
  const known = new Set(judged(before).map(({ rule, path }) => `${rule} ${path}`));
  const objected = new Set(
    judged(after)
      .filter(({ rule, path }) => !known.has(`${rule} ${path}`))
      .map(({ path }) => path.split('/')[2]),
  );
  return indexes.filter((index) => objected.has(String(index)));
}

/** The nodes that n8n refuses to run in their version. Some types run in any. */
function foreignVersions(
  nodes: readonly NodeInput[],
  connections: Connections,
  catalogue: Catalogue,
): ForeignVersion[] {
  const isForeign = ({ type, typeVersion }: NodeInput) =>
    typeVersion !== undefined && catalogue.node(type)?.versions.includes(typeVersion) === false;
  if (!nodes.some(isForeign)) return [];
  const { findings } = validateWorkflow({ nodes, connections, settings: {} }, catalogue, { only: ['structure'] });
  const refused = new Set(
    findings
      .filter(({ rule, severity }) => rule === 'unknown-type-version' && severity === 'error')
      .map(({ path }) => path.split('/')[2]),
  );
  return nodes.flatMap((node, index): ForeignVersion[] => {
    const { name, type, typeVersion } = node;
    if (!isForeign(node) || typeVersion === undefined || !refused.has(String(index))) return [];
    return [{ node: name, type, version: typeVersion, newest: catalogue.node(type)?.versions.at(-1) as number }];
  });
}

const ofN8n = /^(?:n8n-nodes-base|@n8n\/.+)$/;
/** What n8n requires of the name of a community package. Nodes of a folder of one's own belong to `CUSTOM`. */
const communityPackage = /^(?:@[^/]+\/)?n8n-nodes-./;

function missingType(
  type: string,
  nodes: readonly string[],
  catalogue: Catalogue,
  meant: ReturnType<typeof typesMeant>,
): MissingType {
  const name = type.slice(0, Math.max(type.lastIndexOf('.'), 0));
  const isForeign = !ofN8n.test(name) && !catalogue.nodes().some((one) => one.package === name);
  const { certain, near } = meant(type);
  // Names of other services look alike by chance: only one that contains the other is worth a look.
  const alike = isForeign ? near.filter((one) => isWithin(bare(one), bare(type))) : near;
  return {
    type: shown(type),
    nodes,
    ...(isForeign && communityPackage.test(name) && { package: shown(name) }),
    similar: certain === undefined ? alike : [certain],
  };
}

const bare = (type: string): string =>
  type
    .slice(type.lastIndexOf('.') + 1)
    .toLowerCase()
    .replace(/(?:tool|trigger)$/, '');

const isWithin = (one: string, other: string): boolean => one.includes(other) || other.includes(one);
