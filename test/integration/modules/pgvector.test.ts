import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moduleClient, type ModuleClient } from '../../support/module-client.ts';
import type { OwnPostgres } from '../../support/own-postgres.ts';
import { ownPgvector, pgvectorIsMissing } from '../../support/pgvector.ts';

interface Results {
  results: { id?: string; text?: string; score: number; distance: number; metadata?: Record<string, unknown> }[];
  index?: string;
  more?: number;
  note?: string;
}

const DOCS = [
  { id: 'backup', text: 'Backups run every night at two.', metadata: { source: 'ops.md', year: 2024, tags: ['ops'] } },
  {
    id: 'restore',
    text: 'To restore the database you need the recovery key.',
    metadata: { source: 'ops.md', year: 2020 },
  },
  {
    id: 'lunch',
    text: 'The canteen serves pasta on Fridays.',
    metadata: { source: 'food.md', year: 2024, draft: true },
  },
  { id: 'vegan', text: 'There is a vegan dish every day.', metadata: { source: 'food.md', 'odd key': { deep: 'x' } } },
];

describe.skipIf(pgvectorIsMissing())('pgvector', () => {
  const owned = new AsyncDisposableStack();
  let postgres: OwnPostgres;
  let admin: Client;
  let client: ModuleClient;

  const ids = async (params: object): Promise<string[]> =>
    (await client.read<Results>('pgvector', 'pgvector_search', { ...params })).results.map(({ id }) => id ?? '');

  beforeAll(async () => {
    postgres = owned.use(await ownPgvector());
    await postgres.start();
    admin = new Client({ connectionString: postgres.url() });
    admin.on('error', () => {});
    await admin.connect();
    owned.defer(() => admin.end());
    await admin.query('CREATE EXTENSION vector');
    await admin.query('CREATE DATABASE bare');
    client = owned.use(await moduleClient({ pgvector: { url: postgres.url(), mode: 'read-write' } }));
  });
  afterAll(() => owned.disposeAsync());

  test('is discovered', async () => {
    expect(await client.listed()).toEqual(['pgvector_list', 'pgvector_call', 'pgvector_read']);
    expect(await client.list('pgvector')).toMatch(/pgvector_search\(collection.*pgvector_upsert\(/);
    expect(await client.list('pgvector', { tool: 'pgvector_search' })).toContain('min_score');
    expect(await client.refused('pgvector', 'pgvector_serach', {})).toContain('pgvector_search');
  });

  test('keeps texts and finds them by meaning', async () => {
    expect(await client.call('pgvector', 'pgvector_create_collection', { name: 'docs' })).toEqual({
      name: 'docs',
      dimensions: 512,
      distance: 'cosine',
      model: 'use-lite@0.2.0/512',
    });
    expect(await client.call('pgvector', 'pgvector_upsert', { collection: 'docs', items: DOCS })).toEqual({
      inserted: 4,
      updated: 0,
      ids: ['backup', 'restore', 'lunch', 'vegan'],
      model: 'use-lite@0.2.0/512',
    });
    const found = await client.read<Results>('pgvector', 'pgvector_search', {
      collection: 'docs',
      text: 'When is the data saved?',
      limit: 2,
    });
    expect(found.results.map(({ id }) => id ?? '').toSorted()).toEqual(['backup', 'restore']);
    const [first] = found.results;
    expect(first?.score).toBeCloseTo(1 - (first?.distance ?? 0), 5);
    expect(found.note).toBeUndefined();
    expect(await ids({ collection: 'docs', like: 'lunch', limit: 1 })).toEqual(['vegan']);
    expect(await ids({ collection: 'docs', text: 'When is the data saved?', min_score: 0.99 })).toEqual([]);
  });

  test.each([
    [{ source: 'food.md' }, ['lunch', 'vegan']],
    [{ source: { ne: 'food.md' } }, ['backup', 'restore']],
    [{ year: { gte: 2021 } }, ['backup', 'lunch']],
    [{ year: { lt: 2021 } }, ['restore']],
    [{ year: '2024' }, []],
    [{ year: { in: [2020, 2021] } }, ['restore']],
    [{ year: { nin: [2020, 2021] } }, ['backup', 'lunch', 'vegan']],
    [{ source: { gt: 'g' } }, ['backup', 'restore']],
    [{ draft: { exists: true } }, ['lunch']],
    [{ draft: { exists: false }, year: { exists: true } }, ['backup', 'restore']],
    [{ year: null }, ['vegan']],
    [{ 'odd key.deep': 'x' }, ['vegan']],
    [{ tags: { contains: 'ops' } }, ['backup']],
    [{ source: { contains: 'FOOD' } }, ['lunch', 'vegan']],
    [{ or: [{ draft: true }, { year: 2020 }] }, ['lunch', 'restore']],
    [{ not: { year: 2024 } }, ['restore', 'vegan']],
    [{ id: { in: ['vegan', 'backup'] } }, ['backup', 'vegan']],
    [{ text: { contains: 'PASTA' } }, ['lunch']],
    [{ "x' OR true --": '1' }, []],
  ])('the filter %j finds %j', async (filter, expected) => {
    expect((await ids({ collection: 'docs', text: 'food', filter })).toSorted()).toEqual(expected);
    const { items } = await client.read<{ items: { id: string }[] }>('pgvector', 'pgvector_list_items', {
      collection: 'docs',
      filter,
    });
    expect(items.map(({ id }) => id)).toEqual(expected);
  });

  test('shows items, page by page, and long texts piece by piece', async () => {
    const long = 'Zeile "eins" \n'.repeat(3000);
    await client.call('pgvector', 'pgvector_create_collection', { name: 'pages', dimensions: 2, distance: 'l2' });
    const items = Array.from({ length: 60 }, (_, at) => ({ id: `p${String(at).padStart(2, '0')}`, vector: [at, 1] }));
    await client.call('pgvector', 'pgvector_upsert', {
      collection: 'pages',
      items: [...items, { id: 'zz', text: long, vector: [1, 2], metadata: { note: 'n'.repeat(9000) } }],
    });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.read<{ items: { id: string }[]; next_cursor?: string }>(
        'pgvector',
        'pgvector_list_items',
        {
          collection: 'pages',
          limit: 25,
          ...(cursor !== undefined && { cursor }),
        },
      );
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual([...items.map(({ id }) => id), 'zz']);

    let text = '';
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const answer: { items: { text: string; text_length: number; metadata_cut: string; next_offset?: number }[] } =
        await client.read('pgvector', 'pgvector_get_items', { collection: 'pages', ids: ['zz'], offset });
      text += answer.items[0]?.text ?? '';
      expect(answer.items[0]?.text_length).toBe(long.length);
      expect(answer.items[0]?.metadata_cut).toContain('nnn');
      offset = answer.items[0]?.next_offset;
    }
    expect(text).toBe(long);
    const some = await client.read('pgvector', 'pgvector_get_items', { collection: 'pages', ids: ['p01', 'nope'] });
    expect(some).toEqual({ items: [{ id: 'p01', metadata: {} }], missing: ['nope'] });
    expect(await client.refused('pgvector', 'pgvector_get_items', { collection: 'pages', ids: ['nope'] })).toContain(
      'pages has no item nope',
    );
    const near = await client.read<Results>('pgvector', 'pgvector_search', {
      collection: 'pages',
      vector: [7, 1],
      limit: 200,
      chars: 2000,
    });
    expect(near.results[0]).toMatchObject({ id: 'p07', score: 1, distance: 0 });
    expect(near.results.length + (near.more ?? 0)).toBe(61);
  });

  test('replaces what an item mentions, and nothing else', async () => {
    const again = { id: 'backup', text: 'Backups run every hour.' };
    expect(
      await client.call('pgvector', 'pgvector_upsert', { collection: 'docs', items: [again, { text: 'New.' }] }),
    ).toMatchObject({
      inserted: 1,
      updated: 1,
    });
    const { items } = await client.read<{ items: unknown[] }>('pgvector', 'pgvector_get_items', {
      collection: 'docs',
      ids: ['backup'],
    });
    expect(items).toEqual([{ ...DOCS[0], text: 'Backups run every hour.' }]);
    const changes = {
      collection: 'docs',
      filter: { source: 'ops.md' },
      set: { source: 'old.md', seen: true },
      remove: ['year'],
    };
    expect(await client.call('pgvector', 'pgvector_update_metadata', { ...changes, dry_run: true })).toEqual({
      updated: 0,
      would_update: 2,
      ids: ['backup', 'restore'],
    });
    expect(await client.call('pgvector', 'pgvector_update_metadata', changes)).toEqual({ updated: 2 });
    expect(await ids({ collection: 'docs', text: 'x', filter: { seen: true, year: { exists: false } } })).toHaveLength(
      2,
    );
  });

  test('deletes what is confirmed, and says how much', async () => {
    const chosen = { collection: 'docs', filter: { source: 'food.md' } };
    expect(await client.call('pgvector', 'pgvector_delete_items', { ...chosen, dry_run: true })).toEqual({
      deleted: 0,
      would_delete: 2,
      ids: ['lunch', 'vegan'],
    });
    expect(await client.refused('pgvector', 'pgvector_delete_items', { collection: 'docs', filter: {} })).toContain(
      'would mean every item',
    );
    expect(await client.refused('pgvector', 'pgvector_delete_items', { collection: 'docs' })).toContain(
      'either ids or filter',
    );
    expect(await client.refused('pgvector', 'pgvector_delete_items', { collection: 'docs', ids: ['none'] })).toContain(
      'Nothing was deleted',
    );
    const { question, result } = await client.confirmed('pgvector', 'pgvector_delete_items', chosen);
    expect(question).toContain('Deletes 2 of the 5 items of docs: lunch, vegan.');
    expect(result).toEqual({ deleted: 2 });
    const dropped = await client.confirmed('pgvector', 'pgvector_drop_collection', { collection: 'pages' });
    expect(dropped.question).toContain('Deletes the table public.pages with 61 items');
    expect(await client.refused('pgvector', 'pgvector_get_collection', { collection: 'pages' })).toContain(
      'No collection pages',
    );
  });

  test('a collection never mixes two models', async () => {
    const other = await fakeApi(512);
    owned.use(other);
    const embedder = { url: other.url, model: 'other-model', apiKey: 'sk-secret-key' };
    await using second = await moduleClient({ pgvector: { url: postgres.url(), mode: 'read-write', embedder } });
    const said = await second.refused('pgvector', 'pgvector_upsert', { collection: 'docs', items: [{ text: 'a' }] });
    expect(said).toContain(
      'The vectors of docs are of the model use-lite@0.2.0/512, and Sluice uses other-model@api/512',
    );
    expect(await second.refused('pgvector', 'pgvector_search', { collection: 'docs', text: 'a' })).toContain(
      'modules.pgvector.embedder',
    );
    await second.call('pgvector', 'pgvector_create_collection', { name: 'theirs' });
    await second.call('pgvector', 'pgvector_upsert', {
      collection: 'theirs',
      items: [
        { id: 'a', text: 'a' },
        { id: 'b', text: 'b' },
      ],
    });
    const found = await second.read<Results>('pgvector', 'pgvector_search', {
      collection: 'theirs',
      text: 'b',
      limit: 1,
    });
    expect(found.results).toMatchObject([{ id: 'b', score: 1 }]);
    other.fail();
    const failed = await second.refused('pgvector', 'pgvector_search', { collection: 'theirs', text: 'b' });
    expect(failed).toContain('denied access');
    expect(failed).not.toContain('sk-secret-key');
  });

  describe('tables of others', () => {
    test('n8n’s, without dimensions and with collections', async () => {
      await admin.query(`
        CREATE TABLE n8n_vectors ("id" uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY, "text" text, "metadata" jsonb, "embedding" vector);
        CREATE TABLE n8n_vector_collections (uuid uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY, name character varying, cmetadata jsonb);
        ALTER TABLE n8n_vectors ADD COLUMN collection_id uuid;
        ALTER TABLE n8n_vectors ADD CONSTRAINT n8n_vectors_collection_id_fkey FOREIGN KEY (collection_id)
          REFERENCES n8n_vector_collections(uuid) ON DELETE CASCADE;
        INSERT INTO n8n_vector_collections (name) VALUES ('sales'), ('support');
        INSERT INTO n8n_vectors (text, metadata, embedding, collection_id)
          SELECT 'row ' || g, json_build_object('loc', g), ('[' || g || ',1,0]')::vector, (SELECT uuid FROM n8n_vector_collections WHERE name = 'sales')
          FROM generate_series(1, 50) g`);
      const { collections } = await client.read<{ collections: { name: string }[] }>(
        'pgvector',
        'pgvector_list_collections',
      );
      expect(collections.find(({ name }) => name === 'n8n_vectors')).toEqual({
        name: 'n8n_vectors',
        items: 50,
        dimensions: 3,
        parts: ['n8n_vectors/sales', 'n8n_vectors/support'],
      });
      const found = await client.read<Results>('pgvector', 'pgvector_search', {
        collection: 'n8n_vectors/sales',
        vector: [3, 1, 0],
        filter: { loc: { lte: 3 } },
        limit: 2,
      });
      expect(found.results.map(({ text }) => text)).toEqual(['row 3', 'row 2']);
      expect(found.results[0]).not.toHaveProperty('fields');
      expect(await ids({ collection: 'n8n_vectors/support', vector: [3, 1, 0] })).toEqual([]);
      expect(await client.refused('pgvector', 'pgvector_search', { collection: 'n8n_vectors', text: 'row' })).toContain(
        'have 3 dimensions, and those of use-lite@0.2.0/512 have 512, so another model made them',
      );
      expect(
        await client.refused('pgvector', 'pgvector_upsert', {
          collection: 'n8n_vectors',
          items: [{ vector: [1, 2, 3] }],
        }),
      ).toContain('Name one, as in n8n_vectors/NAME');
      expect(
        await client.refused('pgvector', 'pgvector_upsert', {
          collection: 'n8n_vectors/sales',
          items: [{ vector: [1, 2] }],
        }),
      ).toContain('items.0.vector has 2 dimensions, and n8n_vectors/sales has 3');
      expect(
        await client.refused('pgvector', 'pgvector_search', { collection: 'n8n_vectors/nope', vector: [1, 2, 3] }),
      ).toContain('It has n8n_vectors/sales, n8n_vectors/support');
      const made = await client.call<{ ids: string[] }>('pgvector', 'pgvector_upsert', {
        collection: 'n8n_vectors/support',
        items: [{ text: 'help', vector: [0, 0, 1] }],
      });
      // The statement that n8n searches with.
      const asN8n = await admin.query<{ id: string; text: string; metadata: unknown }>(
        `SELECT *, "embedding" <=> $1 AS "_distance" FROM n8n_vectors
         WHERE collection_id = (SELECT uuid FROM n8n_vector_collections WHERE name = 'support') ORDER BY "_distance" ASC LIMIT 1`,
        ['[0,0,1]'],
      );
      expect(asN8n.rows).toMatchObject([{ id: made.ids[0], text: 'help', metadata: {} }]);
      // An id of one collection is not taken over by another.
      expect(
        await client.refused('pgvector', 'pgvector_upsert', {
          collection: 'n8n_vectors/sales',
          items: [{ id: made.ids[0], text: 'mine', vector: [0, 0, 1] }],
        }),
      ).toContain('belongs to an item of another collection');
      expect(await client.call('pgvector', 'pgvector_create_index', { collection: 'n8n_vectors' })).toMatchObject({
        on: '("embedding"::"public"."vector"(3))',
      });
      const indexed = await client.read<Results>('pgvector', 'pgvector_search', {
        collection: 'n8n_vectors',
        vector: [3, 1, 0],
        limit: 5,
      });
      expect(indexed.index).toMatch(/^n8n_vectors_hnsw_cosine_/);
      expect(indexed.results[0]?.text).toBe('row 3');
    });

    test('LangChain’s for Python, old and new', async () => {
      await admin.query(`
        CREATE TABLE langchain_pg_collection (uuid uuid PRIMARY KEY, name varchar NOT NULL UNIQUE, cmetadata json);
        CREATE TABLE langchain_pg_embedding (id varchar PRIMARY KEY, collection_id uuid REFERENCES langchain_pg_collection ON DELETE CASCADE,
          embedding vector, document varchar, cmetadata jsonb);
        INSERT INTO langchain_pg_collection VALUES ('00000000-0000-0000-0000-000000000001', 'team', '{}');
        CREATE TABLE vectorstore (langchain_id uuid PRIMARY KEY, content text NOT NULL, embedding vector(3) NOT NULL, langchain_metadata json, len int)`);
      const items = [
        { text: 'alpha', vector: [1, 0, 0], metadata: { k: 1 } },
        { text: 'beta', vector: [0, 1, 0] },
      ];
      await client.call('pgvector', 'pgvector_upsert', { collection: 'langchain_pg_embedding/team', items });
      const found = await client.read<Results>('pgvector', 'pgvector_search', {
        collection: 'langchain_pg_embedding/team',
        vector: [1, 0, 0],
        filter: { k: { gte: 1 } },
      });
      expect(found.results).toMatchObject([{ text: 'alpha', metadata: { k: 1 }, score: 1 }]);
      const { rows } = await admin.query(
        'SELECT collection_id, document FROM langchain_pg_embedding ORDER BY document',
      );
      expect(rows).toEqual([
        { collection_id: '00000000-0000-0000-0000-000000000001', document: 'alpha' },
        { collection_id: '00000000-0000-0000-0000-000000000001', document: 'beta' },
      ]);
      await client.call('pgvector', 'pgvector_upsert', {
        collection: 'vectorstore',
        items: items.map((item) => ({ ...item, fields: { len: 5 } })),
      });
      const newer = await client.read<Results>('pgvector', 'pgvector_search', {
        collection: 'vectorstore',
        vector: [1, 0, 0],
        filter: { k: 1, len: { lt: 6 } },
      });
      expect(newer.results).toMatchObject([{ text: 'alpha', metadata: { k: 1 }, fields: { len: '5' } }]);
      expect(
        await client.call('pgvector', 'pgvector_update_metadata', {
          collection: 'vectorstore',
          filter: { k: 1 },
          set: { k: 2 },
        }),
      ).toEqual({ updated: 1 });
    });

    test('any other, with strange names', async () => {
      await admin.query(`
        CREATE TABLE "Odd ""Table"" / x" ("Key" serial PRIMARY KEY, "a""b" text NOT NULL, title text, "my vec" halfvec(3), second vector(2));
        CREATE VIEW looks AS SELECT * FROM "Odd ""Table"" / x";
        CREATE TABLE keyless (note text, vec vector(2));
        INSERT INTO keyless SELECT 'n' || g, ('[' || g || ',1]')::vector FROM generate_series(1, 3) g`);
      const collection = 'Odd "Table" / x';
      const columns = { vector: 'my vec', text: 'title' };
      expect(
        await client.refused('pgvector', 'pgvector_upsert', {
          collection,
          columns,
          items: [{ text: 't', vector: [1, 2, 3] }],
        }),
      ).toContain('Pass it in fields');
      await client.call('pgvector', 'pgvector_upsert', {
        collection,
        columns,
        items: [{ text: 't', vector: [1, 2, 3], fields: { 'a"b': 'x' } }],
      });
      expect(
        await client.read('pgvector', 'pgvector_search', { collection: 'looks', columns, vector: [1, 2, 3] }),
      ).toMatchObject({
        results: [{ text: 't', score: 1, fields: { 'a"b': 'x' } }],
      });
      expect(
        await client.refused('pgvector', 'pgvector_upsert', { collection: 'looks', items: [{ vector: [1, 2] }] }),
      ).toContain('is a view');
      expect(
        await client.refused('pgvector', 'pgvector_search', {
          collection,
          columns: { vector: 'title' },
          vector: [1, 2, 3],
        }),
      ).toContain('Possible are my vec, second');
      const { items, next_cursor } = await client.read<{ items: unknown[]; next_cursor: string }>(
        'pgvector',
        'pgvector_list_items',
        {
          collection: 'keyless',
          limit: 2,
        },
      );
      expect(items).toEqual([{ text: 'n1' }, { text: 'n2' }]);
      expect(
        await client.read('pgvector', 'pgvector_list_items', { collection: 'keyless', cursor: next_cursor }),
      ).toEqual({
        items: [{ text: 'n3' }],
      });
      expect(
        await client.refused('pgvector', 'pgvector_upsert', {
          collection: 'keyless',
          items: [{ id: 'a', vector: [1, 2] }],
        }),
      ).toContain('no primary key of one column');
      await client.call('pgvector', 'pgvector_upsert', {
        collection: 'keyless',
        items: [{ text: 'new', vector: [1, 2] }],
      });
      expect(await client.read('pgvector', 'pgvector_get_collection', { collection: 'keyless' })).toMatchObject({
        items: 4,
      });
    });
  });

  test('an index serves searches, and a filter does not make them find less', async () => {
    await client.call('pgvector', 'pgvector_create_collection', { name: 'many', dimensions: 16, distance: 'l2' });
    // Rows of the rare kind are far from what is asked for.
    await admin.query(`INSERT INTO many (id, metadata, embedding)
      SELECT 'm' || g, jsonb_build_object('rare', g % 500 = 0), (SELECT array_agg(shift + random()) FROM (SELECT CASE WHEN g % 500 = 0 THEN 10 ELSE 0 END AS shift FROM generate_series(1, 16)) AS sixteen)::vector
      FROM generate_series(1, 8000) g; ANALYZE many`);
    const question = { collection: 'many', vector: Array.from({ length: 16 }, () => 0.5) };
    const built = await client.call<{ index: string }>('pgvector', 'pgvector_create_index', {
      collection: 'many',
      kind: 'hnsw',
      m: 8,
    });
    expect(await client.refused('pgvector', 'pgvector_create_index', { collection: 'many', m: 8 })).toContain(
      built.index,
    );
    const plain = await client.read<Results>('pgvector', 'pgvector_search', { ...question, limit: 30 });
    expect(plain.index).toBe(built.index);
    const rare = await client.read<Results>('pgvector', 'pgvector_search', {
      ...question,
      filter: { rare: true },
      limit: 16,
      chars: 0,
    });
    expect(rare.results).toHaveLength(16);
    expect(rare.results.map(({ distance }) => distance)).toEqual(
      rare.results.map(({ distance }) => distance).toSorted((a, b) => a - b),
    );
    await client.call('pgvector', 'pgvector_create_index', { collection: 'many', kind: 'ivfflat', lists: 20 });
    await client.call('pgvector', 'pgvector_create_index', { collection: 'many', kind: 'metadata' });
    const { indexes } = await client.read<{ indexes: { name: string; kind: string; valid: boolean; scans: number }[] }>(
      'pgvector',
      'pgvector_list_indexes',
      { collection: 'many' },
    );
    expect(indexes.map(({ kind, valid }) => `${kind} ${valid}`)).toEqual([
      'hnsw true',
      'ivfflat true',
      'gin true',
      'btree true',
    ]);
    const dropped = await client.confirmed('pgvector', 'pgvector_drop_index', {
      collection: 'many',
      index: built.index,
    });
    expect(dropped.question).toContain(`Deletes the hnsw index ${built.index} of many. No item is deleted.`);
    expect(
      await client.refused('pgvector', 'pgvector_drop_index', { collection: 'many', index: 'many_pkey' }),
    ).toContain('It stays');
    const byLists = await client.read<Results>('pgvector', 'pgvector_search', {
      ...question,
      filter: { rare: true },
      limit: 16,
      chars: 0,
    });
    expect(byLists.results).toHaveLength(16);
  });

  test('words find what meaning alone does not', async () => {
    await client.call('pgvector', 'pgvector_create_collection', { name: 'codes', dimensions: 2 });
    await client.call('pgvector', 'pgvector_upsert', {
      collection: 'codes',
      items: [
        { id: 'far', text: 'Error E-4711: the pump is dry.', vector: [0, 1] },
        { id: 'near', text: 'All pumps are fine.', vector: [1, 0] },
        { id: 'nearer', text: 'Nothing to report.', vector: [1, 0.01] },
      ],
    });
    const question = { collection: 'codes', vector: [1, 0], limit: 2 };
    expect(await ids(question)).toEqual(['near', 'nearer']);
    await client.call('pgvector', 'pgvector_create_index', { collection: 'codes', kind: 'words' });
    const found = await client.read<Results>('pgvector', 'pgvector_search', { ...question, words: "E-4711 ' | !" });
    expect(found.results).toMatchObject([
      { id: 'near', found_by: 'meaning' },
      { id: 'far', found_by: 'words', score: 0 },
    ]);
    expect(
      await client.refused('pgvector', 'pgvector_search', { collection: 'larg', vector: [1], words: 'x' }),
    ).toContain('No collection larg');
  });

  test('an index that cannot be built in time says so, and is built later', async () => {
    await using hasty = await moduleClient({ pgvector: { url: postgres.url(), mode: 'read-write', timeout: '4s' } });
    await admin.query(`BEGIN; UPDATE codes SET text = text || '.'`);
    const said = await hasty.refused('pgvector', 'pgvector_create_index', { collection: 'codes' });
    expect(said).toContain('The index was not built within 3 s.');
    expect(said).toContain('Raise modules.pgvector.timeout');
    await admin.query('ROLLBACK');
    const built = await client.call<{ index: string }>('pgvector', 'pgvector_create_index', { collection: 'codes' });
    const { rows } = await admin.query('SELECT indisvalid FROM pg_index WHERE indexrelid = $1::regclass', [
      built.index,
    ]);
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  test('wide rows fit into a reply', async () => {
    const columns = Array.from({ length: 60 }, (_, at) => `"a rather long name of a column ${at}" text`);
    await admin.query(`CREATE TABLE wide (id text PRIMARY KEY, content text, metadata jsonb, embedding vector(2), ${columns.join(', ')});
      INSERT INTO wide SELECT 'w' || g, repeat(E'"\\n\u00e9', 20000), jsonb_build_object('k', repeat(E'"\\n', 400)), '[1,1]',
        ${columns.map(() => "repeat(E'\\t\\n', 5000)").join(', ')} FROM generate_series(1, 3) g`);
    const found = await client.read<Results>('pgvector', 'pgvector_search', {
      collection: 'wide',
      vector: [1, 1],
      chars: 2000,
    });
    expect(found.results.length + (found.more ?? 0)).toBe(3);
    expect(
      await client.read('pgvector', 'pgvector_get_items', { collection: 'wide', ids: ['w1', 'w2'] }),
    ).toMatchObject({
      items: [{ id: 'w1', text_length: 60_000 }],
    });
    const about = await client.read<{ columns: unknown[]; more_columns: number }>(
      'pgvector',
      'pgvector_get_collection',
      {
        collection: 'wide',
      },
    );
    expect(about.columns.length + about.more_columns).toBe(64);
  });

  test('vectors too large for an index are indexed by half', async () => {
    await client.call('pgvector', 'pgvector_create_collection', { name: 'large', dimensions: 3072 });
    const items = Array.from({ length: 3 }, (_, at) => ({
      id: `${at}`,
      vector: Array.from({ length: 3072 }, (_, n) => Math.sin(n * (at + 1))),
    }));
    await client.call('pgvector', 'pgvector_upsert', { collection: 'large', items });
    expect(await client.call('pgvector', 'pgvector_create_index', { collection: 'large' })).toMatchObject({
      on: '("embedding"::"public"."halfvec"(3072))',
    });
    const found = await client.read<Results>('pgvector', 'pgvector_search', {
      collection: 'large',
      like: '1',
      limit: 2,
    });
    expect(found).toMatchObject({ index: expect.stringContaining('large_hnsw') as string });
    expect(found.results.map(({ id }) => id)).not.toContain('1');
  });

  test.each([
    ['pgvector_search', { collection: 'dosc', text: 'a' }, 'Did you mean docs'],
    ['pgvector_search', { collection: 'docs' }, 'Pass one of text, vector and like'],
    ['pgvector_search', { collection: 'docs', vector: [1] }, 'has 1 dimensions, and docs has 512'],
    ['pgvector_search', { collection: 'docs', text: 'a', filter: { a: { $where: '1' } } }, 'is not an operator'],
    ['pgvector_search', { collection: 'docs', like: 'nope' }, 'docs has no item nope'],
    ['pgvector_search', { collection: 'sluice.secrets', vector: [1, 2, 3] }, 'No collection sluice.secrets'],
    ['pgvector_search', { collection: 'pg_class', text: 'a' }, 'No collection pg_class'],
    ['pgvector_search', { collection: 'docs"; DROP TABLE docs; --', text: 'a' }, 'No collection docs"; DROP'],
    ['pgvector_upsert', { collection: 'docs', items: [{ metadata: {} }] }, 'neither text nor vector'],
    [
      'pgvector_upsert',
      { collection: 'docs', items: [{ id: 'a', text: 'a\u0000' }] },
      'character that PostgreSQL cannot keep',
    ],
    [
      'pgvector_upsert',
      {
        collection: 'docs',
        items: [
          { id: 'a', text: 'a' },
          { id: 'a', text: 'b' },
        ],
      },
      'is there twice',
    ],
    ['pgvector_get_items', { collection: 'n8n_vectors', ids: ['x'] }, 'does not fit its column'],
    ['pgvector_create_collection', { name: 'docs' }, 'There is a table or index docs already'],
    ['pgvector_create_collection', { name: 'a b' }, 'letters, digits and _'],
    ['pgvector_create_index', { collection: 'docs', kind: 'hnsw', m: 1 }, 'm'],
    ['pgvector_list_items', { collection: 'many', limit: 5000 }, 'limit'],
  ])('%s %j is refused', async (tool, params, message) => {
    expect(await client.refused('pgvector', tool, params)).toContain(message);
    expect((await admin.query('SELECT count(*)::int FROM docs')).rows).toEqual([{ count: 3 }]);
  });

  test('lists what is allowed, and only reads by default', async () => {
    await using narrow = await moduleClient({
      pgvector: { url: postgres.url(), collections: ['doc*', 'n8n_vectors/sales'] },
    });
    expect(await narrow.read('pgvector', 'pgvector_list_collections')).toMatchObject({
      collections: [{ name: 'docs' }, { name: 'n8n_vectors', items: 50, parts: ['n8n_vectors/sales'] }],
    });
    expect(await narrow.refused('pgvector', 'pgvector_search', { collection: 'many', text: 'a' })).toContain(
      'modules.pgvector.collections in sluice.yaml allows doc*',
    );
    for (const collection of ['n8n_vectors', 'n8n_vectors/support'])
      expect(await narrow.refused('pgvector', 'pgvector_search', { collection, vector: [1, 2, 3] })).toContain(
        'out of reach',
      );
    expect(
      (await narrow.read<Results>('pgvector', 'pgvector_search', { collection: 'docs', text: 'a' })).results,
    ).toHaveLength(3);
    expect(await narrow.list('pgvector')).not.toContain('upsert');
    expect(
      await narrow.refused('pgvector', 'pgvector_upsert', { collection: 'docs', items: [{ text: 'a' }] }),
    ).toContain('set modules.pgvector.mode to read-write');
  });

  test('says what is missing', async () => {
    const url = new URL(postgres.url());
    const bare = Object.assign(new URL(url), { pathname: '/bare' }).href;
    const wrong = Object.assign(new URL(url), { password: 'hunter2' }).href;
    await using several = await moduleClient({
      bare: { type: 'pgvector', url: bare },
      wrong: { type: 'pgvector', url: wrong },
      own: { type: 'pgvector', url: url.href, schema: 'sluice' },
    });
    expect(await several.refused('bare', 'bare_list_collections')).toContain(
      'run CREATE EXTENSION vector; in the database bare',
    );
    const said = await several.refused('wrong', 'wrong_list_collections');
    expect(said).toContain('refuses the user or the password. Correct modules.wrong.url');
    expect(said).not.toContain('hunter2');
    expect(several.health('wrong')).toMatchObject({ state: 'failing' });
    expect(await several.refused('own', 'own_list_collections')).toContain('belongs to Sluice itself');
  });

  test('an answer that is too long ends its connection, and nothing else', async () => {
    await admin.query(`CREATE VIEW huge AS SELECT repeat('x', 20000000) AS id, '[1,2,3]'::vector(3) AS embedding`);
    expect(await client.refused('pgvector', 'pgvector_list_items', { collection: 'huge' })).toMatch(
      /one row of \d+ MB, and 16 MB are the limit/,
    );
    await admin.query('DROP VIEW huge');
    const { items } = await client.read<{ items: unknown[] }>('pgvector', 'pgvector_list_items', {
      collection: 'docs',
    });
    expect(items).toHaveLength(3);
  });

  test('a slow server, and one that goes away and comes back', async () => {
    await using hasty = await moduleClient({ pgvector: { url: postgres.url(), timeout: '1s' } });
    await admin.query('BEGIN; LOCK TABLE docs IN ACCESS EXCLUSIVE MODE');
    expect(await hasty.refused('pgvector', 'pgvector_list_items', { collection: 'docs' })).toMatch(
      /took (?:too long|longer than 1 s)/,
    );
    await admin.query('ROLLBACK');
    const { items } = await hasty.read<{ items: unknown[] }>('pgvector', 'pgvector_list_items', { collection: 'docs' });
    expect(items).toHaveLength(3);
    expect(hasty.health('pgvector')).toMatchObject({ state: 'ready' });

    await admin.query('BEGIN; LOCK TABLE docs IN ACCESS EXCLUSIVE MODE');
    const during = client.refused('pgvector', 'pgvector_upsert', { collection: 'docs', items: [{ text: 'lost' }] });
    await expect
      .poll(async () => (await admin.query('SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted')).rows)
      .toEqual([{ count: 1 }]);
    await postgres.stop('immediate');
    expect(await during).toMatch(/starting or stopping|closed the connection|does not answer|is not running/);
    expect(await client.refused('pgvector', 'pgvector_search', { collection: 'docs', text: 'a' })).toContain(
      'is not running',
    );
    expect(client.health('pgvector')).toMatchObject({ state: 'failing' });
    await postgres.start();
    expect(await ids({ collection: 'docs', text: 'a' })).toHaveLength(3);
    expect(client.health('pgvector')).toMatchObject({ state: 'ready' });
  });
});

/** An API like OpenAI's: each letter has a vector of its own. */
async function fakeApi(dimensions: number) {
  let isClosed = false;
  const server = createServer((request, response) => {
    void (async () => {
      const { input } = (await json(request)) as { input: string[] };
      const vector = (text: string) =>
        Array.from({ length: dimensions }, (_, at) => (at === text.charCodeAt(0) % dimensions ? 1 : 0));
      response.writeHead(isClosed ? 401 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: input.map((text, index) => ({ index, embedding: vector(text) })) }));
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    fail: () => {
      isClosed = true;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
