import { useEffect } from 'preact/hooks';
import { ask, Failed } from '../../console/client/api.ts';
import { createLines } from '../../console/client/sse.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;
/** A run with hundreds of items changes many times a second. */
const CALM_MS = 300;

/** Calls back when something about the run may have changed, as long as `isOpen` and somebody looks. */
export function useRunChanges(run: string, isOpen: boolean, onChange: () => Promise<void>): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    // Browsers keep few connections to one address: a hidden page gives its own back.
    let following: AbortController | undefined;
    const seen = () => {
      following?.abort();
      following = document.hidden ? undefined : new AbortController();
      if (following) void follow(run, calmly(onChange), following.signal);
    };
    seen();
    document.addEventListener('visibilitychange', seen);
    return () => {
      document.removeEventListener('visibilitychange', seen);
      following?.abort();
    };
  }, [run, isOpen]);
}

/** At most now and then, and once more after the last change. */
function calmly(run: () => Promise<void>): () => void {
  let isBusy = false;
  let isWanted = false;
  const go = async () => {
    isBusy = true;
    while (isWanted) {
      isWanted = false;
      await run();
      await new Promise((done) => setTimeout(done, CALM_MS));
    }
    isBusy = false;
  };
  return () => {
    isWanted = true;
    if (!isBusy) void go();
  };
}

async function follow(run: string, changed: () => void, signal: AbortSignal): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      await read(run, changed, signal);
      pause = FIRST_PAUSE_MS;
    } catch (error) {
      if (signal.aborted) return;
      // The run is gone, or nobody may see it: its page says so.
      if (error instanceof Failed && [401, 403, 404].includes(error.status)) return changed();
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
    }
    await new Promise((done) => setTimeout(done, pause));
  }
}

async function read(run: string, changed: () => void, signal: AbortSignal): Promise<void> {
  const headers = { accept: 'text/event-stream' };
  const response = await ask(`api/v1/blueprint-runs/${encodeURIComponent(run)}/events`, { headers, signal });
  if (!response.ok || !response.body)
    throw new Failed(await response.text(), { code: 'failed', status: response.status });
  const lines = createLines(({ event }) => {
    if (event === 'status' || event === 'end') changed();
  });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    lines(decoder.decode(value, { stream: true }));
  }
}
