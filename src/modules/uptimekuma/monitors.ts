import { AppError } from '../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { Monitor } from './answers.ts';
import type { Kuma } from './connection.ts';
import type { Pushed } from './pushed.ts';

export const STATES = ['up', 'down', 'pending', 'maintenance', 'paused'] as const;
export type State = (typeof STATES)[number];

/** `pending` also if it was never checked. */
export function stateOf({ id, active, maintenance }: Monitor, { lastBeats }: Pick<Pushed, 'lastBeats'>): State {
  if (!active) return 'paused';
  if (maintenance) return 'maintenance';
  return lastBeats.get(id)?.status ?? 'pending';
}

/** The monitors in reach, by name. */
export const monitorsOf = ({ pushed, reach }: Kuma): Monitor[] =>
  [...pushed.monitors.values()]
    .filter((monitor) => reach.has(monitor))
    .sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id);

const MOST_SHOWN = 5;

/** The monitor that is meant by an id or a name. */
export function monitorNamed(kuma: Kuma, given: string | number): Monitor {
  const all = [...kuma.pushed.monitors.values()];
  const byId = /^\d+$/.test(String(given)) ? kuma.pushed.monitors.get(Number(given)) : undefined;
  const named = (test: (name: string) => boolean) =>
    all.filter(({ name, pathName }) => test(name) || test(pathName ?? ''));
  const folded = String(given).toLowerCase();
  const found = byId
    ? [byId]
    : ([named((name) => name === given), named((name) => name.toLowerCase() === folded)].find(
        (some) => some.length > 0,
      ) ?? []);
  const [first, ...others] = found;
  if (!first) throw unknown(kuma, String(given));
  if (others.length > 0) {
    const inReach = found.filter((monitor) => kuma.reach.has(monitor));
    if (inReach.length === 0) kuma.reach.need(first);
    if (inReach.length === 1) return inReach[0] as Monitor;
    const ids = inReach.slice(0, MOST_SHOWN).map(({ id, type }) => `${id} (${type})`);
    throw new AppError(
      'invalid_input',
      `${inReach.length} monitors are called "${shown(String(given))}". Use an id: ${ids.join(', ')}${inReach.length > MOST_SHOWN ? ', …' : ''}.`,
    );
  }
  kuma.reach.need(first);
  return first;
}

function unknown(kuma: Kuma, given: string): AppError {
  const near = nearestNames(
    given,
    monitorsOf(kuma).map(({ name }) => name),
  );
  return new AppError(
    'not_found',
    `There is no monitor "${shown(given)}". ${didYouMean(inQuotes(near), 'uptimekuma_list_monitors shows them.')}`,
  );
}

/** The monitors of a group and of the groups in it. */
export function membersOf({ pushed }: Kuma, { id }: Pick<Monitor, 'id'>): Monitor[] {
  const seen = new Set<number>([id]);
  const open = [id];
  const members: Monitor[] = [];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop())
    for (const monitor of pushed.monitors.values()) {
      if (monitor.parent !== parent || seen.has(monitor.id)) continue;
      seen.add(monitor.id);
      members.push(monitor);
      open.push(monitor.id);
    }
  return members;
}

/** What it looks at, for messages and lists. */
export function targetOf({
  type,
  url,
  hostname,
  port,
}: Pick<Monitor, 'type' | 'url' | 'hostname' | 'port'>): string | undefined {
  if (WITH_URL.has(type)) return url ?? undefined;
  if (!hostname) return undefined;
  return type === 'port' && port ? `${hostname}:${port}` : hostname;
}

/** Others keep the address of a form that was never filled in, such as `https://`. */
const WITH_URL = new Set(['http', 'keyword', 'json-query', 'real-browser', 'websocket-upgrade']);

/** A group to put a monitor into. */
export function groupNamed(kuma: Kuma, given: string | number): Monitor {
  const group = monitorNamed(kuma, given);
  if (group.type === 'group') return group;
  throw new AppError(
    'invalid_input',
    `"${shown(group.name)}" is a monitor of the type ${group.type}, not a group. uptimekuma_list_monitors with type group shows groups.`,
  );
}
