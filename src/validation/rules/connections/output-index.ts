import type { Rule } from '../../rule.ts';
import type { Edge } from '../../subject/subject.ts';
import { isOutline } from '../../structure/outline.ts';
import { isErrorOutput } from '../../connections/misused-edges.ts';
import { count, outputsOfKind } from '../../connections/ports-of.ts';

/** Nothing ever comes out of an output that the node does not have. */
export const outputIndex: Rule = {
  id: 'output-index',
  group: 'connections',
  title: 'Every connection starts at an output that the node has in its configuration.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    // The number of outputs depends on the parameters.
    if (isOutline(subject)) return;
    const { edges } = subject;
    for (const edge of edges) {
      const outputs = outputsOfKind(edge.source, edge.kind);
      // Another rule reports a node without any output of this kind.
      if (!outputs || outputs.length === 0 || edge.output < outputs.length || isErrorOutput(edge)) continue;
      const { source, target, output, kind } = edge;
      const of = kind === 'main' ? 'output' : `${kind} output`;
      const named = outputs.map(({ displayName }, index) => nameOf(edge, displayName, index));
      report({
        path: edge.pointer,
        node: source.name,
        message: `"${source.name}" has ${count(outputs.length, of)} in this configuration (${named.join(', ')}), but "${target.name}" is connected to output ${output} (counted from 0). Connect it to an output that exists, or change the parameters that decide how many there are.`,
      });
    }
  },
};

/** The name in a description may have any type. */
function nameOf({ source }: Edge, displayName: unknown, index: number): string {
  const name = displayName || source.description?.outputNames?.[index];
  return typeof name === 'string' && name !== '' ? `${index}: ${name.slice(0, 40)}` : String(index);
}
