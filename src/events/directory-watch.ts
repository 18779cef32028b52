import { type FSWatcher, watch } from 'node:fs';

export interface DirectoryWatch extends Disposable {
  /** Watches, if it does not yet: a directory may come later. */
  ensure(): void;
}

/** Many changes at once are told once. */
const LINGER_MS = 20;

/** Tells of changes in a directory where the file system does. Network file systems are left to whoever polls. */
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
        // Not there yet, or no watches left.
      }
    },
    [Symbol.dispose]() {
      watcher?.close();
      clearTimeout(linger);
    },
  };
}
