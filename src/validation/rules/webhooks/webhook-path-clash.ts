import type { Rule } from '../../rule.ts';
import { isOutline } from '../../structure/outline.ts';
import {
  adviceFor,
  keyOf,
  placeOf,
  type RegisteredWebhook,
  registeredWebhooks,
} from '../../webhooks/registered-webhooks.ts';

/** n8n refuses to publish the workflow. */
export const webhookPathClash: Rule = {
  id: 'webhook-path-clash',
  group: 'webhooks',
  title: 'No two triggers of the workflow have the same path and method.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    // An outline has lost its paths.
    if (isOutline(subject)) return;
    const { nodes } = subject;
    const taken = new Map<string, RegisteredWebhook>();
    for (const node of nodes) {
      for (const webhook of registeredWebhooks(node)) {
        const first = taken.get(keyOf(webhook));
        if (!first) taken.set(keyOf(webhook), webhook);
        if (!first || first.node === node) continue;
        report({
          path: placeOf(webhook),
          node: node.name,
          message: `"${node.name}" answers ${webhook.method} at "${webhook.path}", and so does "${first.node.name}": n8n refuses to publish both. ${adviceFor(webhook)}`,
        });
        // One finding per node is enough.
        break;
      }
    }
  },
};
