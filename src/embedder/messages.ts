import type { DirectoryModel } from './directory-files.ts';
import type { Haste } from './turns.ts';

/** Texts to compare with others, and where to store their vectors. */
export interface Texts {
  /** The same for the same texts. */
  readonly key: string;
  readonly texts: readonly string[];
  readonly file: string;
  /** Whether to make missing vectors. */
  readonly make: boolean;
}

/** A model from a directory, and where the runtime is that runs it. */
export interface ModelInThread extends DirectoryModel {
  readonly runtime: string;
}

/** Messages between the gateway and the thread that holds the model. */
export type EmbedderRequest =
  | { readonly id: number; readonly do: 'prepare'; readonly set: Texts }
  | { readonly id: number; readonly do: 'compare'; readonly key: string; readonly text: string }
  | {
      readonly id: number;
      readonly do: 'embed';
      readonly texts: readonly string[];
      readonly haste: Haste;
      /** Default: the packaged one. */
      readonly model?: ModelInThread;
    };

export type EmbedderReply =
  | { readonly id: number; readonly ok: true; readonly alike?: Float64Array; readonly vectors?: Float32Array }
  | { readonly id: number; readonly ok: false; readonly reason: string }
  /** Not final: reports how many vectors exist. */
  | { readonly id: number; readonly ok: 'soon'; readonly done: number; readonly of: number };
