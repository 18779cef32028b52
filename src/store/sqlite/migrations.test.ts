import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, migratePart } from './migrations.ts';

let db: DatabaseSync;
beforeEach(() => {
  db = new DatabaseSync(':memory:');
});
afterEach(() => db.close());

const version = () => db.prepare('PRAGMA user_version').get()?.user_version;
const one = 'CREATE TABLE a (x TEXT) STRICT';
const two = `ALTER TABLE a ADD COLUMN y TEXT; UPDATE a SET y = x || '!'`;

test('a later version continues from an earlier one and keeps the data', () => {
  migrate(db, 'f', [one]);
  db.exec(`INSERT INTO a VALUES ('kept')`);
  migrate(db, 'f', [one, two]);
  expect(version()).toBe(2);
  expect(db.prepare('SELECT x, y FROM a').all()).toEqual([{ x: 'kept', y: 'kept!' }]);
});

test('a current schema is not touched', () => {
  migrate(db, 'f', [one]);
  migrate(db, 'f', [one]);
  expect(version()).toBe(1);
});

test('a step that fails half-way leaves the previous version', () => {
  expect(() => migrate(db, 'f', [one, 'CREATE TABLE b (x TEXT) STRICT; INSERT INTO nowhere VALUES (1)'])).toThrow(
    'nowhere',
  );
  expect(version()).toBe(1);
  expect(db.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'a' }]);
});

test('a newer version is refused', () => {
  migrate(db, 'f', [one, two]);
  expect(() => migrate(db, 'f', [one])).toThrow(
    'f was written by a newer Sluice (schema 2; this one supports up to 1)',
  );
});

const partVersions = () => db.prepare('SELECT part, version FROM part_versions ORDER BY part').all();

test('each part counts its own versions, and those of unknown parts are left alone', () => {
  migrate(db, 'f', [one]);
  migratePart(db, 'f', 'notes', ['CREATE TABLE notes (x TEXT) STRICT']);
  migratePart(db, 'f', 'memory', ['CREATE TABLE memory (x TEXT) STRICT']);
  db.exec(`INSERT INTO notes VALUES ('kept')`);
  migratePart(db, 'f', 'notes', ['CREATE TABLE notes (x TEXT) STRICT', 'ALTER TABLE notes ADD COLUMN y TEXT']);
  expect(version()).toBe(1);
  expect(db.prepare('SELECT x, y FROM notes').all()).toEqual([{ x: 'kept', y: null }]);
  expect(partVersions()).toEqual([
    { part: 'memory', version: 1 },
    { part: 'notes', version: 2 },
  ]);
});

test('a step of a part that fails leaves its version, and a newer version of a part is refused', () => {
  const made = 'CREATE TABLE notes (x TEXT) STRICT';
  expect(() => migratePart(db, 'f', 'notes', [made, 'INSERT INTO nowhere VALUES (1)'])).toThrow('nowhere');
  expect(partVersions()).toEqual([{ part: 'notes', version: 1 }]);
  expect(() => migratePart(db, 'f', 'notes', [])).toThrow(
    'f was written by a newer Sluice (schema notes 1; this one supports up to 0)',
  );
});
