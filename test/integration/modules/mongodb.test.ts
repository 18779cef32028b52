import { Binary, Decimal128, Long, ObjectId } from 'bson';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import { realUrl, startMongo, type TestMongo } from '../../support/mongodb.ts';
import type { Json } from '../harness.ts';

interface Found {
  documents: Json[];
  next_skip?: number;
  note?: string;
}

let mongo: TestMongo;
let client: ModuleClient;
let reader: ModuleClient;
/** The arguments that most calls share. */
let orders: { database: string; collection: string };

beforeAll(async () => {
  mongo = await startMongo();
  client = await moduleClient({ mongodb: { url: mongo.url, mode: 'read-write' } });
  reader = await moduleClient({ mongodb: { url: mongo.url, database: mongo.database } });
  orders = { database: mongo.database, collection: 'orders' };
});

afterAll(async () => {
  await reader?.[Symbol.asyncDispose]();
  await client?.[Symbol.asyncDispose]();
  await mongo?.[Symbol.asyncDispose]();
});

const first = new ObjectId();

beforeEach(async () => {
  const db = mongo.client.db(mongo.database);
  await db.dropDatabase();
  await db.collection('orders').insertMany([
    { _id: first, customer: 'ada', state: 'paid', total: 12.5, tags: ['new', 'gift'], at: new Date('2026-01-01') },
    { customer: 'ada', state: 'open', total: 3, tags: ['gift'], at: new Date('2026-02-01'), address: { city: 'Bern' } },
    { customer: 'ben', state: 'open', total: 8, items: [{ sku: 'a' }, { sku: 'b' }], at: new Date('2026-03-01') },
  ]);
  await db.collection('secrets').insertOne({ key: 'hush' });
});

const find = (args: Json) => client.read<Found>('mongodb', 'mongodb_find', { ...orders, ...args });

describe('discovering', () => {
  it('lists its tools in one line each, and the schema of one', async () => {
    expect(await client.listed()).toEqual(expect.arrayContaining(['mongodb_list', 'mongodb_call', 'mongodb_read']));
    const lines = await client.list('mongodb');
    expect(lines).toContain('mongodb_find');
    expect(lines).toContain('mongodb_delete_documents');
    expect(await client.list('mongodb', { tool: 'mongodb_aggregate' })).toContain('"pipeline"');
  });

  it('names tools that are near one that does not exist', async () => {
    expect(await client.refused('mongodb', 'mongodb_agregate')).toContain('mongodb_aggregate');
  });

  it('lists databases without those of the server', async () => {
    const { databases } = await client.read<{ databases: { name: string }[] }>('mongodb', 'mongodb_list_databases');
    const names = databases.map(({ name }) => name);
    expect(names).toContain(mongo.database);
    expect(names).not.toContain('admin');
  });

  it('lists collections with their counts', async () => {
    const listed = await client.read('mongodb', 'mongodb_list_collections', { database: mongo.database });
    expect(listed.collections).toEqual([
      expect.objectContaining({ name: 'orders', type: 'collection', documents: 3, indexes: 1 }),
      expect.objectContaining({ name: 'secrets', documents: 1 }),
    ]);
    const some = await client.read('mongodb', 'mongodb_list_collections', {
      database: mongo.database,
      pattern: 'sec*',
    });
    expect(some.collections).toHaveLength(1);
  });

  it('pages through hundreds of collections', async () => {
    const db = mongo.client.db(`${mongo.database}_many`);
    for (let at = 0; at < 100; at++) await db.createCollection(`c${String(at).padStart(3, '0')}`);
    const names: string[] = [];
    let after: string | undefined;
    do {
      const page: { collections: { name: string }[]; next_after?: string } = await client.read(
        'mongodb',
        'mongodb_list_collections',
        { database: db.databaseName, ...(after !== undefined && { after }) },
      );
      names.push(...page.collections.map(({ name }) => name));
      after = page.next_after;
    } while (after !== undefined);
    expect(names).toHaveLength(100);
    await db.dropDatabase();
  });

  it('shows the fields of a collection with types and shares', async () => {
    await mongo.client
      .db(mongo.database)
      .collection('orders')
      .insertOne({ customer: null, price: Decimal128.fromString('9.99'), big: Long.fromString('9007199254740993') });
    const { sampled, fields } = await client.read<{ sampled: number; fields: Json[] }>(
      'mongodb',
      'mongodb_get_schema',
      orders,
    );
    expect(sampled).toBe(4);
    const byName = new Map(fields.map((field) => [field.field, field]));
    expect(byName.get('_id')).toMatchObject({ share: 1, types: ['objectId'] });
    expect(byName.get('customer')).toMatchObject({ share: 1, types: ['string', 'null'] });
    expect(byName.get('total')?.types).toEqual(['int', 'double']);
    expect(byName.get('price')).toMatchObject({ share: 0.25, types: ['decimal'], example: { $numberDecimal: '9.99' } });
    expect(byName.get('big')?.types).toEqual(['long']);
    expect(byName.get('tags[]')).toMatchObject({ share: 0.5, types: ['string'] });
    expect(byName.get('items[].sku')).toMatchObject({ share: 0.25, example: 'a' });
    expect(byName.get('address.city')).toMatchObject({ example: 'Bern' });
    const below = await client.read<{ fields: Json[] }>('mongodb', 'mongodb_get_schema', { ...orders, under: 'items' });
    expect(below.fields.map(({ field }) => field)).toEqual(['items[]', 'items[].sku']);
    expect(await client.refused('mongodb', 'mongodb_get_schema', { ...orders, collection: 'none' })).toContain(
      'mongodb_list_collections',
    );
  });
});

