import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.scheduleTrigger';

export const cronTrigger: CuratedSpec = {
  type: 'TRIGGER',
  subtype: 'CRON',
  nodes: [NODE],
  names: true,
  description: "Starts the workflow on a schedule: n8n's schedule trigger with a cron expression.",
  configurations: {
    cron_expression: {
      type: 'string',
      description:
        'Minute, hour, day of the month, month, day of the week; an optional sixth field in front is seconds',
      required: true,
      default: '0 9 * * 1-5',
      validationPattern: '^\\S+(\\s+\\S+){4,5}$',
      at: 'Schedule: rule.interval[0].expression',
    },
    field: {
      type: 'string',
      description:
        'cronExpression for a cron expression; the others use their own parameters instead (hoursInterval, triggerAtHour, …)',
      default: 'cronExpression',
      options: ['cronExpression', 'seconds', 'minutes', 'hours', 'days', 'weeks', 'months'],
      at: 'Schedule: rule.interval[0].field',
    },
  },
  inputParams: {},
  outputParams: {
    timestamp: { type: 'string', description: 'Start time, in the time zone of the workflow' },
    'Day of week': { type: 'string', description: 'Name of the weekday' },
    Hour: { type: 'string', description: 'Hour of the start time' },
    Minute: { type: 'string', description: 'Minute of the start time' },
  },
  inputPorts: [],
  outputPorts: [itemsOut('Schedule', 'One item per start')],
  tags: ['trigger', 'schedule', 'cron', 'timer', 'interval', 'recurring'],
  examples: [
    {
      name: 'Every working day at nine',
      description: 'Mondays to Fridays, in the time zone of the workflow.',
      configurations: { cron_expression: '0 9 * * 1-5' },
    },
    {
      name: 'Every quarter of an hour',
      description: 'At minutes 0, 15, 30 and 45.',
      configurations: { cron_expression: '*/15 * * * *' },
    },
  ],
  guidance:
    "Times use the workflow's settings.timezone, else the time zone of the instance. Set it if the hour matters. n8n publishes a wrong cron expression without an error and never starts it, so validate first.",
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Schedule',
        parameters: { rule: { interval: [{ field: 'cronExpression', expression: '0 9 * * 1-5' }] } },
      }),
    ],
    connections: {},
  }),
};
