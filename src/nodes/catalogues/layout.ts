/** Version of the file layout. Increase it when the layout or the stored data of a node changes. */
export const LAYOUT = 3;

/** Version of the prepared details. Increase it when their format or any of their texts changes. */
export const ESSENTIALS = 4;

export const schema = `
  PRAGMA user_version = ${LAYOUT};
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  -- descriptions: [[id, [version, …]], …], the oldest first
  CREATE TABLE nodes (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, summary TEXT NOT NULL, descriptions TEXT NOT NULL);
  CREATE TABLE descriptions (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
  CREATE TABLE credentials (name TEXT PRIMARY KEY, title TEXT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID
`;