describe('reading', () => {
  it('finds by filter, sort, projection, limit and skip', async () => {
    const { documents, next_skip } = await find({
      filter: { at: { $gte: { $date: '2026-01-15T00:00:00Z' } } },
      projection: { _id: 0, customer: 1 },
      sort: { at: -1 },
      limit: 1,
    });
    expect(documents).toEqual([{ customer: 'ben' }]);
    expect(next_skip).toBe(1);
    const rest = await find({
      filter: { state: 'open' },
      projection: { _id: 0, customer: 1 },
      sort: { at: -1 },
      skip: 1,
    });
    expect(rest).toEqual({ documents: [{ customer: 'ada' }] });
  });

  it('takes an _id as Extended JSON and as plain digits', async () => {
    const hex = first.toHexString();
    for (const _id of [hex, { $oid: hex }, { $in: [hex] }, { $eq: hex }]) {
      const { documents } = await find({ filter: { _id } });
      expect(documents).toMatchObject([{ _id: { $oid: hex }, at: { $date: '2026-01-01T00:00:00.000Z' } }]);
    }
    expect((await find({ filter: { $or: [{ _id: hex }, { customer: 'ben' }] } })).documents).toHaveLength(2);
    const matched = await client.read<Found>('mongodb', 'mongodb_aggregate', {
      ...orders,
      pipeline: [{ $match: { _id: hex } }],
    });
    expect(matched.documents).toHaveLength(1);
  });

  it('keeps what stands beside a regular expression', async () => {
    const { documents } = await find({ filter: { customer: { $regex: '^A', $options: 'i', $ne: 'ada' } } });
    expect(documents).toEqual([]);
  });

  it('gives every type back as it can be sent', async () => {
    const collection = mongo.client.db(mongo.database).collection('types');
    await collection.insertOne({
      long: Long.fromString('9007199254740993'),
      decimal: Decimal128.fromString('0.10'),
      bytes: new Binary(Buffer.from('abc')),
      never: null,
      nan: Number.NaN,
    });
    const types = { database: mongo.database, collection: 'types' };
    const { documents } = await client.read<Found>('mongodb', 'mongodb_find', types);
    const [{ _id, ...shown } = {}] = documents;
    expect(shown).toEqual({
      long: { $numberLong: '9007199254740993' },
      decimal: { $numberDecimal: '0.10' },
      bytes: { $binary: { base64: 'YWJj', subType: '00' } },
      never: null,
      nan: { $numberDouble: 'NaN' },
    });
    await client.call('mongodb', 'mongodb_insert_documents', { ...types, documents: [shown] });
    const again = await client.read<{ count: number }>('mongodb', 'mongodb_count', {
      ...types,
      filter: { long: { $numberLong: '9007199254740993' }, decimal: { $numberDecimal: '0.10' } },
    });
    expect(again.count).toBe(2);
  });

  it('aggregates, joins and counts', async () => {
    const { documents } = await client.read<Found>('mongodb', 'mongodb_aggregate', {
      ...orders,
      pipeline: [{ $group: { _id: '$customer', total: { $sum: '$total' } } }, { $sort: { _id: 1 } }],
    });
    expect(documents).toEqual([
      { _id: 'ada', total: 15.5 },
      { _id: 'ben', total: 8 },
    ]);
    const page = await client.read<Found>('mongodb', 'mongodb_aggregate', {
      ...orders,
      pipeline: [{ $sort: { at: 1 } }, { $project: { _id: 0, total: 1 } }],
      limit: 1,
      skip: 1,
    });
    expect(page).toEqual({ documents: [{ total: 3 }], next_skip: 2 });
    const joined = await client.read<Found>('mongodb', 'mongodb_aggregate', {
      ...orders,
      pipeline: [
        { $match: { customer: 'ben' } },
        { $lookup: { from: 'orders', localField: 'state', foreignField: 'state', as: 'others' } },
        { $project: { _id: 0, n: { $size: '$others' } } },
      ],
    });
    expect(joined.documents).toEqual([{ n: 2 }]);
    expect(await client.read('mongodb', 'mongodb_count', orders)).toEqual({ count: 3, is_estimate: true });
    expect(await client.read('mongodb', 'mongodb_count', { ...orders, filter: { state: 'open' } })).toEqual({
      count: 2,
      is_estimate: false,
    });
  });

  it('lists distinct values, also through lists', async () => {
    const values = (field: string) => client.read('mongodb', 'mongodb_distinct', { ...orders, field });
    expect((await values('state')).values).toEqual([
      { value: 'open', count: 2 },
      { value: 'paid', count: 1 },
    ]);
    expect((await values('tags')).values).toEqual([
      { value: 'gift', count: 2 },
      { value: 'new', count: 1 },
    ]);
    expect((await values('items.sku')).values).toEqual([
      { value: 'a', count: 1 },
      { value: 'b', count: 1 },
    ]);
  });

  it('explains a query, and says what would make it faster', async () => {
    const slow = await client.read('mongodb', 'mongodb_explain', { ...orders, filter: { customer: 'ada' } });
    expect(slow.stages).toContain('COLLSCAN');
    expect(JSON.stringify(slow.advice)).toContain('mongodb_create_index');
    await client.call('mongodb', 'mongodb_create_index', { ...orders, keys: { customer: 1 } });
    const fast = await client.read('mongodb', 'mongodb_explain', {
      ...orders,
      filter: { customer: 'ada' },
      limit: 5,
      verbosity: 'executionStats',
    });
    expect(fast).toMatchObject({ indexes: ['customer_1'], returned: 2, documents_examined: 2, advice: [] });
    expect(fast.stages).toContain('IXSCAN');
    const counted = await client.read('mongodb', 'mongodb_explain', {
      ...orders,
      method: 'count',
      filter: { customer: 'ada' },
    });
    expect(counted.indexes).toEqual(['customer_1']);
    const grouped = await client.read('mongodb', 'mongodb_explain', {
      ...orders,
      pipeline: [{ $match: { customer: 'ada' } }, { $group: { _id: '$state', n: { $sum: 1 } } }],
    });
    expect(grouped.indexes).toEqual(['customer_1']);
  });

  it('shows statistics, the server, its operations and its log', async () => {
    expect(await client.read('mongodb', 'mongodb_get_stats', orders)).toMatchObject({
      name: `${mongo.database}.orders`,
      documents: 3,
      indexes: 1,
    });
    expect(await client.read('mongodb', 'mongodb_get_stats', { database: mongo.database })).toMatchObject({
      collections: 2,
      documents: 4,
    });
    expect(await client.refused('mongodb', 'mongodb_get_stats', { ...orders, collection: 'none' })).toContain(
      'no collection',
    );
    expect((await client.read('mongodb', 'mongodb_get_server_info')).version).toMatch(/^\d+\.\d+/);
    expect((await client.read('mongodb', 'mongodb_list_operations')).operations).toEqual([]);
    expect((await client.read('mongodb', 'mongodb_get_logs', { kind: 'startupWarnings' })).lines).toBeDefined();
  });

  it('uses the default database', async () => {
    expect(await reader.call('mongodb', 'mongodb_count', { collection: 'orders' })).toMatchObject({ count: 3 });
    expect(await client.refused('mongodb', 'mongodb_count', { collection: 'orders' })).toContain('Name a database');
  });
});

