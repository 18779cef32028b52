import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import type { EventFilter, Events } from '../store/store.ts';
import { askedEvents } from './asked-events.ts';
import { type FollowDeps, followEvents } from './follow.ts';

/** The events a command wants to see. */
export interface FeedWish {
  /** The same parameters as the query of GET /api/v1/events. */
  readonly filter: Readonly<Record<string, string>>;
  /** Send events after this id; 0 sends everything. */
  readonly after?: number;
  /** Send this many of the newest events; used when `after` is not set. */
  readonly last?: number;
  /** Whether to continue with new events as they happen. */
  readonly live: boolean;
}

const wishes = z.strictObject({
  filter: z.record(z.string(), z.string()),
  after: z.int().min(0).optional(),
  last: z.int().min(1).max(1000).optional(),
  live: z.boolean(),
});

export interface FeedDeps extends FollowDeps {
  readonly store: { readonly events: Pick<Events, 'query' | 'follow' | 'span'> };
}

/** Events for another command of the same user, one JSON object per line. The first line holds the start position. */
export async function* eventFeed(deps: FeedDeps, wish: unknown, signal: AbortSignal): AsyncGenerator<string> {
  const parsed = wishes.safeParse(wish);
  if (!parsed.success) throw new AppError('unsupported', 'The running gateway has another version. Restart it.');
  const { filter: asked, last, live } = parsed.data;
  const { limit: _, order: __, cursor: ___, ...filter } = askedEvents(asked);
  const after = parsed.data.after ?? (await beginning(deps, filter, last));
  yield `${JSON.stringify({ position: after })}\n`;
  for await (const { events } of followEvents(deps, filter, after, signal, live)) {
    yield events.map((event) => `${JSON.stringify(event)}\n`).join('');
  }
}

async function beginning({ store }: FeedDeps, filter: EventFilter, last: number | undefined): Promise<number> {
  const first = last && (await store.events.query({ ...filter, limit: last })).events.at(-1);
  return first ? first.id - 1 : ((await store.events.span())?.last ?? 0);
}
