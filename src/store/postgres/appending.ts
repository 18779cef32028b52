import { randomUUID } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import type { RecordedEvent } from '../../kernel/events.ts';
import type { Events } from '../store.ts';
import type { Session } from './connection.ts';
import { isLost } from './errors.ts';
import { appendTo, batchOf } from './event-batch.ts';

/**
 * Appends events once each. If the connection breaks before the answer, nobody knows whether they were stored: the same
 * events go out again under the same token, alone, when they are handed in again.
 */
export function appending(session: Pick<Session, 'change'>): Events['append'] {
  let uncertain: { readonly events: readonly RecordedEvent[]; readonly token: string } | undefined;

  async function send(events: readonly RecordedEvent[], token: string): Promise<void> {
    if (events.length === 0) return;
    const batch = batchOf(events);
    try {
      await appendTo(session, batch, token);
    } catch (error) {
      if (error instanceof AppError && isLost(error.cause)) uncertain = { events: [...events], token };
      throw error;
    }
  }

  return async (events) => {
    let rest = events;
    const before = uncertain;
    uncertain = undefined;
    if (before?.events.every((event, index) => event === events[index])) {
      await send(before.events, before.token);
      rest = events.slice(before.events.length);
    }
    await send(rest, randomUUID());
  };
}
