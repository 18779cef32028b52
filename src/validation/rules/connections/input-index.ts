import type { Rule } from '../../rule.ts';
import type { Edge } from '../../subject/subject.ts';
import { isOutline } from '../../structure/outline.ts';
import { kindInWords } from '../../connections/connection-kinds.ts';
import { isBeyond } from '../../connections/misused-edges.ts';
import { count, inputsOfKind } from '../../connections/ports-of.ts';

export const inputIndex: Rule = {
  id: 'input-index',
  group: 'connections',
  title: 'Every connection leads to an input that the node has in its configuration.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    // The number of inputs depends on the parameters.
    if (isOutline(subject)) return;
    const { edges } = subject;
    for (const edge of edges) {
      if (!isBeyond(edge)) continue;
      const { source, target, kind, input, pointer } = edge;
      const inputs = inputsOfKind(target, kind)?.length ?? 0;
      const of = kind === 'main' ? 'input' : `input for ${kindInWords(kind)}`;
      const path = `${pointer}/index`;
      const fix = {
        description: 'Connect it to the first input.',
        safe: false as const,
        changes: `The output of "${source.name}" reaches the first input of "${target.name}".`,
        patch: [{ op: 'replace' as const, path, value: 0 }],
      };
      report({
        path,
        node: target.name,
        message: `"${target.name}" has ${count(inputs, of)} in this configuration, but "${source.name}" is connected to input ${input} (counted from 0). ${advice(edge)}`,
        ...(inputs === 1 && { fix }),
      });
    }
  },
};

function advice({ target, kind, input }: Edge): string {
  if (target.type === 'n8n-nodes-base.merge')
    return `Set "numberInputs" to ${input + 1}, or connect it to another input.`;
  if (kind === 'ai_languageModel' && input === 1)
    return 'For a second model, turn on "needsFallback"; otherwise use index 0.';
  return 'Use an input that exists.';
}
