import { type FSWatcher, watch } from 'node:fs';

export interface DirectoryWatch extends Disposable {
  /** Starts watching if it does not watch yet. Call it again later: the directory may not exist yet. */
  ensure(): void;
}

/** Reports a burst of changes once. */
const LINGER_MS = 20;

/**
 * Reports changes in a directory, where the file system supports it. On network file systems the caller has to poll.
 */
export function createDirectoryWatch(directory: string, onChange: () => void): DirectoryWatch {
  let watcher: FSWatcher | undefined;
  let linger: NodeJS.Timeout | undefined;

  function changed(): void {
    linger ??= setTimeout(() => {
      linger = undefined;
      onChange();
    }, LINGER_MS).unref();
  }

  return {
    ensure() {
      if (watcher) return;
      try {
        const made = watch(directory, { persistent: false }, changed);
        made.on('error', () => {
          made.close();
          watcher = undefined;
        });
        watcher = made;
      } catch {
        // The directory does not exist yet, or the system has no watches left.
      }
    },
    [Symbol.dispose]() {
      watcher?.close();
      clearTimeout(linger);
    },
  };
}
