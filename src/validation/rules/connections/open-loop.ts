import type { Rule } from '../../rule.ts';
import { batchOutputs, comesBack, isBatchLoop, isWired } from '../../connections/batch-loop.ts';

export const openLoop: Rule = {
  id: 'open-loop',
  group: 'connections',
  title: 'What a loop over batches does with each batch leads back to it.',
  severity: { run: 'warning', publish: 'warning' },
  check(subject, report) {
    for (const node of subject.nodes) {
      if (!isBatchLoop(node)) continue;
      const { loop, done } = batchOutputs(node);
      if (!isWired(node, loop, subject) || comesBack(node, loop, subject)) continue;
      // Then it is reversed, and that is said already.
      if (done !== undefined && comesBack(node, done, subject)) continue;
      report({
        path: node.pointer,
        node: node.name,
        message: `What begins at output ${loop} (loop) of "${node.name}" does not lead back to it, so that only the first batch is worked on. Connect the last step of the loop to "${node.name}".`,
      });
    }
  },
};
