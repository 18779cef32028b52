import type { Rule } from '../../rule.ts';
import { batchOutputs, comesBack, isBatchLoop, isWired } from '../../connections/batch-loop.ts';

export const openLoop: Rule = {
  id: 'open-loop',
  group: 'connections',
  title: 'The steps of a loop over batches lead back to it.',
  severity: { run: 'warning', publish: 'warning' },
  check(subject, report) {
    for (const node of subject.nodes) {
      if (!isBatchLoop(node)) continue;
      const { loop, done } = batchOutputs(node);
      if (!isWired(node, loop, subject) || comesBack(node, loop, subject)) continue;
      // reversed-loop-outputs reports this one.
      if (done !== undefined && comesBack(node, done, subject)) continue;
      report({
        path: node.pointer,
        node: node.name,
        message: `The steps after output ${loop} (loop) of "${node.name}" do not lead back to it, so only the first batch is processed. Connect the last step of the loop to "${node.name}".`,
      });
    }
  },
};
