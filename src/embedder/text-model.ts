import type { Model } from './vectors.ts';

export type { Model } from './vectors.ts';

/** Turns texts into vectors. */
export interface TextModel {
  /**
   * Which model this is. Only vectors of the same model can be compared. A URL is asked once for its dimensions.
   * Throws an AppError, `unavailable` or `invalid_input`, that says what to do.
   */
  identify(signal?: AbortSignal): Promise<Model>;
  /** One vector of length 1 for each text. Long work is split, and a few texts overtake it. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal;
  /** How many of the texts have their vector. */
  progress?(done: number, of: number): void;
}

/** Which model a vector belongs to, as text: `use-lite@0.2.0/512`. */
export const modelKey = ({ name, version, dimensions }: Model): string => `${name}@${version}/${dimensions}`;
