import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import type { EventFilter, Events } from '../store/store.ts';
import { askedEvents } from './asked-events.ts';
import { type FollowDeps, followEvents } from './follow.ts';

/** What a command wants to see. */
export interface FeedWish {
  /** As in the query of GET /api/v1/events. */
  readonly filter: Readonly<Record<string, string>>;
  /** The id to go on after; 0 for everything there is. */
  readonly after?: number;
  /** Instead: the last so many there are. */
  readonly last?: number;
  /** Whether to go on with what happens from then on. */
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

/** Events for another command of the same user, each a line of JSON; the first line says where they begin. */
export async function* eventFeed(deps: FeedDeps, wish: unknown, signal: AbortSignal): AsyncGenerator<string> {
  const parsed = wishes.safeParse(wish);
  if (!parsed.success) throw new AppError('unsupported', 'The gateway that runs is of another version: restart it.');
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
