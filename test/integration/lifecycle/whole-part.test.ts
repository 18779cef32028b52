import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ownSource } from '../../../src/host/config/claims.ts';
import { part } from '../../../src/host/part.ts';
import { startParts } from '../../../src/host/runtime.ts';
import { createOwnSource } from '../../../src/kernel/own-source.ts';
import { toolsFor } from '../../../src/kernel/tool.ts';
import { parts } from '../../../src/parts.ts';
import { load, startRuntime } from '../../../src/runtime.ts';

interface Notes {
  /** Stores a note and returns the newest ones. */
  add(text: string): Promise<string[]>;
}

const addNote = toolsFor<{ notes: Notes }>({ category: 'notes' })({
  name: 'notes_add',
  title: 'Add a note',
  description: 'Stores a note and returns the newest ones.',
  effect: 'create',
  input: z.strictObject({ text: z.string().describe('The note') }),
  output: z.object({ notes: z.array(z.string()) }),
  run: async ({ text }, { notes }) => ({ notes: await notes.add(text) }),
});

const notesSettings = { notes: z.strictObject({ most: z.int().min(1).default(10) }).prefault({}) };

const notesPart = part<Notes, typeof notesSettings>({
  settings: notesSettings,
  migrations: { sqlite: ['CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT'] },
  claims: () => [ownSource('notes')],
  tools: async () => [addNote],
  open({ settings, store: { tables } }) {
    const notes: Notes = {
      async add(text) {
        await tables.change('INSERT INTO notes (text) VALUES (?)', text);
        const { most } = settings().notes;
        const rows = await tables.rows<{ text: string }>('SELECT text FROM notes ORDER BY id DESC LIMIT ?', most);
        return rows.map((row) => row.text);
      },
    };
    const deps = { notes };
    return {
      api: notes,
      sources: [createOwnSource({ id: 'notes', description: 'notes', exposure: 'flat', tools: [addNote], deps })],
    };
  },
});

test('a part brings its settings, its table and its tool; what it stores outlives a start without it', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-notes-'));
  const options = { home: place.path, cwd: place.path, env: {}, version: '0' };
  const withNotes = { ...parts, notes: notesPart };
  await writeFile(join(place.path, 'sluice.json'), '{ "notes": { "most": 2 } }');
  {
    await using runtime = await startParts(withNotes, options);
    const { registry } = runtime.apis.gateway;
    expect(registry.find('notes_add')?.entry.wire.description).toBe('Stores a note and returns the newest ones.');
    expect(await runtime.apis.notes.add('one')).toEqual(['one']);
    await runtime.apis.notes.add("two'; DROP TABLE notes; --");
  }
  await writeFile(join(place.path, 'sluice.json'), '{}');
  {
    await using runtime = await startRuntime(options);
    expect(runtime.apis.gateway.registry.find('notes_add')).toBeUndefined();
  }
  await using runtime = await startParts(withNotes, options);
  expect(await runtime.apis.notes.add('three')).toEqual(['three', "two'; DROP TABLE notes; --", 'one']);
});

test('a part that the product does not have is an unknown key', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-notes-'));
  await writeFile(join(place.path, 'sluice.json'), '{ "notes": {} }');
  await expect(load({ home: place.path, cwd: place.path, env: {} })).rejects.toThrow('"notes" is not a known key');
});
