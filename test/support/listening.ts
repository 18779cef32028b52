import { expect } from 'vitest';
import { type Json, modern } from '../integration/harness.ts';
import { type EventStream, openEvents } from './event-stream.ts';
import { sessionOf } from './exchange.ts';

export type ListKind = 'tools' | 'prompts' | 'resources';

/** A client that waits for notifications: the standing stream of a 2025 session, or a `subscriptions/listen` of 2026. */
export interface Listening extends Disposable {
  readonly stream: EventStream;
  /** Headers of its session; empty in 2026. */
  readonly session: Record<string, string>;
  /** Forgets what arrived so far. */
  forget(): void;
  notices(method: string): Json[];
  listChanges(kind: ListKind): number;
  updates(): string[];
}

export async function listen(
  url: string,
  era: 'legacy' | 'modern',
  options: { filter?: Json; headers?: Record<string, string> } = {},
): Promise<Listening> {
  const { filter = everyList, headers = {} } = options;
  if (era === 'legacy') {
    const session = await sessionOf(url, headers);
    return listening(await openEvents(url, { headers: session }), session);
  }
  const request = modern('subscriptions/listen', { notifications: filter });
  const stream = await openEvents(url, { headers: { ...headers, ...request.headers }, body: request.body });
  return listening(stream, {});
}

/**
 * Waits until changes arrive, and forgets everything until then. The first notification may come from the start; a
 * second one proves that the gateway listens to the backend.
 */
export async function warm(listener: Listening, change: () => Promise<unknown>): Promise<void> {
  await expect
    .poll(async () => {
      await change();
      return listener.listChanges('resources');
    })
    .toBeGreaterThan(1);
  listener.forget();
}

const everyList = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

function listening(stream: EventStream, session: Record<string, string>): Listening {
  let forgotten = 0;
  const notices = (method: string) =>
    stream
      .messages()
      .slice(forgotten)
      .filter((message) => message.method === method);
  return {
    stream,
    session,
    forget() {
      forgotten = stream.messages().length;
    },
    notices,
    listChanges: (kind) => notices(`notifications/${kind}/list_changed`).length,
    updates: () => notices('notifications/resources/updated').map(({ params }) => String((params as Json).uri)),
    [Symbol.dispose]: () => stream.close(),
  };
}
