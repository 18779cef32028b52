import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedTexts } from '../../../src/blueprints/library/stored.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { emptyStores, type EmptyStores } from '../../support/postgres-stores.ts';

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
    await here.save('a', 'recipe', 'first', 'ada');
    const first = { name: 'a', kind: 'recipe', text: 'first', savedBy: 'ada', savedAt: 1_800_000_000_000 };
    expect(await there.list()).toEqual([first]);
    await here.save('a', 'recipe', 'second', 'bob');
    expect(await there.list()).toEqual([{ ...first, text: 'second', savedBy: 'bob', savedAt: 1_800_000_000_001 }]);
    await expect(there.save('a', 'blueprint', 'third', 'eve')).rejects.toThrow('a is the name of a recipe.');
    for (let index = 0; index < 30; index++) await here.save(`n${index}`, 'blueprint', `text ${index}`, 'ada');
    expect(await there.list()).toHaveLength(31);
    expect(await there.delete('a')).toBe(true);
    expect((await here.list()).map(({ name }) => name)).not.toContain('a');
  });
});
