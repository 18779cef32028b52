import type { RawTypes } from '../build/raw.ts';

/** What a connected n8n can be asked. */
export interface InstanceSource {
  /** Undefined where it does not say. */
  version(signal?: AbortSignal): Promise<string | undefined>;
  /** Its own nodes, with community nodes; absent where no login is configured. */
  types?(signal?: AbortSignal): Promise<RawTypes>;
}

/** Where descriptions of nodes come from, and who may write at a time. The composition knows how. */
export interface Sources {
  /** The `node_modules` of an n8n of this version that is on this machine already. */
  installed(n8n: string): Promise<string | undefined>;
  /** Runs the user's own npm in a folder; gives what it printed. */
  npm(args: readonly string[], folder: string, signal?: AbortSignal): Promise<string>;
  instance(name: string): InstanceSource;
  /** One process at a time. */
  lock(file: string, waiting: () => void, signal?: AbortSignal): Promise<Disposable>;
}
