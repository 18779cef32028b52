import { isOpen } from '../runs/run.ts';
import type { RunView } from '../service/run-view.ts';

export interface RunStreamOptions {
  /** The first snapshot. */
  readonly first: RunView;
  view(): Promise<RunView>;
  /** Settles when something may have changed. */
  changed(signal: AbortSignal): Promise<void>;
  /** Ends the stream; the run goes on. */
  readonly signal: AbortSignal;
  /** Called once, for whatever reason the stream ended. */
  onEnd?(): void;
  heartbeatMs?: number;
  /** How long a stream lasts. The client then connects again and has to authenticate again. */
  lifetimeMs?: number;
}

/** The id of the last event. A client that comes back with it has seen the end. */
export const LAST_ID = 'end';

const STOPPING = 'The gateway is stopping. Connect again.';

/** A run as server-sent events: how it is now, then each change, until it has ended. A slow reader misses what is outdated. */
export function runStream(options: RunStreamOptions): ReadableStream<Uint8Array> {
  const { signal, heartbeatMs = 15_000, lifetimeMs = 10 * 60_000 } = options;
  const text = new TextEncoder();
  const gone = new AbortController();
  const ended = AbortSignal.any([signal, gone.signal]);
  const opened = Date.now();
  let timer: NodeJS.Timeout | undefined;
  let next: RunView | undefined = options.first;
  let told = '';
  let count = 0;

  function stop(): void {
    if (gone.signal.aborted) return;
    clearInterval(timer);
    gone.abort();
    options.onEnd?.();
  }

  function end(controller: ReadableStreamDefaultController<Uint8Array>, data: object, id = ''): void {
    if (gone.signal.aborted) return;
    stop();
    controller.enqueue(text.encode(`${id}event: end\ndata: ${JSON.stringify(data)}\n\n`));
    controller.close();
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (signal.aborted) return end(controller, { reason: STOPPING });
      signal.addEventListener('abort', () => end(controller, { reason: STOPPING }), {
        once: true,
        signal: gone.signal,
      });
      timer = setInterval(() => {
        if (Date.now() - opened >= lifetimeMs)
          end(controller, { reason: 'This stream reached its maximum age. Connect again.' });
        else if ((controller.desiredSize ?? 0) > 0) controller.enqueue(text.encode(': alive\n\n'));
      }, heartbeatMs).unref();
    },
    async pull(controller) {
      try {
        while (!gone.signal.aborted) {
          const view = next ?? (await options.view());
          next = undefined;
          const data = JSON.stringify(view);
          const isNew = data !== told;
          if (gone.signal.aborted) return;
          if (isNew) controller.enqueue(text.encode(`id: ${++count}\nevent: status\ndata: ${data}\n\n`));
          told = data;
          if (!isOpen(view.state)) return end(controller, { state: view.state }, `id: ${LAST_ID}\n`);
          if (isNew) return;
          await options.changed(ended);
        }
      } catch {
        end(controller, { reason: 'Sluice cannot read the run right now. Connect again.' });
      }
    },
    cancel: stop,
  });
}
