import { shown } from '../../../kernel/nearest-names.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';
import { named } from '../../messages/named.ts';
import { hasBatching, loopsOf } from '../../connections/loops.ts';

/** n8n sends all requests of a node at once. */
export const batchRequests: Rule = {
  id: 'batch-requests',
  group: 'suggestions',
  title: 'Requests for many items are sent in batches.',
  severity: 'info',
  check(subject, report) {
    const looped = new Set(loopsOf(subject).flatMap(({ body }) => body));
    const found = subject.nodes.flatMap((node) => {
      if (node.type !== 'n8n-nodes-base.httpRequest' || node.disabled || looped.has(node)) return [];
      if (hasBatching(node.parameters) || own(node.raw, 'executeOnce') === true) return [];
      const source = manyFrom(node, subject);
      return source ? [{ node, source }] : [];
    });
    const [first, ...others] = found;
    if (!first) return;
    report({
      node: first.node.name,
      path: first.node.pointer,
      message: `"${shown(first.source.name)}" may return many items, and this node sends all requests at once. Set options.batching (items per batch and a pause), or loop over them with Loop Over Items and a Wait.${
        others.length > 0 ? ` The same goes for ${named(others.map(({ node }) => node))}.` : ''
      }`,
    });
  },
};

/** A node before it that returns many items, skipping steps that pass on as many items as they get. */
function manyFrom(node: NodeView, subject: Subject): NodeView | undefined {
  const seen = new Set([node]);
  for (const one of seen) {
    for (const { kind, source } of subject.to(one)) {
      if (kind !== 'main' || seen.has(source)) continue;
      if (!source.disabled && givesMany(source)) return source;
      if (source.disabled || /-base\.(set|filter|if|noOp|sort|dateTime|renameKeys)$/.test(source.type))
        seen.add(source);
    }
  }
  return undefined;
}

function givesMany({ type, parameters }: NodeView): boolean {
  if (/\.(splitOut|itemLists)$/.test(type)) return true;
  if (own(parameters, 'returnAll') === true) return true;
  const operation = own(parameters, 'operation');
  // Without filters a sheet returns every row.
  if (type.endsWith('.googleSheets')) {
    return (operation === undefined || operation === 'read') && own(parameters, 'filtersUI') === undefined;
  }
  if (!type.endsWith('.extractFromFile')) return false;
  return operation === undefined || ['csv', 'xls', 'xlsx', 'ods'].some((rows) => rows === operation);
}
