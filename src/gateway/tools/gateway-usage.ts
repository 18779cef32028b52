import { toolsFor } from '../../kernel/tool.ts';
import type { Store } from '../../store/store.ts';
import { askedUsage, usageReport } from '../status/usage.ts';
import { usageFor } from '../status/usage-for.ts';
import { gatewayFamily } from './gateway-tool.ts';

export const gatewayUsage = toolsFor<{ store: Store }>(gatewayFamily)({
  name: 'gateway_usage',
  title: 'Gateway usage',
  description:
    'Shows which tools, sources or keys are used most, are slowest and fail most, with p50 and p95, from recorded calls.',
  effect: 'read',
  phrases:
    'which tools are used most; usage statistics; how often is a tool called; slowest tools; which tools fail most; who calls the gateway most; number of calls per key or user; popular tools; tool call metrics and performance; top callers; busiest tools; how many calls were made this week; which key or client makes the most requests; error rate per tool; response times; tools that nobody uses; traffic; who uses the gateway; p95 latency of tools; what do people call most; heavy users; how busy is the gateway; ranking of tools by calls; which tool is slow; success rate; report of calls in the last 7 days; consumption per api key; which tool takes longest on average; top ten tools; call counts; load per user; who are the heaviest users; which tool breaks most often; timing of tools; tool analytics',
  input: askedUsage,
  output: usageReport,
  examples: [
    { title: 'What fails most today', arguments: {} },
    { title: 'Who uses the gateway', arguments: { by: 'key', since: '7d' } },
  ],
  run: (asked, { store }, { principal }) => usageFor(store.events, asked, principal),
});
