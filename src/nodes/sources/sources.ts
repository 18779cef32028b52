import type { RawTypes } from '../build/raw.ts';

/** What a connected n8n can tell about its nodes. */
export interface InstanceSource {
  /** Undefined if n8n does not tell. */
  version(signal?: AbortSignal): Promise<string | undefined>;
  /** Its nodes, including community nodes. Absent if no login is configured. */
  types?(signal?: AbortSignal): Promise<RawTypes>;
}

/** Everything a sync needs from outside: where node descriptions come from, and a lock. Wired up by the caller. */
export interface Sources {
  /** The `node_modules` of an installed n8n of this version, if there is one. */
  installed(n8n: string): Promise<string | undefined>;
  /** Runs the user's npm in a folder and returns its output. */
  npm(args: readonly string[], folder: string, signal?: AbortSignal): Promise<string>;
  instance(name: string): InstanceSource;
  /** Lets one process write at a time. `waiting` is called if another holds the lock. */
  lock(file: string, waiting: () => void, signal?: AbortSignal): Promise<Disposable>;
}
