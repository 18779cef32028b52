import { z } from 'zod';
import type { Beat } from '../answers.ts';
import { outagesIn } from '../beats.ts';
import { changesSince, lastChange } from '../changes.ts';
import type { Kuma } from '../connection.ts';
import { monitorNamed, monitorsOf, stateOf } from '../monitors.ts';
import { paged } from '../../paged.ts';
import { cursorInput, cursorOutput, isoTime, messageShown, monitorInput, uptimekumaTool } from '../tool.ts';
import { shortened } from '../../shown.ts';

const NAME = 'uptimekuma_list_incidents';
const DAY = 86_400_000;

export const listIncidents = uptimekumaTool({
  name: NAME,
  title: 'List incidents',
  description: 'Lists when monitors were down, how long and why, newest first; for one monitor or all.',
  phrases:
    'list outages; what went down this week; when was the site down and why; incident history; downtime of last month',
  effect: 'read',
  input: z.strictObject({
    monitor: monitorInput.optional(),
    days: z.number().min(0.01).max(400).default(30).describe('How far back'),
    cursor: cursorInput,
  }),
  output: z.object({
    total: z.int(),
    incidents: z.array(
      z.object({
        id: z.int().describe('Of the monitor'),
        name: z.string(),
        from: z.string(),
        to: z.string().optional().describe('Missing if it is still down'),
        minutes: z.number(),
        reason: z.string(),
      }),
    ),
    incomplete: z.string().optional(),
    cursor: cursorOutput,
  }),
  async run({ cursor, ...asked }, kuma, { signal }) {
    const now = Date.now();
    const since = now - asked.days * DAY;
    const one = asked.monitor === undefined ? undefined : monitorNamed(kuma, asked.monitor);
    const { beats, cut } = await changesSince(kuma, { monitor: one?.id, since, signal });
    const byMonitor = Map.groupBy(beats.toReversed(), ({ monitor }) => monitor ?? one?.id);
    await addLongOutages(kuma, byMonitor, signal, one ? [one] : monitorsOf(kuma));
    const incidents = [...byMonitor]
      .flatMap(([id, own]) => {
        const monitor = id === undefined ? undefined : kuma.pushed.monitors.get(id);
        return monitor && kuma.reach.has(monitor) ? outagesIn(own).map((outage) => ({ monitor, ...outage })) : [];
      })
      .sort((a, b) => b.from - a.from);
    const besides = {
      total: incidents.length,
      ...(cut && { incomplete: 'Only the newest 2,000 changes were read. Name a monitor, or ask for fewer days.' }),
    };
    const { page, next } = paged(
      incidents,
      ({ monitor: { id, name }, from, to, reason }) => ({
        id,
        name: shortened(name, 100),
        from: isoTime(from),
        ...(to !== undefined && { to: isoTime(to) }),
        minutes: Math.round(((to ?? now) - from) / 6000) / 10,
        reason: messageShown(reason, 150),
      }),
      { list: NAME, asked, cursor, besides },
    );
    return { ...besides, incidents: page, ...next };
  },
});

const MOST_ASKED = 50;

/** What went down before that time and still is has no change in it. */
async function addLongOutages(
  kuma: Kuma,
  byMonitor: Map<number | undefined, Beat[]>,
  signal: AbortSignal,
  monitors: readonly { readonly id: number }[],
): Promise<void> {
  const silent = monitors.filter(({ id }) => {
    const monitor = kuma.pushed.monitors.get(id);
    return !byMonitor.has(id) && monitor && stateOf(monitor, kuma.pushed) === 'down';
  });
  for (const { id } of silent.slice(0, MOST_ASKED)) {
    const change = await lastChange(kuma, id, signal);
    if (change?.status === 'down') byMonitor.set(id, [change]);
  }
}
