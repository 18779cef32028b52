import type { Rule } from '../../rule.ts';
import type { Edge } from '../../subject/subject.ts';
import { isOutline } from '../../structure/outline.ts';
import { isKind, kindInWords } from '../../connections/connection-kinds.ts';
import { couldTake, gives, isSubNode, takes } from '../../connections/ports-of.ts';

/** Items into a trigger or a model, or a memory into a node without a memory input. */
export const wrongInputKind: Rule = {
  id: 'wrong-input-kind',
  group: 'connections',
  title: 'Every connection leads to an input of its kind: no items into triggers and sub-nodes.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    // Inputs and outputs depend on the parameters.
    if (isOutline(subject)) return;
    const { edges } = subject;
    for (const edge of edges) {
      const { source, target, kind, targetKind, pointer } = edge;
      // One cause, one finding.
      if (kind !== targetKind || !isKind(kind) || gives(source, kind) === false) continue;
      if (takes(target, kind) !== false) continue;
      // n8n runs the node without it, and skips notes.
      const isOnlyIgnored = target.sticky || target.disabled || (kind !== 'main' && couldTake(target, kind));
      report({
        path: pointer,
        node: target.name,
        message: messageFor(edge),
        ...(isOnlyIgnored && { severity: 'warning' as const }),
      });
    }
  },
};

function messageFor({ source, target, kind }: Edge): string {
  if (target.sticky)
    return `"${target.name}" is a sticky note, and nothing can be connected to it. Remove the connection.`;
  if (kind === 'ai_outputParser' && couldTake(target, kind)) {
    return `"${target.name}" ignores the output parser "${source.name}": its "hasOutputParser" is off. Turn it on, or remove the connection.`;
  }
  const what = kind === 'main' ? 'items' : kindInWords(kind);
  if (couldTake(target, kind)) {
    return `"${target.name}" accepts no ${what} in this configuration. Change its mode or options, or remove the connection from "${source.name}".`;
  }
  if (kind === 'main' && target.trigger) {
    return `"${target.name}" is a trigger: it starts a run and has no input. Connect "${source.name}" to the node after it.`;
  }
  if (kind === 'main' && isSubNode(target)) {
    const own = target.outputs()?.[0]?.type ?? '';
    return `"${target.name}" is a sub-node and accepts no items. Connect it as ${kindInWords(own)} to the node that uses it, and "${source.name}" to that node.`;
  }
  return `"${target.name}" accepts no ${what}. Remove the connection from "${source.name}", or connect it to a node that does.`;
}
