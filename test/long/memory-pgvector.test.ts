// With the server that SLUICE_TEST_POSTGRES names, or with one of its own.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewMemory, Vector } from '../../src/memory/engine.ts';
import { memoryMigrations } from '../../src/memory/migrations.ts';
import { indexedNear } from '../../src/memory/sql/pgvector.ts';
import { sqlEngine } from '../../src/memory/sql/engine.ts';
import { cosine, packed } from '../../src/memory/vector.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { createDatabase } from '../support/postgres.ts';
import { ownPgvector, pgvectorIsMissing } from '../support/pgvector.ts';

const COUNT = 21_000;
const NOW = Date.parse('2026-03-01T12:00:00Z');
const migrations = new Map([['memory', memoryMigrations]]);

/** The same numbers in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

const named = process.env.SLUICE_TEST_POSTGRES;
const missing = named === undefined ? pgvectorIsMissing() : undefined;
const owned = new AsyncDisposableStack();

beforeAll(async () => {
  if (named !== undefined || missing !== undefined) return;
  const postgres = owned.use(await ownPgvector());
  await postgres.start();
  process.env.SLUICE_TEST_POSTGRES = postgres.url();
});
afterAll(async () => {
  if (named === undefined) delete process.env.SLUICE_TEST_POSTGRES;
  await owned.disposeAsync();
});

test.skipIf(missing)('an index of pgvector finds the nearest of many', { timeout: 300_000 }, async (context) => {
  await using target = await createDatabase();
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-pgvector-'));
  const settings = { kind: 'postgres', url: target.url, connections: 4 } as const;
  await using store = await openPostgres({ home: place.path, version: '0', env: {}, settings }, { migrations });
  const [there] = await store.apart.rows("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'");
  if (!there) return context.skip('this PostgreSQL has no pgvector');
  await store.apart.change('CREATE EXTENSION IF NOT EXISTS vector');

  const random = numbers(7);
  const topics = Array.from({ length: 40 }, () => Float32Array.from({ length: 64 }, random));
  const vectorOf = (at: number): Vector =>
    packed(
      Float32Array.from(topics[at % topics.length] as Float32Array, (value) => value + random() * 0.8),
      'm',
    );
  const vectors = Array.from({ length: COUNT }, (_, at) => vectorOf(at));
  const made = vectors.map((vector, at): NewMemory => {
    const text = `memory ${at}`;
    return {
      memory: {
        id: `m${at}`,
        root: `m${at}`,
        namespace: at % 50 === 0 ? 'small' : 'large',
        text,
        tags: [],
        metadata: {},
        recordedAt: NOW,
        validFrom: NOW,
        pinned: false,
        by: { principal: 'local', call: '0' },
        recalls: 0,
      },
      passages: [{ text, words: text, vector }],
    };
  });
  const engine = sqlEngine(store.apart);
  for (let from = 0; from < COUNT; from += 1000) await engine.add(made.slice(from, from + 1000));
  expect(await indexedNear(store.apart, 'm', 64, 600)).toMatch(/^memory_near_/);

  let hits = 0;
  for (let question = 0; question < 20; question++) {
    const asked = vectorOf(question);
    const wanted = { namespaces: ['large', 'small'], now: NOW, validAt: NOW };
    const found = await engine.byMeaning(asked, wanted, 10);
    const exact = vectors
      .map((vector, at) => ({ id: `m${at}`, score: cosine(asked.bytes, vector.bytes) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 10);
    hits += found.filter(({ id }) => exact.some((one) => one.id === id)).length;
  }
  expect(hits / 200).toBeGreaterThan(0.9);
  // The server counts a little later.
  const used = async () =>
    (
      await store.apart.rows<{ count: number }>(
        "SELECT idx_scan AS count FROM pg_stat_user_indexes WHERE indexrelname LIKE 'memory_near_%'",
      )
    )[0]?.count;
  await expect.poll(used, { timeout: 20_000 }).toBeGreaterThanOrEqual(20);
});
