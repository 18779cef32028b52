import { type Beat, beatsAnswer, beatsIn } from './answers.ts';
import type { Kuma } from './connection.ts';

const PAGE = 200;
const MOST = 2000;

/**
 * Heartbeats with which the state of monitors changed, newest first, back to `since` or to the 2,000th. 1.23 sends them
 * unasked; newer versions are asked.
 */
export async function changesSince(
  kuma: Kuma,
  {
    monitor,
    since,
    signal,
  }: { readonly monitor?: number | undefined; readonly since: number; readonly signal: AbortSignal },
): Promise<{ readonly beats: Beat[]; readonly cut: boolean }> {
  if (kuma.isOld) {
    const kept =
      monitor === undefined ? [...kuma.pushed.changes.values()].flat() : (kuma.pushed.changes.get(monitor) ?? []);
    return { beats: kept.filter(({ at }) => at >= since).sort((a, b) => b.at - a.at), cut: false };
  }
  const beats: Beat[] = [];
  while (beats.length < MOST) {
    const page = await changesPage(kuma, monitor, beats.length, PAGE, signal);
    beats.push(...page);
    if (page.length < PAGE || (page.at(-1)?.at ?? 0) < since)
      return { beats: beats.filter(({ at }) => at >= since), cut: false };
  }
  return { beats, cut: true };
}

/** The last change of a monitor, whenever it was. */
export async function lastChange(kuma: Kuma, monitor: number, signal: AbortSignal): Promise<Beat | undefined> {
  if (kuma.isOld) return kuma.pushed.changes.get(monitor)?.[0];
  return (await changesPage(kuma, monitor, 0, 1, signal))[0];
}

async function changesPage(
  kuma: Kuma,
  monitor: number | undefined,
  offset: number,
  count: number,
  signal: AbortSignal,
): Promise<Beat[]> {
  const args = [monitor ?? null, offset, count];
  const { data } = await kuma.ask(beatsAnswer, 'monitorImportantHeartbeatListPaged', args, signal);
  return beatsIn(data);
}
