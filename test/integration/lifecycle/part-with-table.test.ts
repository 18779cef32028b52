import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { part } from '../../../src/host/part.ts';
import { startParts } from '../../../src/host/runtime.ts';
import { parts } from '../../../src/parts.ts';
import { startRuntime } from '../../../src/runtime.ts';

interface Notes {
  add(text: string): Promise<string[]>;
}

const notesSettings = { notes: z.strictObject({ most: z.number().int().default(10) }).prefault({}) };

const notesPart = part<Notes, typeof notesSettings>({
  settings: notesSettings,
  migrations: { sqlite: ['CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT'] },
  open: ({ settings, store: { tables } }) => ({
    api: {
      async add(text) {
        await tables.change('INSERT INTO notes (text) VALUES (?)', text);
        const { most } = settings().notes;
        const rows = await tables.rows<{ text: string }>('SELECT text FROM notes ORDER BY id DESC LIMIT ?', most);
        return rows.map((row) => row.text);
      },
    },
  }),
});

test('a part brings its settings and its table, and what it stores outlives a start without it', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-notes-'));
  const options = { home: place.path, cwd: place.path, env: {}, version: '0' };
  const withNotes = { ...parts, notes: notesPart };
  await writeFile(join(place.path, 'sluice.json'), '{ "notes": { "most": 2 } }');
  {
    await using runtime = await startParts(withNotes, options);
    expect(await runtime.apis.notes.add('one')).toEqual(['one']);
    await runtime.apis.notes.add("two'; DROP TABLE notes; --");
  }
  await writeFile(join(place.path, 'sluice.json'), '{}');
  {
    await using runtime = await startRuntime(options);
    expect(runtime.home).toBe(place.path);
  }
  await using runtime = await startParts(withNotes, options);
  expect(await runtime.apis.notes.add('three')).toEqual(['three', "two'; DROP TABLE notes; --", 'one']);
});
