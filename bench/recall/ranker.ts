import type { Note } from '../../test/recall/notes.ts';

/** Something that finds notes for a question. */
export interface Ranker extends AsyncDisposable {
  readonly name: string;
  prepare(notes: readonly Note[]): Promise<void>;
  /** Ids of notes, best first. */
  rank(question: string): Promise<readonly string[]>;
}

/** Makes a ranker that may write to this empty folder. */
export type MakeRanker = (folder: string) => Ranker;
