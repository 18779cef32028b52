import { basename } from 'node:path';
import type { Shared } from '../kernel/shared.ts';
import { createTurn, type Turn } from '../kernel/turn.ts';
import type { Tail, TailDeps, WatchedPath, WatchStatus } from './tail.ts';

export interface Watching extends AsyncDisposable {
  /** Applies a new list of files. Files that stay are followed without interruption. */
  configure(files: readonly WatchedPath[]): Promise<void>;
  /** The status of each file; empty if none is watched. */
  report(): { watch?: WatchStatus[] };
}

export interface WatchingDeps extends TailDeps {
  readonly shared: Pick<Shared, 'lead'>;
}

/** Records what other programs append to JSONL files as events. Of several replicas one reads all files. */
export function createWatching(deps: WatchingDeps): Watching {
  const running = new Map<string, Tail>();
  let wanted: readonly WatchedPath[] = [];
  let turn: Turn | undefined;
  // One after the other: the lease may come or go while new settings are applied.
  let applied: Promise<void> = Promise.resolve();

  function apply(): Promise<void> {
    applied = applied.then(align, align);
    return applied;
  }

  async function align(): Promise<void> {
    const files = turn?.isOurs() ? wanted : [];
    const paths = new Set(files.map(({ path }) => path));
    for (const [path, tail] of running) {
      if (paths.has(path)) continue;
      running.delete(path);
      await tail[Symbol.asyncDispose]();
    }
    if (files.length === 0) return;
    const { startTail } = await import('./tail.ts');
    for (const file of files) {
      if (!running.has(file.path)) running.set(file.path, startTail(file, deps));
    }
  }

  return {
    async configure(files) {
      wanted = files;
      if (files.length > 0) turn ??= createTurn(deps.shared, 'watch', apply);
      await apply();
      if (files.length > 0) return;
      const left = turn;
      turn = undefined;
      await left?.[Symbol.asyncDispose]();
    },
    report: () =>
      wanted.length > 0
        ? { watch: wanted.map((file) => running.get(file.path)?.status() ?? notHere(file, turn?.isOurs() ?? false)) }
        : {},
    async [Symbol.asyncDispose]() {
      wanted = [];
      await apply();
      await turn?.[Symbol.asyncDispose]();
    },
  };
}

/** The status of a file that this process does not read: another one does, or it is about to begin. */
const notHere = ({ path, optional }: WatchedPath, isOurTurn: boolean): WatchStatus => ({
  file: basename(path),
  ...(optional && { optional }),
  state: isOurTurn ? 'missing' : 'elsewhere',
  events: 0,
  behind: 0,
  bad: 0,
  tooLong: 0,
});
