import { sentences } from '../../../kernel/nearest-names.ts';
import { choiceMeant, meant } from '../../messages/near-choice.ts';
import { listed, quoted } from '../../messages/wording.ts';
import { checkedNodes } from '../../parameters/checked-fields.ts';
import { choosing, wrongChoice } from '../../parameters/wrong-choice.ts';
import type { Rule } from '../../rule.ts';

/** n8n publishes the node, which then does nothing or fails with an obscure error. */
export const unknownResource: Rule = {
  id: 'unknown-resource',
  group: 'parameters',
  title: 'The resource of a node exists.',
  severity: 'error',
  check(subject, report) {
    for (const node of checkedNodes(subject)) {
      const found = wrongChoice(node, 'resource');
      if (!found) continue;
      const { value, values, pointer } = found;
      const right = meant(value, values);
      report({
        node: node.name,
        path: pointer,
        message: `${node.summary?.title ?? node.type} has no resource ${quoted(value)}. ${sentences(choiceMeant(value, values), `It has: ${listed(values)}.`)}`,
        ...(right !== undefined && { fix: choosing(pointer, right) }),
      });
    }
  },
};
