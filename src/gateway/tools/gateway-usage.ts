import { z } from 'zod';
import { isAmong, ownCalls } from '../../kernel/own-calls.ts';
import { momentOf } from '../../kernel/moment.ts';
import { toolsFor } from '../../kernel/tool.ts';
import type { Store } from '../../store/store.ts';
import { rankUsage, usageReport } from '../status/usage.ts';
import { gatewayFamily } from './gateway-tool.ts';

export const gatewayUsage = toolsFor<{ store: Store }>(gatewayFamily)({
  name: 'gateway_usage',
  title: 'Gateway usage',
  description:
    'Shows which tools, sources or keys are used most, are slowest and fail most, with p50 and p95, from recorded calls.',
  effect: 'read',
  phrases:
    'which tools are used most; usage statistics; how often is a tool called; slowest tools; which tools fail most; who calls the gateway most; number of calls per key or user; popular tools; tool call metrics and performance; top callers; busiest tools; how many calls were made this week; which key or client makes the most requests; error rate per tool; response times; tools that nobody uses; traffic; who uses the gateway; p95 latency of tools; what do people call most; heavy users; how busy is the gateway; ranking of tools by calls; which tool is slow; success rate; report of calls in the last 7 days; consumption per api key; which tool takes longest on average; top ten tools; call counts; load per user; who are the heaviest users; which tool breaks most often; timing of tools; tool analytics',
  input: z.strictObject({
    by: z.enum(['tool', 'source', 'key']).optional().describe('What to count by; default: tool'),
    since: z.string().optional().describe('ISO time, or how long ago: 15m, 24h, 7d; default: 24h'),
    until: z.string().optional().describe('Like since; default: now'),
    source: z.string().optional().describe('Only calls to this server or other source'),
    tool: z.string().optional().describe('Only calls to this tool, by its full name'),
    principal: z.string().optional().describe('Only calls by this key or user, by id'),
    limit: z.int().min(1).max(200).optional().describe('Entries in each list; default: 5'),
  }),
  output: usageReport,
  examples: [
    { title: 'What fails most today', arguments: {} },
    { title: 'Who uses the gateway', arguments: { by: 'key', since: '7d' } },
  ],
  async run(
    { by = 'tool', since = '24h', until, source, tool, principal, limit = 5 },
    { store },
    { principal: caller },
  ) {
    const visible = isAmong(ownCalls(caller));
    const period = { since: momentOf(since), until: until === undefined ? new Date() : momentOf(until) };
    const groups = (await store.events.usage(period)).filter(
      (group) =>
        visible(group) &&
        (source === undefined || group.source === source) &&
        (tool === undefined || group.tool === tool) &&
        (principal === undefined || group.principal === principal),
    );
    return {
      since: period.since.toISOString(),
      until: period.until.toISOString(),
      ...rankUsage(groups, by, limit),
    };
  },
});
