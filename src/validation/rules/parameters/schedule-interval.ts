import type { Rule } from '../../rule.ts';
import { givenFields } from '../../parameters/checked-fields.ts';
import { isInterval, limitOf } from '../../parameters/schedule-limits.ts';
import { called } from '../../messages/wording.ts';

const longer: ReadonlyMap<string, string> = new Map([
  ['secondsInterval', 'use minutes'],
  ['minutesInterval', 'use hours, or a cron expression'],
  ['hoursInterval', 'use days'],
  ['daysInterval', 'use weeks or months'],
]);

export const scheduleInterval: Rule = {
  id: 'schedule-interval',
  group: 'parameters',
  title: 'A schedule has an interval that n8n supports.',
  severity: 'error',
  check(subject, report) {
    for (const { node, property, value, pointer } of givenFields(subject, 'number')) {
      if (typeof value !== 'number' || !isInterval(node, property)) continue;
      const { most, beyond } = limitOf(node, property);
      if (value >= 1 && value <= most && Number.isInteger(value)) continue;
      const [what, advice] =
        value > most
          ? [beyond, `It can be at most ${most}: ${longer.get(property.name)}`]
          : ['there is no such interval', 'It must be a whole number of at least 1'];
      report({
        node: node.name,
        path: pointer,
        message: `${called(property)} is ${value}: ${what}. ${advice}.`,
      });
    }
  },
};
