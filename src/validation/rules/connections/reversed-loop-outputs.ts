import type { Rule } from '../../rule.ts';
import { batchOutputs, isReversed, isWired } from '../../connections/batch-loop.ts';

/** Version 2 has the loop on its first output, version 3 on its second: half of the world mixes them up. */
export const reversedLoopOutputs: Rule = {
  id: 'reversed-loop-outputs',
  group: 'connections',
  title: 'A loop over batches leaves by its output "loop" and comes back, and goes on at "done".',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const node of subject.nodes) {
      if (!isReversed(node, subject)) continue;
      const { loop, done } = batchOutputs(node);
      report({
        path: node.pointer,
        node: node.name,
        message: isWired(node, loop, subject)
          ? `The outputs of "${node.name}" are the wrong way round: what leads back to it begins at output ${done} (done), and output ${loop} (loop) leads on. In this version output ${loop} gives the next batch and output ${done} everything at the end. Swap them.`
          : `Nothing is connected to output ${loop} (loop) of "${node.name}", where the batches come out, so nothing after it ever runs: output ${done} (done) follows only when the loop has come back. Connect the steps for each batch to output ${loop}, and the last of them to "${node.name}".`,
      });
    }
  },
};
