import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ESSENTIALS } from '../catalogues/layout.ts';
import { lookupIndex } from '../lookup/lookup-index.ts';
import { openCatalogue } from '../catalogues/open.ts';
import { essentialsKey, plain } from './details.ts';
import { prepare } from './node-details.ts';

/**
 * Prepares in the file of a catalogue what details say of every node where nothing in particular is asked. The first
 * who asks for a node would otherwise wait until its whole description, up to 400 KB, is unpacked and read.
 */
export function fillEssentials(file: string, progress: (done: number, of: number) => void = () => {}): void {
  const made = preparedIn(file, progress);
  using database = new DatabaseSync(file);
  database.exec(`
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;
    DROP TABLE IF EXISTS essentials;
    -- Not WITHOUT ROWID: large rows would make a deep tree of it.
    CREATE TABLE essentials (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
  `);
  const row = database.prepare('INSERT INTO essentials (key, body) VALUES (?, ?)');
  for (const [key, body] of made) row.run(key, body);
  database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run('essentials', String(ESSENTIALS));
  database.exec('COMMIT; VACUUM');
}

/** The same for one that is in use: it is there whole, as it was or as it is now. */
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
      // Why it cannot be said is told to whoever asks.
      if (!('error' in details)) made.set(essentialsKey(found), JSON.stringify(details));
      if (done % 50 === 0) progress(done, known.length);
    }
    progress(known.length, known.length);
    return made;
  } finally {
    catalogue.close();
  }
}
