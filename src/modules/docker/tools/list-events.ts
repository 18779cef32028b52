import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shortened } from '../../shown.ts';
import { findContainer } from '../containers.ts';
import type { Docker } from '../connection.ts';
import { lastLines } from '../last-lines.ts';
import { limitedTo } from '../limited-to.ts';
import { linesOf, pieces } from '../frames.ts';
import { unixTime } from '../log-time.ts';
import { maskedText } from '../masked.ts';
import { type Event, event } from '../shapes.ts';
import { containerInput, dockerTool } from '../tool.ts';

const MOST_READ = 16 * 1024 * 1024;
const MOST_KEPT = 500;

export const listEvents = dockerTool({
  name: 'docker_list_events',
  title: 'List events',
  description:
    'Lists what happened in Docker in a span of time, newest first: containers that were started, died or were killed, images that were pulled. Docker remembers about 1,000 events.',
  phrases:
    'docker events; what happened to the container; when did the container restart; who was oom killed; recent docker events',
  effect: 'read',
  input: z.strictObject({
    since: z.string().max(60).default('1h').describe('ISO time, or how long ago: 15m, 2h'),
    until: z.string().max(60).optional().describe('ISO time, or how long ago (now)'),
    container: containerInput.optional().describe('Only of this container'),
    type: z.enum(['container', 'image', 'network', 'volume', 'daemon']).optional(),
    action: z.string().min(1).max(60).optional().describe('Only this action, e.g. die, oom, health_status'),
  }),
  output: z.object({
    events: z.array(
      z.object({
        time: z.string(),
        type: z.string(),
        action: z.string(),
        name: z.string().optional(),
        image: z.string().optional(),
        exit_code: z.int().optional(),
      }),
    ),
    more: z.int().optional().describe('Older ones that do not fit: narrow since, until or a filter'),
  }),
  async run({ since, until, container, type, action }, docker, { signal }) {
    const now = Date.now();
    const from = unixTime(since, now);
    // An end in the past makes Docker answer at once. Podman leaves out events if the end is this very second.
    const to = until === undefined ? String(Math.floor(now / 1000) + 1) : unixTime(until, now);
    if (Number(from) >= Number(to)) throw new AppError('invalid_input', 'since must be before until.');
    if (Number(to) > now / 1000 + 1)
      throw new AppError('invalid_input', 'until must not be in the future: this lists what has happened.');
    const found = container === undefined ? undefined : await findContainer(docker, container, signal);
    const filters = JSON.stringify({
      ...(found && { container: [found.id] }),
      ...(type !== undefined && { type: [type] }),
    });
    const body = await docker.stream('/events', { query: { since: from, until: to, filters }, signal });
    const last = lastLines<Event>(MOST_KEPT);
    let count = 0;
    for await (const line of linesOf(pieces(limitedTo(body, MOST_READ).bytes, true))) {
      const one = parsed(line.text);
      if (!one || !isVisible(docker, one) || (action !== undefined && one.Action.split(':')[0] !== action)) continue;
      last.add(one);
      count += 1;
    }
    const events = last.lines().toReversed().map(shownEvent);
    const fits = events.length === 0 ? 0 : fittingItems(events);
    return { events: events.slice(0, fits), ...(fits < count && { more: count - fits }) };
  },
});

function parsed(line: string): Event | undefined {
  try {
    return event.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

const attributesOf = ({ Actor }: Event): Map<string, string> => new Map(Object.entries(Actor?.Attributes ?? {}));

/** Events are about containers, images, networks and volumes: the allow-lists hold for them, too. */
function isVisible({ reach }: Docker, one: Event): boolean {
  const attributes = attributesOf(one);
  const name = attributes.get('name') ?? '';
  switch (one.Type) {
    case 'container':
      return reach.hasContainer({ name, labels: one.Actor?.Attributes ?? {} });
    case 'image':
      return name === '' ? !reach.lists.images : reach.images.has(name);
    case 'network':
      return reach.networks.has(name);
    case 'volume':
      return reach.volumes.has(one.Actor?.ID || name);
    default:
      return true;
  }
}

function shownEvent(one: Event) {
  const attributes = attributesOf(one);
  const name = attributes.get('name') || one.Actor?.ID;
  const exit = Number(attributes.get('exitCode') ?? attributes.get('containerExitCode') ?? Number.NaN);
  const image = one.Type === 'container' ? attributes.get('image') : undefined;
  return {
    time: new Date(one.timeNano ? one.timeNano / 1e6 : one.time * 1000).toISOString(),
    type: one.Type,
    // exec_create has the command line in its name.
    action: shortened(maskedText(one.Action), 200),
    ...(name && { name: name.slice(0, 200) }),
    ...(image && { image: image.slice(0, 200) }),
    ...(Number.isInteger(exit) && one.Action.startsWith('die') && { exit_code: exit }),
  };
}
