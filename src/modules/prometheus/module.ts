import { addressOf } from '../failures.ts';
import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import { prometheusSettings } from './settings.ts';

export default module({
  name: 'prometheus',
  description: 'Prometheus: PromQL, plots, metrics, targets, alerts, rules',
  guide: [
    'Names of metrics: prometheus_list_metrics, then prometheus_explain_metric for labels and queries that suit it.',
  ],
  settings: prometheusSettings,
  address: ({ url }) => addressOf(url, url.startsWith('https:') ? 443 : 80),
  secrets: ({ token, headers }) => [
    token,
    ...Object.entries(headers).flatMap(([name, value]) => (SECRET.test(name) ? [value] : [])),
  ],
  tools: async () => (await import('./tools.ts')).prometheusTools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  connect: async (settings, around) => (await import('./connection.ts')).connectPrometheus(settings, around),
  check: async (connection, signal) => await (await import('./check.ts')).check(connection, signal),
});

const SECRET = /auth|cookie|key|secret|token|passw/i;
