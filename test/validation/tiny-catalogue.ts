import type { Catalogue, NodeSummary, Origin } from '../../src/nodes/catalogue.ts';
import type { NodeDescription } from '../../src/nodes/description.ts';

/** Three invented nodes, for tests that do not depend on real ones. */
export function tinyCatalogue(origin: Partial<Origin> = {}): Catalogue {
  const summaries = new Map(
    [summary('trigger', { trigger: true }), summary('step'), summary('model')].map((one) => [one.name, one]),
  );
  return {
    origin: { from: 'instance', n8n: '0.0.0', builtAt: '2026-01-01T00:00:00.000Z', broken: [], ...origin },
    nodes: () => [...summaries.values()],
    node: (name) => summaries.get(name),
    description: (name) => (summaries.has(name) ? description(name) : undefined),
    credentialTypes: () => [],
    credentialType: () => undefined,
    get database(): never {
      throw new Error('The tiny catalogue has none.');
    },
    close() {},
  };
}

function summary(name: string, more: Partial<NodeSummary> = {}): NodeSummary {
  return {
    name: `tiny.${name}`,
    title: name,
    description: '',
    type: 'ACTION',
    subtype: name,
    package: 'tiny',
    community: false,
    versions: [1, 2],
    latest: 2,
    trigger: false,
    usableAsTool: false,
    hidden: false,
    deprecated: false,
    ...more,
  };
}

function description(name: string): NodeDescription {
  return {
    name,
    displayName: name,
    group: [],
    version: [1, 2],
    inputs: ['main'],
    outputs: ['main'],
    properties: [{ name: 'text', displayName: 'Text', type: 'string', default: '' }],
  };
}
