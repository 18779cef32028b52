import { DatabaseSync } from 'node:sqlite';
import type { Catalogue, NodeSummary } from '../catalogue.ts';
import type { NodeDescription } from '../description.ts';
import { fillSearch } from '../search/index-tables.ts';
import { curatedSpecs } from './registry.ts';
import type { CuratedSpec } from './spec.ts';
import { triedVersions } from './tried-versions.ts';

let made: Catalogue | undefined;

/** A catalogue made of Sluice's own texts, for when neither an n8n nor its packages are reachable. */
export function curatedCatalogue(): Catalogue {
  return (made ??= create());
}

function create(): Catalogue {
  const known = new Map([...triedVersions.keys()].map((name) => [name, descriptionOf(name)]));
  const summaries = new Map<string, NodeSummary>();
  const catalogue: Catalogue = {
    origin: { from: 'packages', n8n: 'unknown', builtAt: '', broken: [] },
    curatedOnly: true,
    nodes: () => listed,
    // Other nodes of a fragment, such as models and switches, are not listed.
    node: (name) => summaries.get(name) ?? (known.has(name) ? bare(name) : undefined),
    description: (name) => known.get(name),
    credentialTypes: () => [],
    credentialType: () => undefined,
    database: new DatabaseSync(':memory:'),
    close() {},
  };
  // Specs that name their node come first: each node is listed under one name only.
  const specs = [...curatedSpecs.values()].sort((a, b) => Number(b.names) - Number(a.names));
  const byNode = Map.groupBy(specs, ({ nodes: [node] }) => node);
  for (const [name, all] of byNode) summaries.set(name, summaryOf(name, all, catalogue));
  const listed = [...summaries.values()];
  fillSearch(
    catalogue.database,
    listed.map((summary) => ({ summary, description: textOf(byNode.get(summary.name) ?? []) })),
  );
  return catalogue;
}

function bare(name: string): NodeSummary {
  const dot = name.lastIndexOf('.');
  const base = name.replace(/Tool$/, '');
  const latest = triedVersions.get(name)?.version ?? 1;
  return {
    name,
    title: name.slice(dot + 1),
    description: '',
    type: 'ACTION',
    subtype: '',
    package: name.slice(0, dot),
    community: false,
    versions: [latest],
    latest,
    trigger: false,
    usableAsTool: triedVersions.has(`${name}Tool`),
    ...(base !== name && triedVersions.has(base) && { toolOf: base }),
    hidden: false,
    deprecated: false,
  };
}

function summaryOf(name: string, [first]: readonly CuratedSpec[], catalogue: Catalogue): NodeSummary {
  const { type, subtype, description, fragment } = first as CuratedSpec;
  const called = fragment(catalogue).nodes.find((node) => node.type === name)?.name ?? subtype;
  const title = name.endsWith('Trigger') ? `${called} Trigger` : called;
  return { ...bare(name), title, description, type, subtype, trigger: type === 'TRIGGER' };
}

/** The texts of all specs of a node, so that search finds it by any of its names. */
function textOf(specs: readonly CuratedSpec[]): NodeDescription {
  const alias = specs.flatMap(({ subtype, description, tags }) => [subtype, description, ...tags]);
  return { ...descriptionOf(''), codex: { alias } };
}

function descriptionOf(name: string): NodeDescription {
  const { version = 1, hasWebhook = false } = triedVersions.get(name) ?? {};
  return {
    name,
    displayName: name,
    group: [],
    version: [version],
    inputs: [],
    outputs: [],
    properties: [],
    ...(hasWebhook && { webhooks: [{ name: 'default' }] }),
  };
}
