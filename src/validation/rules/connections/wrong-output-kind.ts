import type { LikelyFix } from '../../finding.ts';
import { pointer } from '../../json/json-pointer.ts';
import type { Rule } from '../../rule.ts';
import type { Edge } from '../../subject/subject.ts';
import { isOutline } from '../../structure/outline.ts';
import { isKind, kindInWords } from '../../connections/connection-kinds.ts';
import { isRegularNodeAsTool, isWrongWayRound } from '../../connections/misused-edges.ts';
import { couldGive, gives, takes } from '../../connections/ports-of.ts';

/** A model connected as a tool, or a memory connected to an input for items. */
export const wrongOutputKind: Rule = {
  id: 'wrong-output-kind',
  group: 'connections',
  title: 'Every connection starts at an output of its kind: a model is connected as a model, not as a tool.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    // Inputs and outputs depend on the parameters.
    if (isOutline(subject)) return;
    const { edges, from } = subject;
    for (const edge of edges) {
      const { source, target, kind } = edge;
      if (!isKind(kind) || gives(source, kind) !== false || isRegularNodeAsTool(edge)) continue;
      const own = [...new Set((source.outputs() ?? []).map(({ type }) => type))];
      const fitting = own.filter((one) => takes(target, one) !== false);
      const fix = own.length === 1 && fitting.length === 1 && fixOf(edge, own[0] as string, from(source));
      const isReversed = isWrongWayRound(edge);
      report({
        path: edge.pointer,
        node: source.name,
        message: isReversed
          ? `The connection is the wrong way round: sub-nodes are connected to the node that uses them. Connect "${target.name}" to "${source.name}" as ${kind}.`
          : `"${source.name}" has no output for ${kindInWords(kind)}${advice(edge, own, fitting)}`,
        ...(fix && !isReversed && { fix }),
      });
    }
  },
};

function advice({ source, target, kind }: Edge, own: readonly string[], fitting: readonly string[]): string {
  if (couldGive(source, kind)) return ' in this configuration. Change its operation or mode, or remove the connection.';
  if (own.length === 0) return ': it has none at all. Remove the connection.';
  const given = own.map(kindInWords).join(' and ');
  return fitting.length > 0
    ? `: its output is ${given}. Connect it to "${target.name}" as that.`
    : `: its output is ${given}, which "${target.name}" does not accept. Connect it to a node that does.`;
}

/** Only for the single connection of a node, so that nothing else has to move. */
function fixOf({ source, target, kind, output }: Edge, value: string, leaving: readonly Edge[]): LikelyFix | undefined {
  if (output !== 0 || leaving.length !== 1) return undefined;
  return {
    description: `Connect it as "${value}".`,
    safe: false,
    changes: `"${target.name}" uses "${source.name}" as "${value}". Now it does not.`,
    patch: [
      { op: 'remove', path: pointer('/connections', source.name, kind) },
      {
        op: 'add',
        path: pointer('/connections', source.name, value),
        value: [[{ node: target.name, type: value, index: 0 }]],
      },
    ],
  };
}
