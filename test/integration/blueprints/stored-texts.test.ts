import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedTexts } from '../../../src/blueprints/library/stored.ts';
import type { Principal } from '../../../src/kernel/principal.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { emptyStores, type EmptyStores } from '../../support/postgres-stores.ts';

const by = (id: string, ...scopes: string[]): Principal => ({ id, scopes: new Set(scopes) });
const table =
  'CREATE TABLE blueprint_definitions (name TEXT PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL, saved_by TEXT NOT NULL, saved_at BIGINT NOT NULL)';
const migrations = new Map([['test', { sqlite: [], postgres: [table] }]]);

describe.skipIf(postgresIsMissing)('definitions in PostgreSQL', () => {
  let stores: EmptyStores;
  beforeAll(async () => {
    stores = await emptyStores();
  });
  afterAll(() => stores[Symbol.asyncDispose]());

  test('are the same for all replicas', async () => {
    const place = await stores.place({ migrations });
    await using one = await place();
    await using two = await place();
    const now = () => 1_800_000_000_000;
    const [here, there] = [storedTexts(one.tables, now), storedTexts(two.tables, now)];
    await here.save('a', 'recipe', 'first', by('ada'));
    const first = { name: 'a', kind: 'recipe', text: 'first', savedBy: 'ada', savedAt: 1_800_000_000_000 };
    expect(await there.list()).toEqual([first]);
    await here.save('a', 'recipe', 'second', by('bob', 'admin'));
    expect(await there.list()).toEqual([{ ...first, text: 'second', savedBy: 'bob', savedAt: 1_800_000_000_001 }]);
    await expect(there.save('a', 'blueprint', 'third', by('bob'))).rejects.toThrow('a is the name of a recipe.');
    for (let index = 0; index < 30; index++) await here.save(`n${index}`, 'blueprint', `text ${index}`, by('ada'));
    expect(await there.list()).toHaveLength(31);
    await expect(there.save('a', 'recipe', 'fourth', by('ada'))).rejects.toThrow('a was saved by bob.');
    await expect(there.delete('a', by('ada'))).rejects.toThrow('a was saved by bob.');
    expect(await there.delete('a', by('bob'))).toBe(true);
    expect((await here.list()).map(({ name }) => name)).not.toContain('a');
  });
});
