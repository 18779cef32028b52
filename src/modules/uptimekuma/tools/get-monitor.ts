import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { maskedSettings } from '../masked.ts';
import { monitorNamed } from '../monitors.ts';
import { isoTime, monitorInput, monitorOutput, shownMonitor, uptimekumaTool } from '../tool.ts';
import { readMonitor } from '../read-monitor.ts';
import { shortened } from '../../shown.ts';

const MOST_TEXT = 300;
const MOST_NAMES = 200;

export const getMonitor = uptimekumaTool({
  name: 'uptimekuma_get_monitor',
  title: 'Get a monitor',
  description:
    'Shows a monitor: its state, all settings that are set, notifications and certificate. Secrets are masked.',
  phrases: 'show the settings of a monitor; how is this monitor configured; when does the certificate of a site expire',
  effect: 'read',
  input: z.strictObject({ monitor: monitorInput }),
  output: z.object({
    monitor: monitorOutput,
    settings: z.record(z.string(), z.unknown()).describe("By Uptime Kuma's names"),
    notifications: z.array(z.string()).optional(),
    children: z.int().optional().describe('Monitors in this group'),
    certificate: z
      .object({ valid: z.boolean(), days: z.number(), until: z.string().optional(), subject: z.string().optional() })
      .optional(),
    more: z.string().optional().describe('What is not shown'),
  }),
  async run({ monitor: given }, kuma, { signal }) {
    const monitor = monitorNamed(kuma, given);
    const raw = await readMonitor(kuma, monitor.id, signal);
    const certificate = kuma.pushed.certificates.get(monitor.id);
    const ids = new Set(Object.keys((raw.notificationIDList as object | undefined) ?? {}));
    const notifications = kuma.pushed.notifications.filter(({ id }) => ids.has(String(id)));
    const besides = {
      monitor: shownMonitor(kuma, monitor),
      ...(notifications.length > 0 && {
        notifications: notifications.slice(0, 10).map(({ name }) => shortened(name, 60)),
      }),
      ...(monitor.childrenIDs.length > 0 && { children: monitor.childrenIDs.length }),
      ...(certificate && {
        certificate: {
          valid: certificate.valid,
          days: certificate.days,
          ...(certificate.until !== undefined && { until: untilOf(certificate.until) }),
          ...(certificate.subject !== undefined && { subject: shortened(certificate.subject, 100) }),
        },
      }),
    };
    return { ...besides, ...fitted(maskedSettings(raw), besides) };
  },
});

const untilOf = (text: string): string => {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? shortened(text, 40) : isoTime(ms);
};

/** Long texts are shortened, and short settings come first; what still does not fit is only named. */
function fitted(
  all: Readonly<Record<string, unknown>>,
  besides: object,
): { settings: Record<string, unknown>; more?: string } {
  const entries = Object.entries(all)
    .map(([name, value]) => [name, typeof value === 'string' ? shortened(value, MOST_TEXT) : value] as const)
    .map((entry) => ({ entry, size: JSON.stringify(entry).length }))
    .sort((a, b) => a.size - b.size)
    .map(({ entry }) => entry);
  const count = fittingItems(entries, { ...besides, more: 'x'.repeat(MOST_NAMES) });
  const left = entries.slice(count).map(([name]) => name);
  return {
    settings: Object.fromEntries(entries.slice(0, count)),
    ...(left.length > 0 && { more: shortened(`Too long to show: ${left.join(', ')}`, MOST_NAMES) }),
  };
}
