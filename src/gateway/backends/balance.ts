import type { Lane } from './lane.ts';

type Balanced = Pick<Lane, 'state' | 'calls' | 'url' | 'trouble'>;

/**
 * The lane for the next call: one that works, if any does, with the fewest calls in flight. Between equals, `turn`
 * decides: with the same turn every time it is always the first.
 */
export function leastBusy<L extends Balanced>(lanes: readonly L[], turn: number): L | undefined {
  const running = lanes.filter((lane) => lane.state.state === 'running');
  const sound = running.filter((lane) => lane.trouble === undefined);
  // A starting lane serves sooner than a failed one that waits for its retry.
  const starting = lanes.filter((lane) => lane.state.state === 'starting');
  const pool = [sound, running, starting, lanes].find(({ length }) => length > 0) ?? [];
  const fewest = Math.min(...pool.map(({ calls }) => calls));
  const equals = pool.filter(({ calls }) => calls === fewest);
  return equals[turn % equals.length];
}

/** Whether a call can use it soon. */
export const isPromising = ({ state }: Balanced): boolean => state.state === 'running' || state.state === 'starting';

/** The lanes to other URLs than those already tried; other lanes, if there is one URL. */
export const untried = <L extends Balanced>(lanes: readonly L[], tried: readonly L[]): L[] =>
  lanes.filter((lane) => !tried.some((one) => one === lane || (one.url !== undefined && one.url === lane.url)));

/**
 * The URLs for a connection of one caller, best first: where the shared lanes work, then where the fewest callers are.
 * The URL that it had comes last among those that work, because it was lost there.
 */
export function urlsFor(
  { url: last }: Pick<Balanced, 'url'>,
  urls: readonly string[],
  shared: readonly Balanced[],
  owned: readonly Pick<Balanced, 'url'>[],
): string[] {
  const rank = (url: string): [broken: number, again: number, callers: number] => [
    shared.some((lane) => lane.url === url && lane.trouble === undefined && isPromising(lane)) ? 0 : 1,
    url === last ? 1 : 0,
    owned.filter((lane) => lane.url === url).length,
  ];
  const ranks = new Map(urls.map((url) => [url, rank(url)]));
  return urls.toSorted((a, b) => {
    const [x, y] = [ranks.get(a) ?? [], ranks.get(b) ?? []];
    const at = x.findIndex((value, index) => value !== y[index]);
    return at === -1 ? 0 : (x[at] as number) - (y[at] as number);
  });
}
