import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { beatsAnswer, beatsIn } from '../answers.ts';
import { outagesIn, totalsOf } from '../beats.ts';
import { monitorNamed, stateOf } from '../monitors.ts';
import { plotOf } from '../plot.ts';
import { isoTime, messageShown, monitorInput, percent, stateOutput, uptimekumaTool } from '../tool.ts';
import { shortened } from '../../shown.ts';

const HOUR = 3_600_000;
const MOST_BEATS = 60_000;
const MOST_OUTAGES = 20;
const MOST_LAST = 3;

export const getHeartbeats = uptimekumaTool({
  name: 'uptimekuma_get_heartbeats',
  title: 'Get heartbeats',
  description:
    'Shows the checks of a monitor over some hours: a plot of response times, uptime, ping and outages. In the plot x is down, ~ pending, m maintenance, a space no check.',
  phrases:
    'plot the response time of a site; was it down last night; heartbeats of a monitor; uptime of the last hours',
  effect: 'read',
  input: z.strictObject({
    monitor: monitorInput,
    hours: z.number().min(0.1).max(720).default(24).describe('How far back'),
  }),
  output: z.object({
    id: z.int(),
    name: z.string(),
    state: stateOutput,
    from: z.string(),
    to: z.string(),
    plot: z.string(),
    beats: z.int(),
    uptime: z.number().optional().describe('Percent of these checks'),
    ping: z.object({ min: z.number(), avg: z.number(), max: z.number() }).optional().describe('In ms'),
    outages: z.array(
      z.object({ from: z.string(), to: z.string().optional(), minutes: z.number(), reason: z.string() }),
    ),
    more_outages: z.int().optional(),
    last: z.array(
      z.object({ at: z.string(), status: z.string(), ping: z.number().optional(), message: z.string().optional() }),
    ),
  }),
  async run({ monitor: given, hours }, kuma, { signal }) {
    const monitor = monitorNamed(kuma, given);
    const expected = (hours * 3600) / Math.max(1, monitor.interval ?? 60);
    if (expected > MOST_BEATS)
      throw new AppError(
        'invalid_input',
        `In ${hours} hours this monitor makes about ${Math.round(expected)} checks, and at most ${MOST_BEATS} can be read. Ask for ${Math.floor((hours * MOST_BEATS) / expected)} hours or less. uptimekuma_list_incidents goes back further.`,
      );
    const to = Date.now();
    const from = to - hours * HOUR;
    // The server counts whole hours.
    const { data } = await kuma.ask(beatsAnswer, 'getMonitorBeats', [monitor.id, Math.ceil(hours)], signal);
    const beats = beatsIn(data).filter(({ at }) => at >= from);
    const { uptime, ping, beats: count } = totalsOf(beats);
    const outages = outagesIn(beats).toReversed();
    const besides = {
      id: monitor.id,
      name: shortened(monitor.name, 150),
      state: stateOf(monitor, kuma.pushed),
      from: isoTime(from),
      to: isoTime(to),
      plot: plotOf(beats, { from, to }),
      beats: count,
      ...(uptime !== undefined && { uptime: percent(uptime) }),
      ...(ping && { ping }),
      last: beats
        .slice(-MOST_LAST)
        .toReversed()
        .map((beat) => ({
          at: isoTime(beat.at),
          status: beat.status,
          ...(beat.ping !== undefined && { ping: beat.ping }),
          ...(beat.message !== '' && { message: messageShown(beat.message, 100) }),
        })),
    };
    const shownOutages = outages.slice(0, MOST_OUTAGES).map((outage) => ({
      from: isoTime(outage.from),
      ...(outage.to !== undefined && { to: isoTime(outage.to) }),
      minutes: minutesOf((outage.to ?? to) - outage.from),
      reason: messageShown(outage.reason, 100),
    }));
    const fitting = shownOutages.slice(0, fittingItems(shownOutages, besides));
    const left = outages.length - fitting.length;
    return { ...besides, outages: fitting, ...(left > 0 && { more_outages: left }) };
  },
});

const minutesOf = (ms: number): number => Math.round(ms / 6000) / 10;
