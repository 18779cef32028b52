import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { type Rule, rulesAnswer } from '../answers.ts';
import { matcherOf } from '../matching.ts';
import { paged } from '../../paged.ts';
import { metricOutput, shownLabels } from '../shown-series.ts';
import { spanText } from '../times.ts';
import { cursorInput, cursorOutput, patternInput, prometheusTool } from '../tool.ts';

const ruleOutput = z.object({
  name: z.string(),
  type: z.string(),
  group: z.string(),
  query: z.string(),
  health: z.string(),
  last_error: z.string().optional(),
  state: z.string().optional().describe('Of an alert: firing, pending or inactive'),
  for: z.string().optional().describe('How long until it fires'),
  alerts: z.number().optional().describe('How many are firing or pending'),
  last_evaluation: z.string().optional(),
  evaluation_ms: z.number().optional(),
  labels: metricOutput.optional(),
});

export const listRules = prometheusTool({
  name: 'prometheus_list_rules',
  title: 'List rules',
  description:
    'Alerting and recording rules with their query, health, last error and evaluation time. Rules with errors come first.',
  phrases:
    'which alert rules are there; show recording rules; is a rule broken; threshold of an alert; slow rules; rule evaluation errors',
  effect: 'read',
  input: z.strictObject({
    type: z.enum(['alert', 'record']).optional().describe('Only alerting or only recording rules'),
    name: patternInput.describe('Part of the name of the rule or group, or a glob'),
    failing: z.boolean().default(false).describe('Only rules with errors'),
    cursor: cursorInput,
  }),
  output: z.object({ total: z.number(), rules: z.array(ruleOutput), cursor: cursorOutput }),
  async run({ type, name, failing, cursor }, prometheus, { signal }) {
    const { data } = await prometheus.ask(rulesAnswer, '/api/v1/rules', { params: { type }, signal });
    const fits = matcherOf(name);
    const wanted = data.groups
      .flatMap((group) => group.rules.map((rule) => ({ group: group.name, rule })))
      .filter(({ group, rule }) => {
        if (type !== undefined && (rule.type === 'alerting') !== (type === 'alert')) return false;
        return (!failing || rule.health === 'err') && (fits(rule.name) || fits(group));
      })
      .sort((a, b) => Number(b.rule.health === 'err') - Number(a.rule.health === 'err'));
    const { page, next } = paged(wanted, shown, {
      list: 'prometheus_list_rules',
      asked: { type, name, failing },
      cursor,
    });
    return { total: wanted.length, rules: page, ...next };
  },
});

function shown({ group, rule }: { group: string; rule: Rule }): z.output<typeof ruleOutput> {
  return {
    name: shortened(rule.name, 200),
    type: shortened(rule.type, 50),
    group: shortened(group, 200),
    query: shortened(rule.query, 400),
    health: shortened(rule.health, 50),
    ...(rule.lastError && { last_error: shortened(rule.lastError, 400) }),
    ...(rule.state && { state: shortened(rule.state, 50) }),
    ...(rule.duration && { for: spanText(rule.duration) }),
    ...(rule.alerts.length > 0 && { alerts: rule.alerts.length }),
    ...(rule.lastEvaluation && { last_evaluation: rule.lastEvaluation.slice(0, 40) }),
    ...(typeof rule.evaluationTime === 'number' && { evaluation_ms: Math.round(rule.evaluationTime * 1e6) / 1000 }),
    ...(Object.keys(rule.labels).length > 0 && { labels: shownLabels(rule.labels, 300) }),
  };
}
