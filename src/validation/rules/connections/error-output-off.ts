import type { LikelyFix } from '../../finding.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { isOutline } from '../../structure/outline.ts';
import { isErrorOutput } from '../../connections/misused-edges.ts';

export const errorOutputOff: Rule = {
  id: 'error-output-off',
  group: 'connections',
  title: 'A node with a connected error output has onError: continueErrorOutput.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    // The number of outputs depends on the parameters.
    if (isOutline(subject)) return;
    const { edges } = subject;
    for (const edge of edges) {
      if (!isErrorOutput(edge)) continue;
      const { source, target } = edge;
      const path = `${source.pointer}/onError`;
      const op = Object.hasOwn(source.raw, 'onError') ? ('replace' as const) : ('add' as const);
      const fix: LikelyFix = {
        description: 'Give it an error output.',
        safe: false,
        changes: `Failed items go to "${target.name}" instead of stopping the run.`,
        patch: [{ op, path, value: 'continueErrorOutput' }],
      };
      const now = own(source.raw, 'onError');
      report({
        path: edge.pointer,
        node: source.name,
        message: `"${source.name}" has one output, but "${target.name}" is connected to a second one, so it never runs. For an error output, set "onError" of "${source.name}" to continueErrorOutput${typeof now === 'string' ? ` (it is ${now})` : ''}; otherwise connect it to output 0.`,
        fix,
      });
    }
  },
};
