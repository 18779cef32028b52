import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Failed } from '../../console/client/api.ts';
import { count } from '../../console/client/ui/ago.tsx';
import { say } from '../../console/client/ui/notice.tsx';
import { collect, type Format, MOST_EXPORTED } from './exporting.ts';

/** Saves what the filters select as a file. */
export function Export({ filter }: { filter: string }) {
  const running = useRef<AbortController | undefined>(undefined);
  const done = useSignal<number | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function save(format: Format): Promise<void> {
    const mine = new AbortController();
    running.current = mine;
    done.value = 0;
    try {
      const { blob, events, isWhole } = await collect(filter, format, (got) => (done.value = got), mine.signal);
      if (mine.signal.aborted) return;
      download(blob, `sluice-events-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.${format}`);
      say(
        isWhole
          ? `Saved ${count(events)} events.`
          : `Saved the newest ${count(events)} events: a file has at most ${count(MOST_EXPORTED)}, and 250 MB. For older ones, filter by time.`,
      );
    } catch (error) {
      if (mine.signal.aborted) return;
      if (!(error instanceof Failed)) throw error;
      say(`Nothing was saved. ${error.message}`, true);
    } finally {
      if (running.current === mine) done.value = undefined;
    }
  }

  if (done.value !== undefined)
    return (
      <span role="status">
        {count(done.value)} events …{' '}
        <button
          type="button"
          onClick={() => {
            running.current?.abort();
            done.value = undefined;
          }}
        >
          Stop
        </button>
      </span>
    );
  return (
    <>
      <button type="button" onClick={() => void save('csv')}>
        Save as CSV
      </button>
      <button type="button" onClick={() => void save('jsonl')} title="One event per line, as sluice events --json">
        Save as JSON
      </button>
    </>
  );
}

function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
