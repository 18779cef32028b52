import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.scheduleTrigger';

export const cronTrigger: CuratedSpec = {
  type: 'TRIGGER',
  subtype: 'CRON',
  nodes: [NODE],
  names: true,
  description: "Starts the workflow by the clock: n8n's schedule trigger with a cron expression.",
  configurations: {
    cron_expression: {
      type: 'string',
      description: 'Minute, hour, day of the month, month, day of the week; a sixth field in front counts seconds',
      required: true,
      default: '0 9 * * 1-5',
      validationPattern: '^\\S+(\\s+\\S+){4,5}$',
      at: 'Schedule: rule.interval[0].expression',
    },
    field: {
      type: 'string',
      description:
        'cronExpression for a cron expression; the others take a number of their own instead (hoursInterval, triggerAtHour, …)',
      default: 'cronExpression',
      options: ['cronExpression', 'seconds', 'minutes', 'hours', 'days', 'weeks', 'months'],
      at: 'Schedule: rule.interval[0].field',
    },
  },
  inputParams: {},
  outputParams: {
    timestamp: { type: 'string', description: 'When it started, in the time zone of the workflow' },
    'Day of week': { type: 'string', description: 'Its name' },
    Hour: { type: 'string', description: 'Of that time' },
    Minute: { type: 'string', description: 'Of that time' },
  },
  inputPorts: [],
  outputPorts: [itemsOut('Schedule', 'One item for each start')],
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
    "Times are those of the workflow's setting timezone, else of the instance: set settings.timezone where the hour matters. n8n publishes a wrong cron expression without complaint and never starts it, so validate first.",
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
