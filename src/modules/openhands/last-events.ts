import { eventPage } from './answers.ts';
import type { OpenHands } from './connection.ts';
import { readable } from './readable.ts';

const FEW = 5;

/** What happened last, the newest first. */
export async function lastEvents(openhands: OpenHands, id: string, signal: AbortSignal) {
  const { items } = await openhands.ask(eventPage, ['conversation', id, 'events', 'search'], {
    query: { sort_order: 'TIMESTAMP_DESC', limit: 30 },
    signal,
  });
  return items.flatMap((event) => readable(event, 1000) ?? []).slice(0, FEW);
}
