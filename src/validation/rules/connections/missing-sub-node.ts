import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import type { Edge, NodeView, Subject } from '../../subject/subject.ts';
import { isOutline } from '../../structure/outline.ts';
import { articleOf, kindInWords } from '../../connections/connection-kinds.ts';
import { mentioned } from '../../connections/mentioned.ts';
import { gives } from '../../connections/ports-of.ts';
import { reachOf } from '../../connections/reach.ts';
import { isBeyond, isWrongWayRound } from '../../connections/misused-edges.ts';

/** n8n publishes an agent without a model, and its first run fails. */
export const missingSubNode: Rule = {
  id: 'missing-sub-node',
  group: 'connections',
  title: 'A node has the sub-nodes that it needs: a model, embeddings, a document loader, a retriever.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    if (isOutline(subject)) return;
    for (const node of subject.nodes) {
      if (node.disabled || node.sticky) continue;
      const inputs = node.inputs();
      if (!inputs?.some(({ required, type }) => required === true && type !== 'main')) continue;
      const given = subject.to(node).filter(({ source }) => !source.disabled);
      const seen = new Map<string, number>();
      for (const { type, required, displayName } of inputs) {
        const index = seen.get(type) ?? 0;
        seen.set(type, index + 1);
        if (required !== true || type === 'main' || isServed(given, type, index)) continue;
        if (subject.from(node).some((edge) => edge.kind === type && isWrongWayRound(edge))) continue;
        const off = subject
          .to(node)
          .find(({ source, kind, input }) => source.disabled && kind === type && input === index);
        report({
          path: node.pointer,
          node: node.name,
          message: off
            ? `"${node.name}" needs ${labelOf(displayName, type)}, but "${off.source.name}" is disabled. Enable it, or connect another.`
            : `"${node.name}" needs ${labelOf(displayName, type)}, but none is connected. Add one and connect it to "${node.name}" as ${type}${index > 0 ? ` with index ${index}` : ''}.`,
          ...(cannotRun(node, subject) && { severity: 'warning' as const }),
        });
      }
    }
  },
};

/** A sub-node that is connected in a wrong way counts: another rule reports that. */
function isServed(given: readonly Edge[], type: string, index: number): boolean {
  return given.some((edge) =>
    edge.targetKind === type || edge.kind === type
      ? edge.input === index || edge.kind !== edge.targetKind || isBeyond(edge)
      : gives(edge.source, type) === true && gives(edge.source, edge.kind) === false,
  );
}

function labelOf(displayName: string | undefined, kind: string): string {
  return displayName && displayName.toLowerCase() === 'fallback model'
    ? `a fallback model as well (${kind}), because "needsFallback" is on`
    : `${articleOf(kind)}${kindInWords(kind)}`;
}

/** No trigger leads to it, or a manual run uses its pinned data. */
function cannotRun(node: NodeView, subject: Subject): boolean {
  const pinned = own(subject.workflow, 'pinData');
  if (subject.purpose === 'run' && isRecord(pinned) && Object.hasOwn(pinned, node.name)) return true;
  const { triggers, reached } = reachOf(subject);
  // A connection to it may exist, only written wrongly.
  return triggers.length > 0 && !reached.has(node) && mentioned(subject).size === 0;
}
