import { expect } from 'vitest';
import { type Json, modern } from '../integration/harness.ts';
import { type EventStream, openEvents } from './event-stream.ts';
import { sessionOf } from './exchange.ts';

export type ListKind = 'tools' | 'prompts' | 'resources';

/** Somebody who waits for notices: the standing stream of a 2025 session, or a `subscriptions/listen` of 2026. */
export interface Listening extends Disposable {
  readonly stream: EventStream;
  /** Headers of its session; empty in 2026. */
  readonly session: Record<string, string>;
  /** What came so far does not count any more. */
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
 * Waits until changes get all the way through, and forgets what came until then. The first notice may be that of the
 * start; a second one shows that the backend is heard.
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
