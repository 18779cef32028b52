import type { Rule } from '../../rule.ts';
import { givenFields, isExpression } from '../../parameters/checked-fields.ts';
import { isDate, isOnTheCalendar } from '../../parameters/date-text.ts';
import { called, quoted } from '../../messages/wording.ts';

export const invalidDate: Rule = {
  id: 'invalid-date',
  group: 'parameters',
  title: 'n8n can read every date, and the day exists.',
  severity: 'error',
  check(subject, report) {
    for (const { property, value, pointer, node } of givenFields(subject, 'dateTime')) {
      for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (one === '' || one === null || isExpression(one)) continue;
        const isReadable = isDate(one);
        if (isReadable && (typeof one !== 'string' || isOnTheCalendar(one))) continue;
        const why = isReadable ? 'is a day that does not exist' : 'is not a date that n8n can read';
        report({
          node: node.name,
          path: pointer,
          message: `${called(property)}: ${quoted(one)} ${why}. Write it like 2026-03-31T09:00:00, or use an expression such as {{ $now }}.`,
          ...(isReadable && { severity: 'warning' as const }),
        });
      }
    }
  },
};
