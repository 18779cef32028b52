import { momentOf } from '../../kernel/moment.ts';
import { isAmong, ownCalls } from '../../kernel/own-calls.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Events } from '../../store/store.ts';
import { type AskedUsage, rankUsage, type UsageReport } from './usage.ts';

/** The calls that this caller may know about, counted. */
export async function usageFor(
  events: Pick<Events, 'usage'>,
  { by = 'tool', since = '24h', until, source, tool, principal, limit = 5 }: AskedUsage,
  caller: Principal,
): Promise<UsageReport> {
  const visible = isAmong(ownCalls(caller));
  const period = { since: momentOf(since), until: until === undefined ? new Date() : momentOf(until) };
  const groups = (await events.usage(period)).filter(
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
}
