import type { Assistant } from './assistant.ts';

export interface Scene {
  /** The prefix of every workflow, credential and webhook of this run. */
  readonly prefix: string;
  /** Another client, used by somebody else. */
  readonly colleague: Assistant;
  /** A service on this machine that answers `{ ok: true }` at /new and 404 at /old. */
  readonly service: string;
}

/** A task that people have in their first hour. It throws if the assistant does not get there. */
export interface Task {
  readonly name: string;
  /** The most calls it may take; more means that something on the way makes the assistant stumble. */
  readonly most: { readonly calls: number; readonly kilobytes: number };
  run(assistant: Assistant, scene: Scene): Promise<void>;
}
