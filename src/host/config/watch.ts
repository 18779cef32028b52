import { createHash } from 'node:crypto';
import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const SETTLE_MS = 100;
const POLL_MS = 1_000;

export interface ConfigWatch extends AsyncDisposable {
  /** Loads the configuration again though no file changed: something that it refers to did. */
  again(): void;
}

/**
 * Reloads whenever the content of one of `paths` changes: a write in place, an editor's rename, a ConfigMap's symlink
 * swap, deletion or creation. One change gives exactly one callback. Call it right after the first load. `load` should
 * name the file found then, so that deleting it is rejected instead of read as a configuration without servers.
 * `pathsOf` says which files the newest configuration consists of, if that can change.
 */
export function watchConfig<L>(
  load: () => Promise<L>,
  first: readonly string[],
  onLoaded: (loaded: L) => void | Promise<void>,
  onRejected: (error: unknown) => void | Promise<void>,
  pathsOf: (outcome: Outcome<L>) => readonly string[] | undefined = () => undefined,
): ConfigWatch {
  const stop = new AbortController();
  let paths = distinct(first);
  let known = paths.map(contentNow).join('\n');
  let round: Promise<void> | undefined;
  let again = false;
  let forced = false;

  function notice(): void {
    if (stop.signal.aborted) return;
    again = true;
    round ??= settle().finally(() => {
      round = undefined;
    });
  }

  async function settle(): Promise<void> {
    while (again && !stop.signal.aborted) {
      again = false;
      await check();
    }
  }

  async function check(): Promise<void> {
    const content = await settledContent();
    if (content === undefined || (content === known && !forced)) return;
    forced = false;
    let outcome: Outcome<L>;
    try {
      outcome = { loaded: await load() };
    } catch (error) {
      outcome = { error };
    }
    if (stop.signal.aborted) return;
    if (follow(pathsOf(outcome))) return;
    // Written again while it was read: the loaded data may be a mix of both.
    if ((await contentOf(paths)) !== content) {
      again = forced = true;
      return;
    }
    known = content;
    try {
      if ('error' in outcome) throw outcome.error;
      await onLoaded(outcome.loaded);
    } catch (error) {
      await onRejected(error);
    }
  }

  /** Whether there are other files now: nobody knows whether they changed after they were read, so all is read again. */
  function follow(wanted: readonly string[] | undefined): boolean {
    const next = distinct(wanted ?? paths);
    if (next.join('\n') === paths.join('\n')) return false;
    paths = next;
    for (const watcher of watchers) watcher.close();
    watchers = watchDirectories(paths, notice);
    again = forced = true;
    return true;
  }

  // A write in place truncates first, and a rename may delete first: wait until two reads are equal.
  async function settledContent(): Promise<string | undefined> {
    let last = await contentOf(paths);
    while (last !== known) {
      try {
        await delay(SETTLE_MS, undefined, { signal: stop.signal });
      } catch {
        return undefined;
      }
      const now = await contentOf(paths);
      if (now === last) break;
      last = now;
    }
    return last;
  }

  let watchers = watchDirectories(paths, notice);

  // Fallback for fs.watch: directories created later or replaced, network mounts, lost events.
  let facts: string | undefined;
  let looking = false;
  const poll = setInterval(() => {
    if (looking) return;
    looking = true;
    void Promise.all(paths.map(factsOf)).then((found) => {
      looking = false;
      const now = found.join('\n');
      if (now !== facts) notice();
      facts = now;
    });
  }, POLL_MS);
  poll.unref();

  return {
    again() {
      forced = true;
      notice();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      clearInterval(poll);
      for (const watcher of watchers) watcher.close();
      await round;
    },
  };
}

type Outcome<L> = { readonly loaded: L } | { readonly error: unknown };

const distinct = (paths: readonly string[]): string[] => [...new Set(paths)].sort();

function watchDirectories(paths: readonly string[], notice: () => void): FSWatcher[] {
  // A ConfigMap swaps the link `..data` to change all its files at once.
  const names = new Set(['..data', ...paths.map((path) => basename(path))]);
  const watchers: FSWatcher[] = [];
  for (const directory of new Set(paths.map((path) => dirname(path)))) {
    try {
      const watcher = watch(directory, { persistent: false }, (_, name) => {
        if (name === null || names.has(name)) notice();
      });
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // The directory does not exist, or there are no watches left: the poll is enough.
    }
  }
  return watchers;
}

async function contentOf(paths: readonly string[]): Promise<string> {
  const digests = await Promise.all(paths.map((path) => readFile(path).then(digest, absence)));
  return digests.join('\n');
}

// Synchronous, so that no change is missed between this and the start of the watchers.
function contentNow(path: string): string {
  try {
    return digest(readFileSync(path));
  } catch (error) {
    return absence(error);
  }
}

function digest(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64');
}

function absence(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unreadable';
}

async function factsOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found ? `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}` : 'absent';
}
