import type { DeadEvent, Gap, OutboxEvent, OutboxPlace } from './store.ts';

/** After this time a webhook that nobody configures no longer keeps events from being deleted. */
export const FORGOTTEN_MS = 7 * 86_400_000;

export interface PlaceRow {
  name: string;
  delivered_to: number;
  delivered: number;
  skipped: number;
  problem: string | null;
  problem_at: number | null;
  dead: number;
}

export interface GapRow {
  from_id: number;
  to_id: number | null;
}

export function placeOf(row: PlaceRow, gaps: readonly GapRow[]): OutboxPlace {
  return {
    webhook: row.name,
    deliveredTo: row.delivered_to,
    delivered: row.delivered,
    skipped: row.skipped,
    dead: row.dead,
    gaps: gaps.map(({ from_id, to_id }): Gap => ({ from: from_id, ...(to_id !== null && { to: to_id }) })),
    ...(row.problem !== null && {
      problem: { reason: row.problem, since: new Date(Number(row.problem_at)).toISOString() },
    }),
  };
}

export type DeadRow = OutboxEvent & {
  webhook: string;
  reason: string;
  tries: number;
  set_aside_at: number;
  again: number;
};

export function deadOf({ webhook, reason, tries, set_aside_at, again, ...event }: DeadRow): DeadEvent {
  return { webhook, event, reason, tries, setAsideAt: new Date(set_aside_at).toISOString(), again: again === 1 };
}
