import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ESSENTIALS } from '../catalogues/layout.ts';
import { lookupIndex } from '../lookup/lookup-index.ts';
import { openCatalogue } from '../catalogues/open.ts';
import { essentialsKey, plain } from './details.ts';
import { prepare } from './node-details.ts';

/**
 * Stores the default details of every node in the catalogue file. Otherwise the first request for a node would have to
 * unpack and parse its whole description, up to 400 KB.
 */
export function fillEssentials(file: string, progress: (done: number, of: number) => void = () => {}): void {
  const made = preparedIn(file, progress);
  using database = new DatabaseSync(file);
  database.exec(`
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;
    DROP TABLE IF EXISTS essentials;
    -- Not WITHOUT ROWID: with large rows the tree would become deep.
    CREATE TABLE essentials (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
  `);
  const row = database.prepare('INSERT INTO essentials (key, body) VALUES (?, ?)');
  for (const [key, body] of made) row.run(key, body);
  database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run('essentials', String(ESSENTIALS));
  database.exec('COMMIT; VACUUM');
}

/** The same for a catalogue in use: replaces the file atomically. */
export function renewEssentials(file: string, progress: (done: number, of: number) => void): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    copyFileSync(file, draft);
    fillEssentials(draft, progress);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function preparedIn(file: string, progress: (done: number, of: number) => void): Map<string, string> {
  const catalogue = openCatalogue(file);
  try {
    const { all, byName } = lookupIndex(catalogue);
    const known = [...byName.values(), ...all.filter(({ curated }) => curated)];
    const made = new Map<string, string>();
    for (const [done, found] of known.entries()) {
      const details = prepare(catalogue, found, { ...plain, version: found.node.latest }, []);
      // Skip failures: a request then computes the details and reports the error.
      if (!('error' in details)) made.set(essentialsKey(found), JSON.stringify(details));
      if (done % 50 === 0) progress(done, known.length);
    }
    progress(known.length, known.length);
    return made;
  } finally {
    catalogue.close();
  }
}
