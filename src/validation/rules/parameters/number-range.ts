import type { Rule } from '../../rule.ts';
import { givenFields } from '../../parameters/checked-fields.ts';
import { isInterval } from '../../parameters/schedule-limits.ts';
import { called } from '../../messages/wording.ts';

/** Only the editor enforces the range. A value outside reaches the service, which refuses it. */
export const numberRange: Rule = {
  id: 'number-range',
  group: 'parameters',
  title: 'Every number is in the range that the node allows.',
  severity: 'error',
  check(subject, report) {
    for (const { property, value, pointer, node } of givenFields(subject, 'number')) {
      if (typeof value !== 'number' || isInterval(node, property)) continue;
      const least = property.typeOptions?.['minValue'];
      const most = property.typeOptions?.['maxValue'];
      const wrong =
        typeof least === 'number' && value < least
          ? `at least ${least}`
          : typeof most === 'number' && value > most
            ? `at most ${most}`
            : undefined;
      if (wrong === undefined) continue;
      report({ node: node.name, path: pointer, message: `${called(property)} is ${value}, but must be ${wrong}.` });
    }
  },
};
