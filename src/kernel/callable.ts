import type { Entry } from './source.ts';

/** A tool as it is called: the entry, and the names it goes by. */
export interface Callable {
  readonly name: string;
  readonly source: string;
  readonly entry: Entry;
}
