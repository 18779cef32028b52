import type { OutboxPlace } from './store.ts';

/** How many events a webhook still has to get if `lastId` is the newest event. */
export function waitingIn({ deliveredTo, gaps }: Pick<OutboxPlace, 'deliveredTo' | 'gaps'>, lastId: number): number {
  const skipped = gaps.reduce((sum, { from, to = lastId }) => sum + Math.max(0, to - from), 0);
  return Math.max(0, lastId - deliveredTo - skipped);
}
