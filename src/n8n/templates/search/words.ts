import { DatabaseSync } from 'node:sqlite';
import { setImmediate as pause } from 'node:timers/promises';
import { queryTerms, termsOf } from '../../../kernel/terms.ts';
import type { TemplateSummary } from '../template.ts';
import { shortType } from '../text.ts';

/** How much a word counts in the name, the nodes, the categories and the description. */
const WEIGHTS = '6.0, 4.0, 2.0, 1.0';
const AT_ONCE = 100;
/** More words tell no more, and each one costs. */
const MOST_TERMS = 40;
/** The first lines say what a template does; the rest is how to set it up. */
const DESCRIBED = 600;

/** Finds templates by words. */
export interface WordIndex extends Disposable {
  /** Makes the index hold exactly these. Cheap for what did not change. */
  update(templates: ReadonlyMap<string, TemplateSummary>): Promise<void>;
  /** Ids, best first. */
  find(question: string, most: number): string[];
}

export function wordIndex(): WordIndex {
  const database = new DatabaseSync(':memory:');
  database.exec(
    `CREATE VIRTUAL TABLE words USING fts5 (name, nodes, categories, description, content = '', contentless_delete = 1)`,
  );
  const insert = database.prepare(
    'INSERT INTO words (rowid, name, nodes, categories, description) VALUES (?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM words WHERE rowid = ?');
  const select = database.prepare(
    `SELECT rowid AS row FROM words WHERE words MATCH ? ORDER BY bm25(words, ${WEIGHTS}) LIMIT ?`,
  );
  const rows = new Map<string, { readonly row: number; readonly template: TemplateSummary }>();
  const ids = new Map<number, string>();
  let last = 0;
  let holds: ReadonlyMap<string, TemplateSummary> | undefined;
  let updating: Promise<void> = Promise.resolve();

  function drop(id: string): void {
    const row = rows.get(id)?.row;
    if (row === undefined) return;
    remove.run(row);
    rows.delete(id);
    ids.delete(row);
  }

  function add(id: string, template: TemplateSummary): void {
    drop(id);
    const row = ++last;
    const { name, nodes, categories = [], description = '' } = template;
    insert.run(
      row,
      words(name),
      words(nodes.map(shortType).join(' ')),
      words(categories.join(' ')),
      words(description.slice(0, DESCRIBED)),
    );
    rows.set(id, { row, template });
    ids.set(row, id);
  }

  async function change(templates: ReadonlyMap<string, TemplateSummary>): Promise<void> {
    if (templates === holds) return;
    for (const id of rows.keys()) if (!templates.has(id)) drop(id);
    const changed = [...templates].filter(([id, template]) => rows.get(id)?.template !== template);
    for (let from = 0; from < changed.length; from += AT_ONCE) {
      // Others get their turn between two batches of a large library.
      if (from > 0) await pause();
      database.exec('BEGIN');
      try {
        for (const [id, template] of changed.slice(from, from + AT_ONCE)) add(id, template);
      } finally {
        database.exec('COMMIT');
      }
    }
    holds = templates;
  }

  return {
    update(templates) {
      // One that failed is begun again.
      if (templates !== holds) updating = updating.catch(() => {}).then(() => change(templates));
      return updating;
    },
    find(question, most) {
      const terms = queryTerms(question).slice(0, MOST_TERMS);
      if (terms.length === 0) return [];
      const found = select.all(terms.map((term) => `"${term}"`).join(' OR '), most) as unknown as { row: number }[];
      return found.flatMap(({ row }) => ids.get(row) ?? []);
    },
    [Symbol.dispose]: () => database.close(),
  };
}

const words = (text: string): string => termsOf(text).join(' ');
