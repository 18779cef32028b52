import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Memory, NewMemory } from '../../../src/memory/engine.ts';
import { memoryMigrations } from '../../../src/memory/migrations.ts';
import { sqlEngine } from '../../../src/memory/sql/engine.ts';
import { packed } from '../../../src/memory/vector.ts';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import { type PostgresAddress, readAddress } from '../../../src/store/postgres/address.ts';
import { openDatabase } from '../../../src/store/postgres/connection.ts';
import { copyStore } from '../../../src/store/postgres/copy.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';

const migrations = new Map([['memory', memoryMigrations]]);
const NOW = Date.parse('2026-03-01T12:00:00Z');
const directions = [0, 40, 80].map((degrees) => {
  const angle = (degrees / 180) * Math.PI;
  return packed(
    Float32Array.from({ length: 64 }, (_, at) => (at % 2 ? Math.sin(angle) : Math.cos(angle)) - at / 90),
    'm',
  );
});
const texts = ['tea for Ana', 'a backup every night', 'ports of staging'];

const made: NewMemory[] = texts.map((text, at) => {
  const memory: Memory = {
    id: `m${at}`,
    root: `m${at}`,
    namespace: at === 2 ? 'other' : 'default',
    text,
    tags: ['t'],
    metadata: { n: at },
    recordedAt: NOW + at,
    validFrom: NOW,
    pinned: at === 1,
    by: { principal: 'local', call: '0' },
    recalls: at,
  };
  return { memory, passages: [{ text, words: text, vector: directions[at] as never }] };
});

test.skipIf(postgresIsMissing)('memories move to PostgreSQL, and are found there as before', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-memory-copy-'));
  await using target = await createDatabase();
  const home = place.path;
  const wanted = { namespaces: ['default', 'other'], now: NOW + 10, validAt: NOW + 10, tags: ['t'] };
  const found = async (engine: ReturnType<typeof sqlEngine>) => ({
    words: (await engine.byWords(['staging', 'tea'], wanted, 5)).map(({ id }) => id).sort(),
    meaning: (await engine.byMeaning(directions[1] as never, wanted, 5)).map(({ id, score }) => [id, score.toFixed(3)]),
    memories: await engine.page(wanted, 10),
    content: await engine.contents(['default', 'other'], 'm', NOW),
  });
  {
    await using store = await openSqlite(join(home, 'sluice.db'), { migrations });
    const engine = sqlEngine(store.apart);
    await engine.add(made);
    expect((await found(engine)).meaning[0]).toEqual(['m1', '1.000']);
  }
  const env = { SLUICE_SECRET_KEY: 'the one that all replicas have, 0123456789' };
  {
    await using database = openDatabase(readAddress(target.url) as PostgresAddress, 2, 'test');
    const { rows, leftOut } = await copyStore(database, {
      file: join(home, 'sluice.db'),
      home: { home, env },
      migrations,
      progress() {},
      signal: new AbortController().signal,
    });
    expect(leftOut).toEqual([]);
    expect(rows).toMatchObject({
      memories: 3,
      memory_labels: 6,
      memory_passages: 3,
      memory_vectors: 3,
      memory_bytes: 3,
    });
  }
  await using before = await openSqlite(join(home, 'sluice.db'), { migrations });
  await using after = await openPostgres(
    { home, version: '0', env, settings: { kind: 'postgres', url: target.url, connections: 4 } },
    { migrations },
  );
  expect(await found(sqlEngine(after.apart))).toEqual(await found(sqlEngine(before.apart)));
});
