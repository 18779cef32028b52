import { shown } from '../../../kernel/nearest-names.ts';
import { own } from '../../record.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject.ts';
import { loopsOf } from './loops.ts';
import { hasBatching } from './wait-in-loop.ts';

/** n8n sends all requests of one node at once. */
export const batchRequests: Rule = {
  id: 'batch-requests',
  group: 'suggestions',
  title: 'Requests for many items go out in batches.',
  severity: 'info',
  check(subject, report) {
    const looped = new Set(loopsOf(subject).flatMap(({ body }) => body));
    for (const node of subject.nodes) {
      if (node.type !== 'n8n-nodes-base.httpRequest' || node.disabled || looped.has(node)) continue;
      if (hasBatching(node.parameters) || own(node.raw, 'executeOnce') === true) continue;
      const source = manyFrom(node, subject);
      if (!source) continue;
      report({
        node: node.name,
        path: node.pointer,
        message: `"${shown(source.name)}" may give many items, and this node sends a request for each of them at once. Set options.batching (items per batch and a pause), or loop over them with Loop Over Items and a Wait.`,
      });
    }
  },
};

function manyFrom(node: NodeView, subject: Subject): NodeView | undefined {
  return subject.to(node).find(({ kind, source }) => kind === 'main' && !source.disabled && givesMany(source))?.source;
}

function givesMany({ type, parameters }: NodeView): boolean {
  if (/\.(splitOut|itemLists)$/.test(type)) return true;
  const operation = own(parameters, 'operation');
  return own(parameters, 'returnAll') === true && (operation === 'getAll' || operation === 'search');
}
