import type { DatabaseSync } from 'node:sqlite';
import { type Field, fields } from './index-tables.ts';

/** Weight of a match by field. Names count most, because people ask for them; descriptions mention many things. */
const weights: Record<Field, number> = {
  title: 6,
  name: 4,
  aliases: 3,
  subtype: 2,
  actions: 2.2,
  description: 2,
  categories: 0.8,
  credentials: 0.8,
};
/** Share that matches in further fields add. */
const FURTHER = 0.2;
/** Cache limit in words; more than a catalogue has. */
const REMEMBERED = 20_000;

/** The weight of a word for each node, by the node's number in the index. */
export type Posting = ReadonlyMap<number, number>;

export interface Postings {
  readonly size: number;
  /** By number. Numbers start at 1. */
  readonly names: readonly string[];
  of(stem: string): Posting;
  /** Every stem of the index. */
  vocabulary(): readonly string[];
}

/** The number of words in a node's title and name. */
export interface Lengths {
  title(name: string): number;
  name(name: string): number;
}

type Roots = Readonly<Record<'title' | 'name', readonly number[]>>;

/**
 * Reads the full-text index word by word, with a cache. A word of a long title counts less than a whole title: "store"
 * does not ask for "Simple Vector Store".
 */
export function openPostings(database: DatabaseSync, lengths: Lengths): Postings {
  const names: string[] = [''];
  for (const row of database.prepare('SELECT id, name FROM search_nodes').iterate()) {
    names[row.id as number] = row.name as string;
  }
  const root = (length: number) => Math.sqrt(Math.max(1, length));
  const roots: Roots = {
    title: names.map((name) => root(lengths.title(name))),
    name: names.map((name) => root(lengths.name(name))),
  };
  const select = database.prepare('SELECT doc, col FROM search_words WHERE term = ?');
  select.setReturnArrays(true);
  const known = new Map<string, Posting>();
  let vocabulary: string[] | undefined;
  return {
    size: names.length - 1,
    names,
    of(stem) {
      let posting = known.get(stem);
      if (posting) return posting;
      if (known.size >= REMEMBERED) known.clear();
      posting = weighed(select.all(stem) as unknown as [number, Field][], roots);
      known.set(stem, posting);
      return posting;
    },
    vocabulary: () =>
      (vocabulary ??= database
        .prepare('SELECT DISTINCT term FROM search_words')
        .all()
        .map(({ term }) => term as string)),
  };
}

function weighed(rows: readonly [doc: number, column: Field][], roots: Roots): Posting {
  const nodes = new Map<number, number>();
  for (const [doc, column] of rows) {
    const root = column === 'title' || column === 'name' ? (roots[column][doc] ?? 1) : 1;
    const weight = fields.includes(column) ? weights[column] / root : 0;
    const sofar = nodes.get(doc) ?? 0;
    // The best field counts in full, the others only in part.
    nodes.set(doc, Math.max(sofar, weight) + FURTHER * Math.min(sofar, weight));
  }
  return nodes;
}
