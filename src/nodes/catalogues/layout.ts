/** How a catalogue's file is laid out. A change of it, or of what is kept of a node, takes another number. */
export const LAYOUT = 3;

/** How details are prepared, and what they say: a change of either takes another number. */
export const ESSENTIALS = 3;

export const schema = `
  PRAGMA user_version = ${LAYOUT};
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  -- descriptions: [[id, [version, …]], …], the oldest first
  CREATE TABLE nodes (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, summary TEXT NOT NULL, descriptions TEXT NOT NULL);
  CREATE TABLE descriptions (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
  CREATE TABLE credentials (name TEXT PRIMARY KEY, title TEXT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID
`;
