import type { Property } from '../../../nodes/description.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject.ts';
import { givenFields } from './checked-fields.ts';
import { called } from './wording.ts';

/** How often at most: the schedule is turned into a cron expression, which knows no 90 minutes. */
const most: ReadonlyMap<string, number> = new Map([
  ['secondsInterval', 59],
  ['minutesInterval', 59],
  ['hoursInterval', 23],
  ['daysInterval', 31],
  ['weeksInterval', Number.POSITIVE_INFINITY],
  ['monthsInterval', Number.POSITIVE_INFINITY],
]);

const longer: ReadonlyMap<string, string> = new Map([
  ['secondsInterval', 'use minutes'],
  ['minutesInterval', 'use hours, or a cron expression'],
  ['hoursInterval', 'use days'],
  ['daysInterval', 'use weeks or months'],
]);

export const scheduleInterval: Rule = {
  id: 'schedule-interval',
  group: 'parameters',
  title: 'A schedule runs at an interval that there is.',
  severity: 'error',
  check(subject, report) {
    for (const { node, property, value, pointer } of givenFields(subject, 'number')) {
      if (typeof value !== 'number' || !isInterval(node, property)) continue;
      const limit = most.get(property.name) as number;
      if (value >= 1 && value <= limit && Number.isInteger(value)) continue;
      const advice =
        value > limit ? `it can be at most ${limit}: ${longer.get(property.name)}` : 'it must be a whole number from 1';
      report({
        node: node.name,
        path: pointer,
        message: `${called(property)} is ${value}, and n8n refuses the schedule: ${advice}.`,
      });
    }
  },
};

export function isInterval({ type }: NodeView, { name }: Property): boolean {
  return type === 'n8n-nodes-base.scheduleTrigger' && most.has(name);
}
