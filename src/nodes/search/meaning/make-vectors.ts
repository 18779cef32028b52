import { constants, setPriority } from 'node:os';
import { openCatalogue } from '../../catalogues/open.ts';
import type { Sources } from '../../sources/sources.ts';
import { createMeaning } from './meaning.ts';

export interface MakingDeps {
  readonly lock: Sources['lock'];
  readonly signal?: AbortSignal;
  progress(step: string, done: number, of: number): void;
}

const STEP = 'computing vectors for search by meaning';

/** Computes the vectors that this catalogue lacks. Runs at low priority, because nothing waits for it. */
export async function makeVectors(file: string, vectors: string, deps: MakingDeps): Promise<boolean> {
  const { lock, signal, progress } = deps;
  using _turn = await lock(
    `${vectors}.lock`,
    () => progress('waiting for another process that is building it', 0, 1),
    signal,
  );
  // The worker thread started below inherits the priority.
  setPriority(constants.priority.PRIORITY_LOW);
  const catalogue = openCatalogue(file);
  const meaning = createMeaning({ vectors });
  const stop = () => void meaning[Symbol.asyncDispose]();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const made = await meaning.prepare(catalogue, (done, of) => progress(STEP, done, of));
    signal?.throwIfAborted();
    return made;
  } finally {
    signal?.removeEventListener('abort', stop);
    await meaning[Symbol.asyncDispose]();
    catalogue.close();
  }
}
