import type { Catalogue } from '../../../nodes/catalogue.ts';
import { nodeView } from '../../subject/node-view.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import type { World } from '../../subject/subject.ts';
import {
  adviceFor,
  isPlain,
  keyOf,
  opensWebhooks,
  placeOf,
  registeredWebhooks,
} from '../../webhooks/registered-webhooks.ts';

/** n8n refuses to publish the workflow while the other one is published. */
export const webhookPathTaken: Rule = {
  id: 'webhook-path-taken',
  group: 'webhooks',
  title: 'No other published workflow of the instance has the same path and method.',
  severity: { run: 'warning', publish: 'error' },
  check({ nodes, world, catalogue }, report) {
    if (!world?.workflows) return;
    for (const node of nodes) {
      for (const webhook of registeredWebhooks(node).filter(isPlain)) {
        const owner = ownersOf(world.workflows, catalogue)
          .get(keyOf(webhook))
          ?.find(({ id }) => id !== world.self);
        if (!owner) continue;
        report({
          path: placeOf(webhook),
          node: node.name,
          message: `"${node.name}" answers ${webhook.method} at "${webhook.path}", and so does the published workflow "${owner.name}" (${owner.id}): n8n refuses to publish both. ${adviceFor(webhook)}`,
        });
        break;
      }
    }
  },
};

interface Owner {
  readonly id: string;
  readonly name: string;
}

type Workflows = NonNullable<World['workflows']>;

const known = new WeakMap<Workflows, WeakMap<Catalogue, Map<string, Owner[]>>>();

/** Cached for all workflows that are compared with the same list: an instance may have thousands. */
function ownersOf(workflows: Workflows, catalogue: Catalogue): Map<string, Owner[]> {
  const byCatalogue = known.get(workflows) ?? new WeakMap<Catalogue, Map<string, Owner[]>>();
  known.set(workflows, byCatalogue);
  let owners = byCatalogue.get(catalogue);
  if (owners) return owners;
  byCatalogue.set(catalogue, (owners = new Map()));
  for (const { id, name, active, nodes } of workflows) {
    if (!active || !Array.isArray(nodes)) continue;
    for (const raw of nodes as readonly unknown[]) {
      for (const webhook of webhooksOf(raw, catalogue).filter(isPlain)) {
        const there = owners.get(keyOf(webhook)) ?? [];
        owners.set(keyOf(webhook), there);
        if (!there.some((one) => one.id === id)) there.push({ id, name });
      }
    }
  }
  return owners;
}

function webhooksOf(raw: unknown, catalogue: Catalogue) {
  if (!isRecord(raw)) return [];
  const [name, type] = [own(raw, 'name'), own(raw, 'type')];
  if (typeof name !== 'string' || typeof type !== 'string' || !opensWebhooks(type, catalogue)) return [];
  return registeredWebhooks(nodeView({ ...raw, name, type }, 0, catalogue));
}
