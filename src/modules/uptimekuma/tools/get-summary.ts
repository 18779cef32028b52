import { z } from 'zod';
import { sentences } from '../../../kernel/nearest-names.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { lastChange } from '../changes.ts';
import { monitorsOf, STATES, stateOf } from '../monitors.ts';
import { isoTime, messageShown, uptimekumaTool } from '../tool.ts';
import { shortened } from '../../shown.ts';

const MOST = 20;
const MOST_CERTIFICATES = 6;

export const getSummary = uptimekumaTool({
  name: 'uptimekuma_get_summary',
  title: 'Summary',
  description:
    'How many monitors are up, down or paused; what is down, since when and why; certificates that expire soon.',
  phrases: 'is everything up; what is down right now; status overview of all services; which certificates expire soon',
  effect: 'read',
  input: z.strictObject({
    certificate_days: z.int().min(1).max(400).default(21).describe('Certificates that expire within these days'),
  }),
  output: z.object({
    version: z.string().optional(),
    monitors: z.int(),
    states: z.record(z.string(), z.int()),
    down: z.array(
      z.object({ id: z.int(), name: z.string(), since: z.string().optional(), message: z.string().optional() }),
    ),
    certificates: z.array(z.object({ id: z.int(), name: z.string(), days: z.number(), until: z.string().optional() })),
    more: z.string().optional().describe('What is not shown'),
  }),
  async run({ certificate_days }, kuma, { signal }) {
    const { pushed } = kuma;
    const monitors = monitorsOf(kuma);
    const down = monitors.filter((monitor) => stateOf(monitor, pushed) === 'down');
    const expiring = monitors
      .filter(({ active }) => active)
      .flatMap(({ id, name }) => {
        const certificate = pushed.certificates.get(id);
        return certificate && certificate.days <= certificate_days
          ? [{ id, name: shortened(name, 60), ...certificate }]
          : [];
      })
      .sort((a, b) => a.days - b.days);
    const shownDown = await Promise.all(
      down.slice(0, MOST).map(async ({ id, name }) => {
        const change = await lastChange(kuma, id, signal);
        const message = pushed.lastBeats.get(id)?.message;
        return {
          id,
          name: shortened(name, 100),
          ...(change?.status === 'down' && { since: isoTime(change.at) }),
          ...(message && { message: messageShown(message, 100) }),
        };
      }),
    );
    const besides = {
      ...(pushed.version !== undefined && { version: pushed.version }),
      monitors: monitors.length,
      states: Object.fromEntries(
        STATES.map((state) => [state, monitors.filter((one) => stateOf(one, pushed) === state).length]),
      ),
      certificates: expiring.slice(0, MOST_CERTIFICATES).map(({ id, name, days, until }) => ({
        id,
        name,
        days,
        ...(until !== undefined && { until: shortened(until, 40) }),
      })),
    };
    const fitting = shownDown.slice(0, fittingItems(shownDown, { ...besides, more: 'x'.repeat(150) }));
    const moreDown = down.length - fitting.length;
    const moreCertificates = expiring.length - besides.certificates.length;
    const more = sentences(
      moreDown > 0 ? `${moreDown} more are down: uptimekuma_list_monitors with status down shows them.` : '',
      moreCertificates > 0 ? `${moreCertificates} more certificates expire.` : '',
    );
    return { ...besides, down: fitting, ...(more !== '' && { more }) };
  },
});
