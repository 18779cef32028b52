import type { Rule } from '../../rule.ts';
import type { Edge } from '../../subject/subject.ts';
import { kindInWords } from '../../connections/connection-kinds.ts';
import { inputsOfKind, outputsOfKind } from '../../connections/ports-of.ts';

/** n8n's editor does not allow the connection, but some of these work anyway. */
export const unfittingSubNode: Rule = {
  id: 'unfitting-sub-node',
  group: 'connections',
  title: 'A sub-node is of a type that its node supports, for example a chat model for an agent.',
  severity: { run: 'warning', publish: 'warning' },
  check({ edges }, report) {
    for (const edge of edges) {
      const { source, target, kind, input, output, pointer } = edge;
      if (kind === 'main' || kind !== edge.targetKind || isForeign(edge)) continue;
      const takes = inputsOfKind(target, kind)?.[input];
      const serves = outputsOfKind(source, kind)?.[output];
      const fits = allows(takes?.filter, source.type) && allows(serves?.filter, target.type);
      if (fits) continue;
      report({
        path: pointer,
        node: target.name,
        message: `"${target.name}" does not support ${source.type} as its ${kindInWords(kind)}. ${adviceOn(takes?.filter?.nodes)}`,
      });
    }
  },
};

type Filter = { readonly nodes?: readonly string[]; readonly excludedNodes?: readonly string[] } | undefined;

function allows(filter: Filter, type: string): boolean {
  if (filter?.nodes && filter.nodes.length > 0 && !filter.nodes.includes(type)) return false;
  return !filter?.excludedNodes?.includes(type);
}

/** n8n's lists contain only its own nodes. */
function isForeign({ source, target }: Edge): boolean {
  return [source, target].some(({ summary }) => summary === undefined || summary.community);
}

function adviceOn(nodes: readonly string[] | undefined): string {
  return nodes && nodes.length > 0
    ? `It accepts ${nodes.slice(0, 6).join(', ')}${nodes.length > 6 ? ` and ${nodes.length - 6} more` : ''}.`
    : 'Connect another node of this kind; an agent needs a chat model that can use tools.';
}
