import { constants, setPriority } from 'node:os';
import { openCatalogue } from '../../catalogues/open.ts';
import type { Sources } from '../../sources/sources.ts';
import { createMeaning } from './meaning.ts';

export interface MakingDeps {
  readonly lock: Sources['lock'];
  readonly signal?: AbortSignal;
  progress(step: string, done: number, of: number): void;
}

const STEP = 'learning what nodes are for';

/** Makes the vectors that this catalogue lacks. It is for later, so whatever else the machine does goes first. */
export async function makeVectors(file: string, vectors: string, deps: MakingDeps): Promise<boolean> {
  const { lock, signal, progress } = deps;
  using _turn = await lock(`${vectors}.lock`, () => progress('another process is at it; waiting', 0, 1), signal);
  // The thread that is started below inherits it.
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
