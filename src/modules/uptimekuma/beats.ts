import type { Beat } from './answers.ts';

/** A time during which a monitor was down. */
export interface Outage {
  readonly from: number;
  /** Undefined if it still is. */
  readonly to?: number;
  /** What the check said first. */
  readonly reason: string;
}

/** The outages in the heartbeats of one monitor, oldest first. The heartbeats must be in the order of time. */
export function outagesIn(beats: readonly Beat[]): Outage[] {
  const outages: Outage[] = [];
  let open: Outage | undefined;
  for (const { status, at, message } of beats) {
    if (status === 'down') open ??= { from: at, reason: message };
    // A pending heartbeat is a check that is repeated before anything is certain.
    if (!open || status === 'down' || status === 'pending') continue;
    outages.push({ ...open, to: at });
    open = undefined;
  }
  return open ? [...outages, open] : outages;
}

export interface Totals {
  readonly beats: number;
  readonly down: number;
  /** From 0 to 1, as Uptime Kuma counts: maintenance is up, pending is down. */
  readonly uptime?: number;
  readonly ping?: { readonly min: number; readonly avg: number; readonly max: number };
}

export function totalsOf(beats: readonly Beat[]): Totals {
  const is = (...statuses: readonly Beat['status'][]) => beats.filter(({ status }) => statuses.includes(status)).length;
  const pings = beats.flatMap(({ ping }) => ping ?? []);
  return {
    beats: beats.length,
    down: is('down'),
    ...(beats.length > 0 && { uptime: is('up', 'maintenance') / beats.length }),
    ...(pings.length > 0 && {
      ping: {
        min: pings.reduce((a, b) => Math.min(a, b)),
        avg: Math.round(pings.reduce((a, b) => a + b, 0) / pings.length),
        max: pings.reduce((a, b) => Math.max(a, b)),
      },
    }),
  };
}
