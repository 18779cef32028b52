import { isRecord, own } from '../../record.ts';
import type { Rule } from '../../rule.ts';
import { asksAnother, loopsOf } from './loops.ts';

export const waitInLoop: Rule = {
  id: 'wait-in-loop',
  group: 'suggestions',
  title: 'A loop of requests leaves the service time between them.',
  severity: 'info',
  check(subject, report) {
    for (const { body } of loopsOf(subject)) {
      if (body.some(({ type, disabled }) => !disabled && type === 'n8n-nodes-base.wait')) continue;
      const asking = body.find((node) => asksAnother(node) && !hasBatching(node.parameters));
      if (!asking) continue;
      report({
        node: asking.name,
        path: asking.pointer,
        message:
          'This loop sends one request after the other without a pause, and services limit how many they take. Put a Wait node into the loop, or set "retryOnFail" with a wait between tries.',
      });
    }
  },
};

export function hasBatching(parameters: Readonly<Record<string, unknown>>): boolean {
  const options = own(parameters, 'options');
  return isRecord(options) && own(options, 'batching') !== undefined;
}
