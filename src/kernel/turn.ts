import { once } from 'node:events';
import type { Shared } from './shared.ts';

/** Whether it is this process's turn to do something that only one replica does at a time. */
export interface Turn extends AsyncDisposable {
  isOurs(): boolean;
}

/** Takes part in the lease of a task. `changed` is called when our turn begins and when it ends; its end is awaited. */
export function createTurn(
  shared: Pick<Shared, 'lead'>,
  task: string,
  changed: () => void | Promise<void> = () => {},
): Turn {
  let ours = false;
  const lead = shared.lead(task, async (signal) => {
    ours = true;
    try {
      await changed();
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      ours = false;
      await changed();
    }
  });
  return {
    isOurs: () => ours,
    [Symbol.asyncDispose]: () => lead[Symbol.asyncDispose](),
  };
}
