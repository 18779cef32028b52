import type { Env } from '../../kernel/env.ts';
import type { Tree } from './tree.ts';

/** What `${vault:…}` in the file is about: where secrets are that the file only names. */
export interface Scheme {
  /** The section that says how to reach it, if there is one. Nothing in there can come from it. */
  readonly section?: readonly string[];
  /** Secret variables that say how to reach it. */
  readonly secretVariables?: readonly string[];
  /** Loaded only if the file has such a reference. */
  load(): Promise<ReadNames>;
}

export type Schemes = Readonly<Record<string, Scheme>>;

/** Reads all these names. Does not throw: what cannot be read is part of the answer. */
export type ReadNames = (names: readonly string[], around: AroundReference) => Promise<NamesRead>;

export interface AroundReference {
  readonly env: Env;
  /** The file with its variables in place. A variable that is not set is an empty text. */
  readonly file: Tree;
  /** Makes paths absolute that are relative to the file. */
  resolve(path: string): string;
}

export interface NamesRead {
  /** With which settings they were read, as a text to compare. It may be secret. */
  readonly from: string;
  /** After which time to read them again; undefined if watching `paths` is enough. */
  readonly refreshMs?: number;
  /** The files that they come from, also those that do not exist yet. */
  readonly paths?: readonly string[];
  readonly values: ReadonlyMap<string, NameRead>;
}

export type NameRead =
  | { readonly value: string }
  /** `absent`: there is no such value, and asking again does not help. Otherwise nobody could be asked. */
  | { readonly absent: boolean; readonly message: string; readonly fix: string };
