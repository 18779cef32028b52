import { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { instanceInput, name, nodesTool, thing } from '../tool.ts';

const NAME = 'get_node_versions';

const version = z.number().positive();

export const getNodeVersions = nodesTool({
  name: NAME,
  title: 'Compare versions of a node',
  description:
    'Lists the typeVersions of a node and what changed between two of them: parameters, inputs, outputs, credentials. Use it before changing the typeVersion of a node in a workflow.',
  effect: 'read',
  phrases:
    'versions of a node; what changed between two versions of a node; is it safe to upgrade a node; migrate a node to a newer typeversion; changelog of a node type; newest version of a node; breaking changes of a node; difference between node versions; upgrade a node to the latest version; what is new in this version of the node; which typeversion should i use; what happens if i change the version of a node; compare node version 3 and 4; parameters removed in the new version of a node; what will be different in v2 of the node; latest typeversion; is my node out of date; does a newer version of the node exist; should i update the node to the newest version; old and new version of a node compared; what did version 2 add; are there newer releases of this node; difference between two versions of a node type; did the parameters of a node change in a new version; node upgrade guide; which version of a node is current; outdated node, what changes',
  tags: ['nodes', 'versions'],
  input: z.strictObject({
    node: name.describe('n8n-nodes-base.httpRequest, or TYPE.SUBTYPE'),
    from: version.optional().describe('Older typeVersion; default: the one before "to"'),
    to: version.optional().describe('Newer typeVersion; default: latest'),
    limit: z.int().min(1).max(200).optional().describe('Default: what fits 8 KB'),
    cursor: z.string().optional().describe('From the last reply'),
    instance: instanceInput,
  }),
  output: z.looseObject({
    node: z.string(),
    versions: z.array(z.number()),
    latest: z.number(),
    from: z.number().optional(),
    to: z.number().optional(),
    total: z.number(),
    changes: z.array(thing).describe('change (added, removed, changed), path, detail'),
    summary: z.string(),
    warning: z.string().optional(),
    cursor: z.string().optional(),
  }),
  examples: [
    { title: 'What the latest version changed', arguments: { node: 'n8n-nodes-base.webhook' } },
    { title: 'From an old version', arguments: { node: 'n8n-nodes-base.httpRequest', from: 3, to: 4.2 } },
  ],
  async run({ node: named, from, to, limit, cursor, instance }, { catalogues }) {
    const catalogue = catalogues.get(instance);
    const [{ nodeMeant }, { changesBetween }] = await Promise.all([
      import('../lookup/node-meant.ts'),
      import('../details/version-changes.ts'),
    ]);
    const newer = nodeMeant(catalogue, named, to);
    const { name, versions, latest } = newer.node;
    const before = from ?? versions.findLast((one) => one < newer.version);
    const warning = newer.warning !== undefined && { warning: newer.warning };
    if (before === undefined) {
      const summary =
        versions.length === 1
          ? `${name} has one version, ${latest}.`
          : `${newer.version} is the first version of ${name}.`;
      return { node: name, versions: [...versions], latest, total: 0, changes: [], summary, ...warning };
    }
    const older = nodeMeant(catalogue, name, before);
    const asked = { name, before, to: newer.version, builtAt: catalogue.origin.builtAt };
    const { skip: start } = placeIn(NAME, asked, cursor);
    const all = changesBetween(older, newer);
    const rest = all.slice(start);
    const changes = rest.slice(0, limit ?? fittingItems(rest, { asked, versions }));
    const next = start + changes.length;
    return {
      node: name,
      versions: [...versions],
      latest,
      from: before,
      to: newer.version,
      total: all.length,
      changes,
      summary: summed(all.map(({ change }) => change)),
      ...warning,
      ...(next < all.length && { cursor: cursorFor(NAME, asked, { skip: next }) }),
    };
  },
});

function summed(changes: readonly ('added' | 'removed' | 'changed')[]): string {
  if (changes.length === 0) {
    return 'Same parameters, inputs and outputs. If these versions differ, they differ in behaviour only.';
  }
  const count = (kind: string) => changes.filter((change) => change === kind).length;
  return `${count('added')} added, ${count('removed')} removed, ${count('changed')} changed.`;
}
