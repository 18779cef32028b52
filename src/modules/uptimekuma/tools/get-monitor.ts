import { z } from 'zod';
import { maskedSettings } from '../masked.ts';
import { monitorNamed } from '../monitors.ts';
import { isoTime, monitorInput, monitorOutput, shownMonitor, uptimekumaTool } from '../tool.ts';
import { readMonitor } from '../read-monitor.ts';
import { shortened } from '../../shown.ts';

const MOST_TEXT = 300;
const MOST_SETTINGS = 2200;

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
    const { settings, left } = fitted(maskedSettings(raw));
    const certificate = kuma.pushed.certificates.get(monitor.id);
    const ids = new Set(Object.keys((raw.notificationIDList as object | undefined) ?? {}));
    const notifications = kuma.pushed.notifications.filter(({ id }) => ids.has(String(id)));
    return {
      monitor: shownMonitor(kuma, monitor),
      settings,
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
      ...(left.length > 0 && { more: shortened(`Too long to show: ${left.join(', ')}`, 300) }),
    };
  },
});

const untilOf = (text: string): string => {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? shortened(text, 40) : isoTime(ms);
};

/** Long texts are shortened; what still does not fit is only named. */
function fitted(all: Readonly<Record<string, unknown>>): { settings: Record<string, unknown>; left: string[] } {
  let room = MOST_SETTINGS;
  const left: string[] = [];
  const kept = Object.entries(all).flatMap(([name, value]) => {
    const short = typeof value === 'string' ? shortened(value, MOST_TEXT) : value;
    const size = Buffer.byteLength(JSON.stringify([name, short]));
    if (size > room) {
      left.push(name);
      return [];
    }
    room -= size;
    return [[name, short] as const];
  });
  return { settings: Object.fromEntries(kept), left };
}
