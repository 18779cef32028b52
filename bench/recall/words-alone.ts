import { DatabaseSync } from 'node:sqlite';
import type { Ranker } from './ranker.ts';

/** SQLite's full-text search as it comes: the default tokenizer, bm25, any word of the question. */
export function wordsAlone(): Ranker {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE VIRTUAL TABLE notes USING fts5(id UNINDEXED, text)');
  const find = database.prepare('SELECT id FROM notes WHERE notes MATCH ? ORDER BY bm25(notes), rowid');
  return {
    name: 'words alone (FTS5, bm25)',
    async prepare(notes) {
      const insert = database.prepare('INSERT INTO notes (id, text) VALUES (?, ?)');
      for (const { id, text } of notes) insert.run(id, text);
    },
    async rank(question) {
      const words = question.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
      // Quoted, because OR and NEAR are operators.
      const anyOf = words.map((word) => `"${word}"`).join(' OR ');
      return anyOf === '' ? [] : find.all(anyOf).map(({ id }) => String(id));
    },
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}
