import type { Rule } from '../../rule.ts';
import type { Edge } from '../../subject/subject.ts';
import { isOutline } from '../../structure/outline.ts';
import { isErrorOutput } from '../../connections/misused-edges.ts';
import { count, outputsOfKind } from '../../connections/ports-of.ts';

/** Nothing ever comes out of an output that the node does not have. */
export const outputIndex: Rule = {
  id: 'output-index',
  group: 'connections',
  title: 'A connection begins at an output that the node has in its configuration.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    // How many there are depends on parameters.
    if (isOutline(subject)) return;
    const { edges } = subject;
    for (const edge of edges) {
      const outputs = outputsOfKind(edge.source, edge.kind);
      // That it has none of this kind is another rule's.
      if (!outputs || outputs.length === 0 || edge.output < outputs.length || isErrorOutput(edge)) continue;
      const { source, target, output, kind } = edge;
      const of = kind === 'main' ? 'output' : `output of the kind ${kind}`;
      const named = outputs.map(({ displayName }, index) => nameOf(edge, displayName, index));
      report({
        path: edge.pointer,
        node: source.name,
        message: `"${source.name}" has ${count(outputs.length, of)} in this configuration (${named.join(', ')}), and "${target.name}" is connected to output ${output}, which would be number ${output + 1}. Connect it to one that there is, or change what decides how many there are.`,
      });
    }
  },
};

/** What a description holds for a name may be anything. */
function nameOf({ source }: Edge, displayName: unknown, index: number): string {
  const name = displayName || source.description?.outputNames?.[index];
  return typeof name === 'string' && name !== '' ? `${index}: ${name.slice(0, 40)}` : String(index);
}
