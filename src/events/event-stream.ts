import type { EventFilter, StoredEvent } from '../store/store.ts';
import { type FollowDeps, followEvents } from './follow.ts';

export interface StreamSettings {
  /** How often to send a comment to keep proxies from closing the stream, and to check for slow readers. */
  heartbeatMs?: number;
  /** How long a reader may stall before the stream ends. */
  patienceMs?: number;
  /** How long a stream lasts. The client then reconnects and has to authenticate again. */
  lifetimeMs?: number;
  /** Called once, for whatever reason the stream ended. */
  onEnd?(): void;
}

const QUEUE_BYTES = 64 * 1024;
const STOPPING = 'The gateway is stopping. Connect again.';

/** Events as server-sent events. A client resumes from the last `id`; the final event says why the stream ended. */
export function eventStream(
  deps: FollowDeps,
  filter: EventFilter,
  after: number | undefined,
  signal: AbortSignal,
  { heartbeatMs = 15_000, patienceMs = 60_000, lifetimeMs = 10 * 60_000, onEnd }: StreamSettings = {},
): ReadableStream<Uint8Array> {
  const text = new TextEncoder();
  const gone = new AbortController();
  const ended = AbortSignal.any([signal, gone.signal]);
  const batches = followEvents(deps, filter, after, ended);
  const opened = Date.now();
  let movedOn = opened;
  let timer: NodeJS.Timeout | undefined;

  function end(controller: ReadableStreamDefaultController<Uint8Array>, reason: string): void {
    if (gone.signal.aborted) return;
    stop();
    controller.enqueue(text.encode(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`));
    controller.close();
  }

  function stop(): void {
    if (gone.signal.aborted) return;
    clearInterval(timer);
    gone.abort();
    // The generator may be paused between two batches, where only this ends it and removes its store listener.
    batches.return().catch(() => {});
    onEnd?.();
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (signal.aborted) return end(controller, STOPPING);
        // The first byte tells the client that it is connected.
        controller.enqueue(text.encode(': connected\n\n'));
        signal.addEventListener('abort', () => end(controller, STOPPING), { once: true, signal: gone.signal });
        timer = setInterval(() => {
          if (Date.now() - opened >= lifetimeMs)
            return end(controller, 'This stream reached its maximum age. Connect again.');
          if ((controller.desiredSize ?? 0) > 0) {
            movedOn = Date.now();
            controller.enqueue(text.encode(': alive\n\n'));
          } else if (Date.now() - movedOn >= patienceMs) {
            end(controller, 'You read too slowly. Connect again with Last-Event-ID; no event is lost.');
          }
        }, heartbeatMs).unref();
      },
      async pull(controller) {
        movedOn = Date.now();
        try {
          const { value, done } = await batches.next();
          if (gone.signal.aborted) return;
          if (done) return end(controller, STOPPING);
          controller.enqueue(text.encode(value.events.map(lineOf).join('')));
        } catch {
          end(controller, 'Sluice cannot read the events right now. Connect again.');
        }
      },
      cancel: stop,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: QUEUE_BYTES }),
  );
}

function lineOf({ id, ...event }: StoredEvent): string {
  return `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`;
}
