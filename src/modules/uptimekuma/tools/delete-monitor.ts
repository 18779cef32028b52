import { z } from 'zod';
import { beatsAnswer } from '../answers.ts';
import type { Kuma } from '../connection.ts';
import { monitorNamed, targetOf } from '../monitors.ts';
import { maskedText } from '../masked.ts';
import { forget } from '../pushed.ts';
import { monitorsOn, pageIfThere, pagesOf } from '../status-pages.ts';
import { membersInReach } from '../switched.ts';
import { done, monitorInput, named, plural, uptimekumaTool } from '../tool.ts';

const HOURS = 24;
const MOST_PAGES = 20;

export const deleteMonitor = uptimekumaTool({
  name: 'uptimekuma_delete_monitor',
  title: 'Delete a monitor',
  description: 'Deletes a monitor with its history. The monitors of a group stay, without the group.',
  phrases: 'delete a monitor; remove an uptime check; stop monitoring a site for good; get rid of a monitor',
  effect: 'delete',
  input: z.strictObject({ monitor: monitorInput }),
  output: z.object({ id: z.int(), name: z.string() }),
  async preview({ monitor: given }, kuma, { signal }) {
    const monitor = monitorNamed(kuma, given);
    const members = membersInReach(kuma, monitor);
    const { data } = await kuma.ask(beatsAnswer, 'getMonitorBeats', [monitor.id, HOURS], signal);
    const pages = await pagesWith(kuma, monitor.id, signal);
    const target = targetOf(monitor);
    return [
      `Deletes the monitor ${named(monitor)}, ${monitor.type}${target ? ` ${maskedText(target)}` : ''}, with its whole history (${plural(data.length, 'heartbeat')} in the last ${HOURS} hours).`,
      members.length > 0 ? `${plural(members.length, 'monitor')} of the group will have no group.` : '',
      pages.length > 0 ? `It also goes from ${plural(pages.length, 'status page')}: ${pages.join(', ')}.` : '',
      'This cannot be undone.',
    ]
      .filter((one) => one !== '')
      .join(' ');
  },
  async run({ monitor: given }, kuma, { signal }) {
    const monitor = monitorNamed(kuma, given);
    membersInReach(kuma, monitor);
    await kuma.ask(done, 'deleteMonitor', [monitor.id], signal);
    // The server tells so only after its answer.
    forget(kuma.pushed, monitor.id);
    return { id: monitor.id, name: monitor.name };
  },
});

async function pagesWith(kuma: Kuma, monitor: number, signal: AbortSignal): Promise<string[]> {
  const pages = await Promise.all(
    pagesOf(kuma)
      .slice(0, MOST_PAGES)
      .map(async ({ slug }) => ({ slug, found: await pageIfThere(kuma, slug, signal) })),
  );
  return pages.flatMap(({ slug, found }) =>
    found && monitorsOn(found.page).some(({ id }) => id === monitor) ? [slug] : [],
  );
}
