import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { alertsAnswer } from '../answers.ts';
import { matcherOf } from '../matching.ts';
import { numberIn, shownNumber, valueOutput } from '../numbers.ts';
import { paged } from '../../paged.ts';
import { metricOutput, shownLabels } from '../shown-series.ts';
import { cursorInput, cursorOutput, patternInput, prometheusTool } from '../tool.ts';

export const listAlerts = prometheusTool({
  name: 'prometheus_list_alerts',
  title: 'List alerts',
  description:
    'Alerts that are firing or pending now, with labels, annotations, value and since when. Firing ones first.',
  phrases:
    'are there alerts; what is firing; which alerts are pending; why was i paged; current problems; since when does this alert fire',
  effect: 'read',
  input: z.strictObject({
    state: z.enum(['firing', 'pending']).optional().describe('Only these'),
    name: patternInput.describe('Part of the name of the alert, or a glob'),
    cursor: cursorInput,
  }),
  output: z.object({
    firing: z.number(),
    pending: z.number(),
    alerts: z.array(
      z.object({
        name: z.string(),
        state: z.string(),
        since: z.string().optional(),
        value: valueOutput.optional(),
        labels: metricOutput,
        annotations: z.record(z.string(), z.string()).optional(),
      }),
    ),
    cursor: cursorOutput,
  }),
  async run({ state, name, cursor }, prometheus, { signal }) {
    const { data } = await prometheus.ask(alertsAnswer, '/api/v1/alerts', { signal });
    const fits = matcherOf(name);
    const named = data.alerts.filter(({ labels }) => fits(labels.alertname ?? ''));
    const count = (one: string) => named.filter((alert) => alert.state === one).length;
    const counts = { firing: count('firing'), pending: count('pending') };
    const wanted = named
      .filter((alert) => state === undefined || alert.state === state)
      .sort((a, b) => Number(b.state === 'firing') - Number(a.state === 'firing'));
    const shown = ({ labels: { alertname = '', ...labels }, annotations, ...alert }: (typeof named)[number]) => ({
      name: shortened(alertname, 200),
      state: shortened(alert.state, 50),
      ...(alert.activeAt && { since: alert.activeAt.slice(0, 40) }),
      ...(alert.value && { value: shownNumber(numberIn(alert.value)) }),
      labels: shownLabels(labels, 600),
      ...(Object.keys(annotations).length > 0 && { annotations: shownLabels(annotations, 800) }),
    });
    const { page, next } = paged(wanted, shown, {
      list: 'prometheus_list_alerts',
      asked: { state, name },
      cursor,
      besides: counts,
    });
    return { ...counts, alerts: page, ...next };
  },
});
