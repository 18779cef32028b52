import { z } from 'zod';
import type { Maintenance } from '../answers.ts';
import type { Kuma } from '../connection.ts';
import { paged } from '../../paged.ts';
import { cursorInput, cursorOutput, uptimekumaTool } from '../tool.ts';
import { shortened } from '../../shown.ts';

const NAME = 'uptimekuma_list_maintenance';
const MOST_NAMES = 10;

const monitorsAnswer = z.looseObject({ monitors: z.array(z.object({ id: z.int() })) });

export const listMaintenance = uptimekumaTool({
  name: NAME,
  title: 'List maintenance',
  description: 'Lists planned maintenance with its state, next times and monitors.',
  phrases: 'list maintenance windows; is maintenance planned; which monitors are under maintenance',
  effect: 'read',
  input: z.strictObject({ cursor: cursorInput }),
  output: z.object({
    maintenance: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        strategy: z.string(),
        status: z.string().optional().describe('Such as scheduled, under-maintenance, ended, inactive'),
        active: z.boolean(),
        cron: z.string().optional(),
        timezone: z.string().optional(),
        times: z.array(z.object({ from: z.string().optional(), to: z.string().optional() })).optional(),
        monitors: z.array(z.string()),
        more_monitors: z.int().optional(),
      }),
    ),
    cursor: cursorOutput,
  }),
  async run({ cursor }, kuma, { signal }) {
    const all = await Promise.all(
      kuma.pushed.maintenances
        .slice(0, 200)
        .map(async (one) => ({ one, monitors: await monitorsUnder(kuma, one, signal) })),
    );
    // One whose monitors are all out of reach is none of the caller's business.
    const visible = all.filter(({ monitors }) => monitors.inReach.length > 0 || monitors.count === 0);
    const { page, next } = paged(visible, ({ one, monitors }) => shownMaintenance(one, monitors.inReach), {
      list: NAME,
      asked: {},
      cursor,
    });
    return { maintenance: page, ...next };
  },
});

async function monitorsUnder(kuma: Kuma, { id }: Maintenance, signal: AbortSignal) {
  const { monitors } = await kuma.ask(monitorsAnswer, 'getMonitorMaintenance', [id], signal);
  const inReach = monitors.flatMap((one) => {
    const monitor = kuma.pushed.monitors.get(one.id);
    return monitor && kuma.reach.has(monitor) ? [monitor.name] : [];
  });
  return { count: monitors.length, inReach };
}

function shownMaintenance(
  { id, title, strategy, status, active, cron, timezone, timeslotList }: Maintenance,
  monitors: readonly string[],
) {
  return {
    id,
    title: shortened(title, 150),
    strategy,
    ...(status && { status }),
    active,
    ...(cron && { cron: shortened(cron, 100) }),
    ...(timezone && { timezone: shortened(timezone, 60) }),
    ...(timeslotList.length > 0 && {
      times: timeslotList
        .slice(0, 3)
        .map(({ startDate, endDate }) => ({ ...(startDate && { from: startDate }), ...(endDate && { to: endDate }) })),
    }),
    monitors: monitors.slice(0, MOST_NAMES).map((name) => shortened(name, 80)),
    ...(monitors.length > MOST_NAMES && { more_monitors: monitors.length - MOST_NAMES }),
  };
}
