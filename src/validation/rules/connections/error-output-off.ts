import type { LikelyFix } from '../../finding.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { isOutline } from '../../structure/outline.ts';
import { isErrorOutput } from '../../connections/misused-edges.ts';

export const errorOutputOff: Rule = {
  id: 'error-output-off',
  group: 'connections',
  title: 'What is connected to the output for errors needs onError: continueErrorOutput.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    // How many there are depends on parameters.
    if (isOutline(subject)) return;
    const { edges } = subject;
    for (const edge of edges) {
      if (!isErrorOutput(edge)) continue;
      const { source, target } = edge;
      const path = `${source.pointer}/onError`;
      const op = Object.hasOwn(source.raw, 'onError') ? ('replace' as const) : ('add' as const);
      const fix: LikelyFix = {
        description: 'Give it an output for errors.',
        safe: false,
        changes: `What fails goes to "${target.name}"; now the run stops.`,
        patch: [{ op, path, value: 'continueErrorOutput' }],
      };
      const now = own(source.raw, 'onError');
      report({
        path: edge.pointer,
        node: source.name,
        message: `"${source.name}" has one output, and "${target.name}" is connected to a second one, so it never runs. If that is meant for errors, set "onError" of "${source.name}" to continueErrorOutput${typeof now === 'string' ? ` (it is ${now})` : ''}; otherwise connect it to output 0.`,
        fix,
      });
    }
  },
};