describe('large documents', () => {
  it('shortens long values visibly, and shows the rest by projection', async () => {
    const text = 'x'.repeat(5_000_000);
    const collection = mongo.client.db(mongo.database).collection('large');
    await collection.insertOne({
      text,
      list: Array.from({ length: 5000 }, (_, at) => at),
      bytes: new Binary(Buffer.alloc(1_000_000)),
      deep: JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`) as Json,
    });
    const large = { database: mongo.database, collection: 'large' };
    const { documents, note } = await client.read<Found>('mongodb', 'mongodb_find', large);
    const [shown] = documents;
    expect(shown?.text).toMatch(/^x+… \(5000000 characters\)$/);
    expect((shown?.list as unknown[] | undefined)?.at(-1)).toMatch(/… \(\d+ more items\)/);
    expect(shown?.bytes).toContain('1000000 bytes');
    expect(note).toContain('projection');
    const part = await client.read<Found>('mongodb', 'mongodb_find', {
      ...large,
      projection: { _id: 0, part: { $substrCP: ['$text', 4_999_990, 100] } },
    });
    expect(part.documents).toEqual([{ part: 'x'.repeat(10) }]);
  });

  it('reads no more than the reply can hold', async () => {
    const collection = mongo.client.db(mongo.database).collection('large');
    for (let at = 0; at < 5; at++)
      await collection.insertMany(Array.from({ length: 10 }, () => ({ text: 'y'.repeat(1_000_000) })));
    const { documents, next_skip } = await client.read<Found>('mongodb', 'mongodb_find', {
      database: mongo.database,
      collection: 'large',
      limit: 200,
    });
    expect(documents.length).toBeGreaterThan(0);
    expect(next_skip).toBe(documents.length);
    if (!realUrl) await expect.poll(() => mongo.server.cursors()).toBe(0);
  });
});

describe('writing', () => {
  it('inserts with types, and says what it inserted', async () => {
    const answer = await client.call('mongodb', 'mongodb_insert_documents', {
      ...orders,
      documents: [{ _id: 'mine', at: { $date: '2026-05-01T00:00:00Z' } }, { customer: 'cy' }],
    });
    expect(answer).toEqual({ inserted: 2, ids: ['mine', { $oid: expect.any(String) }] });
    const { documents } = await find({ filter: { _id: 'mine' } });
    expect(documents).toEqual([{ _id: 'mine', at: { $date: '2026-05-01T00:00:00.000Z' } }]);
    const refused = await client.refused('mongodb', 'mongodb_insert_documents', {
      ...orders,
      documents: [{ n: 1 }, { _id: 'mine' }, { n: 2 }],
    });
    expect(refused).toContain('same key');
    expect(refused).toContain('1 documents of this call were inserted');
  });

  it('updates one, many, none, or inserts instead', async () => {
    const update = (args: Json) => client.call('mongodb', 'mongodb_update_documents', { ...orders, ...args });
    const change = { filter: { state: 'open' }, update: { $set: { state: 'late' } }, many: true };
    expect(await update({ ...change, dry_run: true })).toMatchObject({ matched: 2, changed: 0, dry_run: true });
    expect((await find({ filter: { state: 'late' } })).documents).toEqual([]);
    expect(await update({ ...change, many: false })).toEqual({ matched: 1, changed: 1, dry_run: false });
    expect(await update(change)).toEqual({ matched: 1, changed: 1, dry_run: false });
    expect(await update({ filter: { _id: first.toHexString() }, update: { $inc: { total: 1 } } })).toMatchObject({
      changed: 1,
    });
    const inserted = await update({ filter: { _id: 'x' }, update: { $set: { n: 1 } }, upsert: true });
    expect(inserted).toEqual({ matched: 0, changed: 0, upserted_id: 'x', dry_run: false });
    expect(await update({ filter: { _id: 'x' }, update: [{ $set: { m: { $add: ['$n', 1] } } }] })).toMatchObject({
      changed: 1,
    });
    expect((await find({ filter: { _id: 'x' } })).documents).toEqual([{ _id: 'x', n: 1, m: 2 }]);
  });

  it('asks before it deletes, and says what', async () => {
    const one = await client.confirmed('mongodb', 'mongodb_delete_documents', {
      ...orders,
      filter: { _id: first.toHexString() },
    });
    expect(one.question).toContain(first.toHexString());
    expect(one.result).toEqual({ deleted: 1 });
    const all = await client.confirmed('mongodb', 'mongodb_delete_documents', {
      ...orders,
      filter: { state: 'open' },
      many: true,
    });
    expect(all.question).toContain('2 documents');
    expect(all.question).toContain('all it has');
    expect(all.result).toEqual({ deleted: 2 });
    const none = await client.call('mongodb', 'mongodb_delete_documents', { ...orders, filter: { state: 'open' } });
    expect(none).toEqual({ deleted: 0 });
  });

  it('creates, renames and drops collections', async () => {
    const rules = { database: mongo.database, collection: 'rules' };
    await client.call('mongodb', 'mongodb_create_collection', {
      ...rules,
      validator: { $jsonSchema: { required: ['name'] } },
    });
    const broken = await client.refused('mongodb', 'mongodb_insert_documents', { ...rules, documents: [{ n: 1 }] });
    expect(broken).toContain('required');
    expect(broken).toContain('name');
    expect(await client.refused('mongodb', 'mongodb_create_collection', rules)).toContain('exists');
    const renamed = await client.call('mongodb', 'mongodb_rename_collection', { ...rules, to: 'laws' });
    expect(renamed).toEqual({ from: `${mongo.database}.rules`, to: `${mongo.database}.laws` });
    const replace = { database: mongo.database, collection: 'laws', to: 'orders' };
    expect(await client.refused('mongodb', 'mongodb_rename_collection', replace)).toContain('drop_target');
    const replaced = await client.confirmed('mongodb', 'mongodb_rename_collection', { ...replace, drop_target: true });
    expect(replaced.question).toContain('3 documents');
    const dropped = await client.confirmed('mongodb', 'mongodb_drop_collection', orders);
    expect(dropped.question).toContain(`Drops ${mongo.database}.orders with 0 documents`);
    expect(await client.refused('mongodb', 'mongodb_drop_collection', orders)).toContain('no collection');
  });

  it('creates and drops indexes, and asks before documents expire', async () => {
    const create = (args: Json) => client.call('mongodb', 'mongodb_create_index', { ...orders, ...args });
    expect(await create({ keys: { customer: 1, at: -1 } })).toEqual({ name: 'customer_1_at_-1' });
    expect(await create({ keys: { total: 1 }, unique: true, name: 'one_total' })).toEqual({ name: 'one_total' });
    expect(
      await client.refused('mongodb', 'mongodb_insert_documents', { ...orders, documents: [{ total: 3 }] }),
    ).toContain('one_total');
    expect(
      await client.refused('mongodb', 'mongodb_create_index', { ...orders, keys: { state: 1 }, name: 'one_total' }),
    ).toContain('mongodb_drop_index');
    const expiring = await client.confirmed('mongodb', 'mongodb_create_index', {
      ...orders,
      keys: { at: 1 },
      expire_after_seconds: 3600,
    });
    expect(expiring.question).toContain('3 documents');
    const { indexes } = await client.read<{ indexes: Json[] }>('mongodb', 'mongodb_list_indexes', orders);
    expect(indexes.map(({ name }) => name)).toEqual(['_id_', 'customer_1_at_-1', 'one_total', 'at_1']);
    expect(indexes[2]).toMatchObject({ keys: { total: 1 }, options: { unique: true } });
    const dropped = await client.confirmed('mongodb', 'mongodb_drop_index', { ...orders, name: 'one_total' });
    expect(dropped.question).toContain('It is unique');
    expect(await client.refused('mongodb', 'mongodb_drop_index', { ...orders, name: 'one_total' })).toContain(
      'mongodb_list_indexes',
    );
    expect(await client.refused('mongodb', 'mongodb_drop_index', { ...orders, name: '_id_' })).toContain('cannot');
  });

  it('drops a database after it has said what is in it', async () => {
    const database = `${mongo.database}_gone`;
    await mongo.client.db(database).collection('a').insertOne({ n: 1 });
    const { question } = await client.confirmed('mongodb', 'mongodb_drop_database', { database });
    expect(question).toContain('1 collection and 1 document');
    expect(await client.refused('mongodb', 'mongodb_drop_database', { database })).toContain('no database');
  });
});

describe('what is refused', () => {
  it('changes nothing in read-only mode', async () => {
    expect(await reader.list('mongodb')).not.toContain('mongodb_insert_documents');
    const said = await reader.refused('mongodb', 'mongodb_insert_documents', {
      collection: 'a',
      documents: [{ n: 1 }],
    });
    expect(said).toContain('modules.mongodb.mode');
  });

  it.each<[string, string, Json]>([
    ['$where in a filter', 'mongodb_find', { filter: { $where: 'sleep(1000)' } }],
    ['$where below $or', 'mongodb_count', { filter: { $or: [{ a: 1 }, { $where: '1' }] } }],
    ['$function in $expr', 'mongodb_find', { filter: { $expr: { $function: { body: 'x', args: [], lang: 'js' } } } }],
    ['$function in a projection', 'mongodb_find', { projection: { a: { $function: { body: 'x' } } } }],
    ['$accumulator in a group', 'mongodb_aggregate', { pipeline: [{ $group: { _id: 1, a: { $accumulator: {} } } }] }],
    ['$where in an explained query', 'mongodb_explain', { filter: { $where: '1' } }],
    ['$where in a distinct', 'mongodb_distinct', { field: 'a', filter: { $where: '1' } }],
    [
      '$function in an update',
      'mongodb_update_documents',
      { filter: { a: 1 }, update: [{ $set: { a: { $function: {} } } }] },
    ],
    ['$where in an update', 'mongodb_update_documents', { filter: { $where: '1' }, update: { $set: { a: 1 } } }],
    [
      '$where in an upsert',
      'mongodb_update_documents',
      { filter: { $where: '1' }, update: { $set: { a: 1 } }, upsert: true },
    ],
    ['$where in a delete', 'mongodb_delete_documents', { filter: { $where: '1' } }],
    [
      '$where in a validator',
      'mongodb_create_collection',
      { collection: 'v', validator: { $expr: { $function: {} } } },
    ],
    ['$out', 'mongodb_aggregate', { pipeline: [{ $out: 'copy' }] }],
    ['$merge in a facet', 'mongodb_aggregate', { pipeline: [{ $facet: { a: [{ $merge: 'copy' }] } }] }],
    ['$out in an explained pipeline', 'mongodb_explain', { pipeline: [{ $match: {} }, { $out: 'copy' }] }],
    ['$currentOp', 'mongodb_aggregate', { pipeline: [{ $currentOp: {} }] }],
    ['$changeStream', 'mongodb_aggregate', { pipeline: [{ $changeStream: {} }] }],
    ['a stage nobody knows', 'mongodb_aggregate', { pipeline: [{ $macth: {} }] }],
    ['two stages in one', 'mongodb_aggregate', { pipeline: [{ $match: {}, $out: 'copy' }] }],
    ['an update without operators', 'mongodb_update_documents', { filter: { a: 1 }, update: { state: 'x' } }],
    ['an update of everything', 'mongodb_update_documents', { filter: {}, update: { $set: { a: 1 } }, many: true }],
    [
      'an update of everything in disguise',
      'mongodb_update_documents',
      { filter: { $and: [{}] }, update: { $set: { a: 1 } } },
    ],
    ['a delete of everything', 'mongodb_delete_documents', { filter: {}, many: true }],
    ['a date that is none', 'mongodb_find', { filter: { at: { $date: 'yesterday' } } }],
    ['an id that is none', 'mongodb_find', { filter: { _id: { $oid: 'xyz' } } }],
    ['a limit of a million', 'mongodb_find', { limit: 1_000_000 }],
    ['$function in a sort', 'mongodb_find', { sort: { at: { $function: {} } } }],
    ['a sort by words', 'mongodb_find', { sort: { at: 'down' } }],
    ['an unknown parameter', 'mongodb_find', { query: {} }],
    ['a collection with a dollar', 'mongodb_find', { collection: '$cmd' }],
    ['a collection of the server', 'mongodb_find', { collection: 'system.users' }],
    ['a database of the server', 'mongodb_find', { database: 'admin' }],
    ['a database with a slash', 'mongodb_find', { database: '../x' }],
    ['a database with a dot', 'mongodb_find', { database: 'a.b' }],
  ])('%s', async (_, tool, args) => {
    const before = realUrl ? 0 : mongo.server.asked.length;
    const said = await client.refused('mongodb', tool, { ...orders, ...args });
    expect(said.length).toBeGreaterThan(20);
    expect(said).not.toContain('Unexpected failure');
    if (!realUrl) expect(mongo.server.asked.slice(before)).toEqual([]);
  });

  it('explains what the server refuses', async () => {
    const said = await client.refused('mongodb', 'mongodb_find', { ...orders, filter: { total: { $nope: 1 } } });
    expect(said).toContain('MongoDB refused this');
    const nested: Json = JSON.parse(`${'{"a":'.repeat(90)}1${'}'.repeat(90)}`) as Json;
    expect(await client.refused('mongodb', 'mongodb_find', { ...orders, filter: nested })).toContain('nested');
    expect(
      await client.refused('mongodb', 'mongodb_insert_documents', {
        ...orders,
        documents: [{ a: { _bsontype: 'ObjectId' } }],
      }),
    ).toContain('cannot be stored');
  });
});

describe('allow-lists', () => {
  it('hides and refuses what is not on the list', async () => {
    const other = `${mongo.database}_other`;
    await mongo.client.db(other).collection('a').insertOne({ n: 1 });
    await using limited = await moduleClient({
      mongodb: { url: mongo.url, mode: 'read-write', database: mongo.database, databases: [`${mongo.database}.ord*`] },
    });
    const { databases } = await limited.read<{ databases: Json[] }>('mongodb', 'mongodb_list_databases');
    expect(databases.map(({ name }) => name)).toEqual([mongo.database]);
    const { collections } = await limited.read<{ collections: Json[] }>('mongodb', 'mongodb_list_collections');
    expect(collections.map(({ name }) => name)).toEqual(['orders']);
    const outside: [string, Json][] = [
      ['mongodb_find', { collection: 'secrets' }],
      ['mongodb_find', { database: other, collection: 'a' }],
      ['mongodb_get_stats', { database: other }],
      ['mongodb_aggregate', { collection: 'orders', pipeline: [{ $lookup: { from: 'secrets', as: 's' } }] }],
      ['mongodb_aggregate', { collection: 'orders', pipeline: [{ $unionWith: 'secrets' }] }],
      ['mongodb_aggregate', { collection: 'orders', pipeline: [{ $unionWith: { coll: 'secrets', pipeline: [] } }] }],
      ['mongodb_aggregate', { collection: 'orders', pipeline: [{ $graphLookup: { from: 'secrets' } }] }],
      ['mongodb_aggregate', { collection: 'orders', pipeline: [{ $facet: { a: [{ $unionWith: 'secrets' }] } }] }],
      [
        'mongodb_aggregate',
        {
          collection: 'orders',
          pipeline: [{ $lookup: { from: 'orders', pipeline: [{ $lookup: { from: 'secrets', as: 's' } }], as: 'o' } }],
        },
      ],
      ['mongodb_explain', { collection: 'orders', pipeline: [{ $unionWith: 'secrets' }] }],
      ['mongodb_rename_collection', { collection: 'orders', to: 'mine' }],
      ['mongodb_rename_collection', { collection: 'secrets', to: 'orders2' }],
      ['mongodb_drop_collection', { collection: 'secrets' }],
      ['mongodb_drop_database', { database: mongo.database }],
      ['mongodb_create_collection', { collection: 'mine' }],
    ];
    for (const [tool, args] of outside)
      expect(await limited.refused('mongodb', tool, args), tool).toContain('modules.mongodb.databases');
    expect(await limited.refused('mongodb', 'mongodb_get_logs', {})).toContain('modules.mongodb.databases');
    expect(
      await limited.refused('mongodb', 'mongodb_aggregate', {
        collection: 'orders',
        pipeline: [{ $lookup: { from: { db: other, coll: 'a' }, as: 'x' } }],
      }),
    ).toContain('same database');
    await mongo.client.db(other).dropDatabase();
  });
});

describe('a server that is not as it should be', () => {
  it('names the setting if nothing listens there', async () => {
    const port = await freePort();
    await using away = await moduleClient({ mongodb: { url: `mongodb://127.0.0.1:${port}/app` } });
    const said = await away.refused('mongodb', 'mongodb_count', { collection: 'a' });
    expect(said).toContain('nothing listens');
    expect(said).toContain('modules.mongodb');
    expect(away.health('mongodb')).toMatchObject({ state: 'failing' });
  });

  it('says that the password is wrong, without showing it', async () => {
    const url = mongo.url.replace(/\/\/[^@]*@|\/\//, '//somebody:wrong-pa55@');
    await using wrong = await moduleClient({ mongodb: { url, database: 'app' } });
    const said = await wrong.refused('mongodb', 'mongodb_count', { collection: 'a' });
    expect(said).toContain('refuses the user or the password');
    expect(said).not.toContain('wrong-pa55');
    expect(JSON.stringify(wrong.health('mongodb'))).not.toContain('wrong-pa55');
  });

  it('is checked with version and number of databases', async () => {
    const checks = await Array.fromAsync(client.gateway.runtime.check(AbortSignal.timeout(5000)));
    expect(checks.find(({ check }) => check === 'mongodb')).toMatchObject({
      result: 'ok',
      detail: expect.stringMatching(/^MongoDB \d+\.\d+\.\d+.*, \d+ databases?$/),
    });
    expect(client.health('mongodb')).toMatchObject({ state: 'ready' });
  });

  it.each(['http://127.0.0.1/', 'mongodb://', 'localhost:27017', 'mongodb://a b/'])(
    'refuses the URL %s in the file',
    async (url) => {
      await expect(moduleClient({ mongodb: { url } })).rejects.toThrow('is not the URL of a MongoDB');
    },
  );
});

describe.skipIf(realUrl !== undefined)('a server that fails', () => {
  it('says that a user is needed', async () => {
    const url = `mongodb://127.0.0.1:${mongo.server.port}/app`;
    await using nobody = await moduleClient({ mongodb: { url } });
    expect(await nobody.refused('mongodb', 'mongodb_count', { collection: 'a' })).toContain('wants a user');
  });

  it('says that TLS is refused', async () => {
    const url = `${mongo.url}&tls=true`;
    await using secure = await moduleClient({ mongodb: { url, database: 'app', timeout: '2s' } });
    const said = await secure.refused('mongodb', 'mongodb_count', { collection: 'a' });
    expect(said).toMatch(/TLS|closed the connection/);
  });

  it.each([
    [10107, 'NotWritablePrimary', 'not primary', 'not the primary'],
    [13, 'Unauthorized', 'not authorized on app to execute command', 'may not do this'],
    [50, 'MaxTimeMSExpired', 'operation exceeded time limit', 'took too long'],
    [2, 'BadValue', 'unknown operator: $x', 'unknown operator'],
    [59, 'CommandNotFound', "no such command: 'count'", 'does not know this command'],
  ])('explains the code %i', async (code, name, message, expected) => {
    // A driver repeats a read when there was no primary, and so does Sluice with another connection.
    const times = code === 10107 ? 2 : 1;
    await using one = await moduleClient({ mongodb: { url: mongo.url, database: mongo.database } });
    mongo.server.fail('count', code, name, message, times);
    expect(await one.refused('mongodb', 'mongodb_count', { collection: 'orders' })).toContain(expected);
  });

  it('stops a call that takes too long, and the server stops as well', async () => {
    await using hasty = await moduleClient({ mongodb: { url: mongo.url, database: mongo.database, timeout: '500ms' } });
    expect(await hasty.read('mongodb', 'mongodb_count', { collection: 'orders' })).toMatchObject({ count: 3 });
    const release = mongo.server.hold('find');
    const said = await hasty.refused('mongodb', 'mongodb_find', { collection: 'orders' });
    expect(said).toMatch(/took (?:too long|longer)/);
    const asked = mongo.server.asked.findLast((command) => 'find' in command);
    expect(asked?.maxTimeMS).toBeLessThanOrEqual(500);
    release();
    expect((await hasty.read<Found>('mongodb', 'mongodb_find', { collection: 'orders' })).documents).toHaveLength(3);
  });

  it('shows the operations that run', async () => {
    const release = mongo.server.hold('find');
    const slow = find({});
    await expect
      .poll(async () => (await client.read<{ operations: Json[] }>('mongodb', 'mongodb_list_operations')).operations)
      .toMatchObject([{ collection: `${mongo.database}.orders`, application: 'sluice', command: { find: 'orders' } }]);
    release();
    expect((await slow).documents).toHaveLength(3);
  });

  it('survives a server that is killed in mid-call and comes back', async () => {
    await using one = await moduleClient({ mongodb: { url: mongo.url, mode: 'read-write', database: mongo.database } });
    expect(await one.read('mongodb', 'mongodb_count', { collection: 'orders' })).toMatchObject({ count: 3 });
    const release = mongo.server.hold('insert');
    const asked = mongo.server.asked.length;
    const broken = one.refused('mongodb', 'mongodb_insert_documents', { collection: 'orders', documents: [{ n: 1 }] });
    await expect.poll(() => mongo.server.asked.slice(asked).some((command) => 'insert' in command)).toBe(true);
    await mongo.server.kill();
    const said = await broken;
    expect(said).toContain('may or may not have taken effect');
    expect(said).not.toContain('Unexpected failure');
    expect(await one.refused('mongodb', 'mongodb_count', { collection: 'orders' })).toContain('nothing listens');
    expect(one.health('mongodb')).toMatchObject({ state: 'failing' });
    release();
    await mongo.server.restart();
    expect(await one.read('mongodb', 'mongodb_count', { collection: 'orders' })).toMatchObject({ is_estimate: true });
    expect(one.health('mongodb')).toMatchObject({ state: 'ready' });
  });

  it('goes on after a restart that nobody noticed', async () => {
    await using one = await moduleClient({ mongodb: { url: mongo.url, mode: 'read-write', database: mongo.database } });
    await one.read('mongodb', 'mongodb_count', { collection: 'orders' });
    await mongo.server.kill();
    await mongo.server.restart();
    expect(await one.read('mongodb', 'mongodb_count', { collection: 'orders' })).toMatchObject({ count: 3 });
    await mongo.server.kill();
    await mongo.server.restart();
    const written = await one.call('mongodb', 'mongodb_insert_documents', {
      collection: 'orders',
      documents: [{ n: 1 }],
    });
    expect(written.inserted).toBe(1);
  });

  it('says that the server forgot a query in mid-reading', async () => {
    const collection = mongo.client.db(mongo.database).collection('numbers');
    await collection.insertMany(Array.from({ length: 60 }, (_, n) => ({ _id: n as never })));
    mongo.server.fail('getMore', 43, 'CursorNotFound', 'cursor id 7 not found', 2);
    const said = await client.refused('mongodb', 'mongodb_find', {
      database: mongo.database,
      collection: 'numbers',
      limit: 60,
    });
    expect(said).toContain('Ask again');
    expect(await find({ collection: 'numbers', limit: 60 })).toMatchObject({ documents: { length: 60 } });
  });
});
