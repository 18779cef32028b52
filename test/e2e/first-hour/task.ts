import type { Assistant } from './assistant.ts';

export interface Scene {
  /** Begins every name of a workflow, a credential and a webhook of this run. */
  readonly prefix: string;
  /** Another client, of somebody else. */
  readonly colleague: Assistant;
  /** A service on this machine that answers `{ ok: true }` at /new and 404 at /old. */
  readonly service: string;
}

/** Something that people ask for in their first hour. It throws where the assistant does not get there. */
export interface Task {
  readonly name: string;
  /** More calls than this, and something on the way is a stumble. */
  readonly most: { readonly calls: number; readonly kilobytes: number };
  run(assistant: Assistant, scene: Scene): Promise<void>;
}
