import type { Catalogue } from '../../../nodes/catalogue.ts';
import { fixWorkflow } from '../../../validation/fixes/fix-workflow.ts';
import type { Node } from '../../client/shapes.ts';
import { pinsOf } from '../../items.ts';
import type { Pointing } from '../../mapping/places.ts';
import { rewritten, type Target } from '../../mapping/rewritten.ts';
import { completedNodes, groupsWithin, writable } from '../../workflows/body.ts';
import { copiedNodes } from '../../workflows/copied-nodes.ts';
import { assertDistinct } from '../../workflows/create-workflow.ts';
import type { NodeInput } from '../../workflows/node-input.ts';
import { writableSettings } from '../../workflows/settings.ts';
import type { Ready } from './create-drafts.ts';
import type { Choice } from './credential-choice.ts';
import type { Want } from './credential-wants.ts';
import type { Source } from './source.ts';

/** One workflow of an import, with everything decided about it. */
export interface Decided {
  readonly source: Source;
  readonly name: string;
  /** Its nodes in versions of this n8n. */
  readonly nodes: readonly NodeInput[];
  readonly choices: readonly { readonly want: Want; readonly choice: Choice }[];
  readonly target: (place: Pointing) => Target;
  readonly pins: boolean;
}

export interface Drafted {
  readonly draft: Ready['draft'];
  readonly dropped: readonly string[];
  /** Nodes whose webhook path is an expression, which stays the same. */
  readonly shared: readonly string[];
}

const fixed = ['structure', 'parameters', 'connections', 'expressions', 'webhooks'] as const;
const LONGEST_NAME = 128;

/** The draft to write: safe fixes applied, references pointed at this n8n, and new ids and webhook paths. */
export function drafted({ source, name, nodes, choices, target, pins }: Decided, catalogue: Catalogue): Drafted {
  assertDistinct(nodes.map((node) => node.name));
  const complete = completedNodes(nodes, source.connections);
  const groups = groupsWithin(source.nodeGroups, complete);
  // It names something of the other n8n.
  const { credentialResolverId, ...settings } = writableSettings({ ...source.settings });
  const before = writable({
    name: name.slice(0, LONGEST_NAME),
    nodes: complete,
    connections: source.connections,
    settings: { executionOrder: 'v1', ...settings },
    ...(groups && groups.length > 0 && { nodeGroups: groups }),
  });
  const { workflow, applied } = fixWorkflow(before, catalogue, { purpose: 'save', only: fixed });
  const sound = applied.length > 0 ? (workflow as unknown as typeof before) : before;
  const pointed = rewritten({ ...sound, nodes: withCredentials(sound.nodes, choices) }, target);
  const copy = copiedNodes(pointed);
  const names = new Set(nodes.map((node) => node.name));
  const pinned = Object.entries(source.pinData ?? {}).filter(([node]) => names.has(node));
  const isLost = pinned.length > 0 && !pins;
  return {
    draft: {
      ...pointed,
      nodes: copy.nodes,
      ...(copy.nodeGroups.length > 0 && { nodeGroups: copy.nodeGroups }),
      ...(pins && pinned.length > 0 && { pinData: pinsOf(Object.fromEntries(pinned)) }),
      ...(source.description !== undefined && { description: source.description }),
    },
    dropped: [
      ...source.dropped,
      ...(credentialResolverId === undefined ? [] : ['settings.credentialResolverId']),
      ...(isLost ? [`pinned data of ${pinned.length === 1 ? 'a node' : `${pinned.length} nodes`}`] : []),
      ...applied.map(({ node, fix }) => `${node === undefined ? '' : `"${node}": `}${fix.description}`.slice(0, 200)),
    ],
    shared: copy.shared,
  };
}

/** The nodes with the credentials of this n8n. One that nobody chose keeps its name, for n8n's editor to show. */
function withCredentials(nodes: readonly Node[], choices: Decided['choices']): Node[] {
  const byNode = new Map<string, [string, { id: string | null; name: string }][]>();
  for (const { want, choice } of choices) {
    const entry = choice.used ?? (want.used && want.name !== undefined ? { id: null, name: want.name } : undefined);
    if (!entry) continue;
    const others = byNode.get(want.node);
    if (others) others.push([want.type, entry]);
    else byNode.set(want.node, [[want.type, entry]]);
  }
  return nodes.map(({ credentials: _, ...node }) => {
    const entries = byNode.get(node.name);
    return entries ? { ...node, credentials: Object.fromEntries(entries) } : node;
  });
}
