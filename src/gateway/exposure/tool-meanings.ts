import { createHash } from 'node:crypto';
import type { Embedder } from '../../embedder/embedder.ts';

/** A better order of the same tools is not worth a longer wait. */
const PATIENCE_MS = 250;
/** About two thousand tools. Embedding more would take minutes of CPU time. */
const MOST_TEXTS = 10_000;

/** Compares a wish with what tools are for, by meaning. */
export interface ToolMeanings {
  /**
   * The similarity of each text to an English wish. Undefined if it is not available soon: the first call starts to load
   * the model and to load or compute the vectors of the texts, in the background.
   */
  alike(texts: readonly string[], wish: string): Promise<Float64Array | undefined>;
  /** Waits until these texts can be compared; false if they cannot. */
  prepare(texts: readonly string[]): Promise<boolean>;
}

interface Prepared {
  ready: boolean;
  readonly done: Promise<boolean>;
}

/** A file caches the vectors by their text, so that the restart of a server costs nothing. */
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
      // The model knows only English.
      if (embedder.closed || texts.length > MOST_TEXTS || !/^[\p{ASCII}\p{P}\p{S}]*$/u.test(wish)) return undefined;
      if (!preparation(texts).ready) return undefined;
      const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
      const timer = setTimeout(resolve, patienceMs, undefined);
      const compared = embedder.compare(keyOf(texts), wish).then((alike) => {
        // Other texts have pushed these out of the cache: the next wish prepares them again.
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
