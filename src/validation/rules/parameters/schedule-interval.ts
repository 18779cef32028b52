import type { Property } from '../../../nodes/description.ts';
import { versionOf } from '../../subject/node-knowledge.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { givenFields } from '../../parameters/checked-fields.ts';
import { called } from '../../messages/wording.ts';

interface Limit {
  readonly most: number;
  /** What n8n does beyond it. */
  readonly beyond: string;
}

const REFUSED = 'n8n refuses the schedule';
const ANY = Number.POSITIVE_INFINITY;

/** From 1.3 on: what n8n makes of it is compared with these before it starts. */
const limits: ReadonlyMap<string, Limit> = new Map([
  ['secondsInterval', { most: 59, beyond: REFUSED }],
  ['minutesInterval', { most: 59, beyond: REFUSED }],
  ['hoursInterval', { most: 23, beyond: REFUSED }],
  ['daysInterval', { most: 31, beyond: REFUSED }],
  ['weeksInterval', { most: ANY, beyond: REFUSED }],
  ['monthsInterval', { most: ANY, beyond: REFUSED }],
]);

/**
 * Before that nothing is compared. Minutes are counted through, seconds are those of one minute, and hours are told
 * apart by the hour of the day: after 24 of them it is the same one.
 */
const earlierLimits: ReadonlyMap<string, Limit> = new Map([
  ...limits,
  ['secondsInterval', { most: 60, beyond: 'it runs every minute' }],
  ['minutesInterval', { most: ANY, beyond: '' }],
  ['hoursInterval', { most: 23, beyond: 'it runs once and never again' }],
  ['daysInterval', { most: 364, beyond: 'it runs once and never again' }],
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
      const { most, beyond } = (versionOf(node) < 1.3 ? earlierLimits : limits).get(property.name) as Limit;
      if (value >= 1 && value <= most && Number.isInteger(value)) continue;
      const [what, advice] =
        value > most
          ? [beyond, `It can be at most ${most}: ${longer.get(property.name)}`]
          : ['there is no such interval', 'It must be a whole number from 1'];
      report({
        node: node.name,
        path: pointer,
        message: `${called(property)} is ${value}, and ${what}. ${advice}.`,
      });
    }
  },
};

export function isInterval({ type }: NodeView, { name }: Property): boolean {
  return type === 'n8n-nodes-base.scheduleTrigger' && limits.has(name);
}
