import type { Rule } from '../../rule.ts';
import type { Edge } from '../../subject/subject.ts';
import { isOutline } from '../../structure/outline.ts';
import { kindInWords } from '../../connections/connection-kinds.ts';
import { isBeyond } from '../../connections/misused-edges.ts';
import { gives } from '../../connections/ports-of.ts';

export const tooManySubNodes: Rule = {
  id: 'too-many-sub-nodes',
  group: 'connections',
  title: 'A node has no more sub-nodes of a kind than it accepts.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    // The limit depends on the parameters.
    if (isOutline(subject)) return;
    const { nodes, to } = subject;
    for (const node of nodes) {
      const arriving = to(node);
      if (node.disabled || arriving.length < 2) continue;
      const most = new Map<string, number>();
      for (const { type, maxConnections } of node.inputs() ?? []) {
        if (type !== 'main') most.set(type, (most.get(type) ?? 0) + (maxConnections ?? Number.POSITIVE_INFINITY));
      }
      for (const [kind, limit] of most) {
        const given = arriving.filter((edge) => counts(edge, kind));
        // n8n counts nodes, not connections.
        const sources = [...new Set(given.map(({ source }) => source))];
        if (sources.length <= limit || given.some(isBeyond)) continue;
        const extra = given.find(({ source }) => source === sources[limit]) as Edge;
        report({
          path: extra.pointer,
          node: node.name,
          message: `"${node.name}" accepts ${limit} ${kindInWords(kind)}, but ${sources.length} are connected: ${sources.map(({ name }) => `"${name}"`).join(', ')}. n8n refuses to run it. Remove or disable the extra ones.`,
        });
      }
    }
  },
};

function counts({ source, kind, targetKind }: Edge, wanted: string): boolean {
  return kind === wanted && targetKind === wanted && !source.disabled && gives(source, kind) !== false;
}
