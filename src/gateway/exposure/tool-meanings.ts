import { createHash } from 'node:crypto';
import type { Embedder } from '../../embedder/embedder.ts';

/** Nobody waits longer for a better order of the same tools. */
const PATIENCE_MS = 250;
/** Some two thousand tools. To learn more would take minutes of a processor. */
const MOST_TEXTS = 10_000;

/** Compares a wish with what tools are for. */
export interface ToolMeanings {
  /**
   * How alike each text is to an English wish, or undefined where that cannot be told soon: the model and the vectors
   * of the texts are loaded, or made, in the background when they are first asked for.
   */
  alike(texts: readonly string[], wish: string): Promise<Float64Array | undefined>;
  /** Until these texts can be compared; false where they cannot be. */
  prepare(texts: readonly string[]): Promise<boolean>;
}

interface Prepared {
  ready: boolean;
  readonly done: Promise<boolean>;
}

/** Vectors are kept in a file by the text they are of: a server that starts again costs nothing. */
export function createToolMeanings(
  embedder: Embedder,
  file: string,
  { patienceMs = PATIENCE_MS }: { readonly patienceMs?: number } = {},
): ToolMeanings {
  const keys = new WeakMap<readonly string[], string>();
  const prepared = new Map<string, Prepared>();
  embedder.onEnd(() => prepared.clear());

  function keyOf(texts: readonly string[]): string {
    let key = keys.get(texts);
    if (key === undefined) keys.set(texts, (key = createHash('sha256').update(texts.join('\0')).digest('base64')));
    return key;
  }

  function preparation(texts: readonly string[]): Prepared {
    const key = keyOf(texts);
    const known = prepared.get(key);
    if (known) return known;
    const done = embedder.prepare({ key, texts, file, make: true }).then((how) => (made.ready = how === 'ready'));
    const made: Prepared = { ready: false, done };
    prepared.set(key, made);
    return made;
  }

  return {
    async alike(texts, wish) {
      // The model knows English.
      if (embedder.closed || texts.length > MOST_TEXTS || !/^[\p{ASCII}\p{P}\p{S}]*$/u.test(wish)) return undefined;
      if (!preparation(texts).ready) return undefined;
      const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
      const timer = setTimeout(resolve, patienceMs, undefined);
      const compared = embedder.compare(keyOf(texts), wish).then((alike) => {
        // So much else was prepared that this was forgotten: the next wish prepares it again.
        if (!alike) prepared.delete(keyOf(texts));
        return alike;
      });
      try {
        return await Promise.race([compared, tooLate]);
      } finally {
        clearTimeout(timer);
      }
    },
    prepare: async (texts) => !embedder.closed && texts.length <= MOST_TEXTS && embedder.hold(preparation(texts).done),
  };
}
