import { statSync } from 'node:fs';
import { createEmbedder, type Embedder } from '../../../embedder/embedder.ts';
import type { Catalogue } from '../../catalogue.ts';
import { type Meant, meantBy } from './texts.ts';

/** More than any answer shows. */
const NEAREST = 30;

/** A node and its similarity to the question, at most 1. */
export interface Near {
  readonly name: string;
  readonly likeness: number;
}

export interface Meaning extends AsyncDisposable {
  /**
   * The nodes nearest in meaning to an English text; undefined while the vectors are not ready. The first call reads or
   * computes them in the background.
   */
  near(catalogue: Catalogue, text: string, signal?: AbortSignal): Promise<readonly Near[] | undefined>;
  /** Resolves once the vectors of this catalogue are ready; false if that fails. */
  prepare(catalogue: Catalogue, progress?: (done: number, of: number) => void): Promise<boolean>;
}

export interface MeaningOptions {
  /** The vector file. Default: next to the catalogue. */
  readonly vectors?: string;
  /** Called if vectors are missing. Without it they are computed here, which takes about 20 s of CPU time. */
  readonly missing?: () => void;
  /** A shared embedder, which its owner closes. Default: a private one. */
  readonly embedder?: Embedder;
  readonly idleMs?: number;
}

type Ready = 'making' | 'ready' | 'failed';

interface Prepared {
  state: Ready;
  done: Promise<boolean>;
  readonly looked: number;
  readonly key: string;
  readonly meant: readonly Meant[];
}

export function createMeaning({ vectors, missing, embedder: shared, idleMs }: MeaningOptions = {}): Meaning {
  const embedder = shared ?? createEmbedder({ ...(idleMs !== undefined && { idleMs }) });
  const prepared = new Map<string, Prepared>();
  embedder.onEnd(() => prepared.clear());

  function preparation(file: string, catalogue: Catalogue, progress?: (done: number, of: number) => void): Prepared {
    // A replaced catalogue has other nodes, so its build time is part of the key.
    const key = JSON.stringify([file, catalogue.origin.builtAt]);
    let known = prepared.get(key);
    const kept = vectors ?? `${file}.vectors`;
    // Another process writes the vectors bit by bit: try again if the file has changed.
    if (known?.state === 'failed' && missing && known.looked !== changedAt(kept)) known = undefined;
    if (!known) {
      const meant = meantBy(catalogue);
      const entry: Prepared = { state: 'making', done: Promise.resolve(false), looked: changedAt(kept), key, meant };
      const set = { key, texts: meant.map(({ text }) => text), file: kept, make: !missing };
      entry.done = embedder.prepare(set, progress).then((how) => {
        entry.state = how === 'ready' ? 'ready' : 'failed';
        if (how === 'lacking') missing?.();
        return entry.state === 'ready';
      });
      prepared.set(key, (known = entry));
    }
    return known;
  }

  return {
    async near(catalogue, text, signal) {
      const file = catalogue.database.location();
      if (file === null || embedder.closed) return undefined;
      const { state, key, meant } = preparation(file, catalogue);
      if (state !== 'ready') return undefined;
      const alike = await embedder.compare(key, text);
      signal?.throwIfAborted();
      // The embedder evicted these vectors to make room for others: prepare them again with the next question.
      if (!alike) prepared.delete(key);
      return alike && nearest(meant, alike);
    },
    async prepare(catalogue, progress) {
      const file = catalogue.database.location();
      if (file === null || embedder.closed) return false;
      return embedder.hold(preparation(file, catalogue, progress).done);
    },
    async [Symbol.asyncDispose]() {
      if (!shared) await embedder[Symbol.asyncDispose]();
    },
  };
}

function nearest(meant: readonly Meant[], alike: Float64Array): Near[] {
  const best = new Map<string, number>();
  for (const [index, { nodes }] of meant.entries()) {
    const likeness = alike[index] ?? 0;
    for (const node of nodes) if (likeness > (best.get(node) ?? 0)) best.set(node, likeness);
  }
  return [...best]
    .map(([name, likeness]) => ({ name, likeness }))
    .sort((one, other) => other.likeness - one.likeness || (one.name < other.name ? -1 : 1))
    .slice(0, NEAREST);
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
