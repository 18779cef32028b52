import type { Rule } from '../../rule.ts';
import { batchOutputs, isReversed, isWired } from '../../connections/batch-loop.ts';

/** Version 2 has the loop on its first output, version 3 on its second: many people mix them up. */
export const reversedLoopOutputs: Rule = {
  id: 'reversed-loop-outputs',
  group: 'connections',
  title: 'The output "loop" of a loop over batches leads back to it, and "done" leads on.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const node of subject.nodes) {
      if (!isReversed(node, subject)) continue;
      const { loop, done } = batchOutputs(node);
      report({
        path: node.pointer,
        node: node.name,
        message: isWired(node, loop, subject)
          ? `The outputs of "${node.name}" are swapped: output ${done} (done) leads back to it, and output ${loop} (loop) leads on. In this version output ${loop} returns the next batch, and output ${done} returns everything at the end. Swap them.`
          : `Nothing is connected to output ${loop} (loop) of "${node.name}", where the batches come out, so nothing after it ever runs: output ${done} (done) fires only after the loop has come back. Connect the steps for each batch to output ${loop}, and the last of them to "${node.name}".`,
      });
    }
  },
};
