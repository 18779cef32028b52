import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import { serveHttp } from '../../support/prometheus.ts';
import { fakeQdrant, REAL_QDRANT, REAL_QDRANT_KEY } from '../../support/qdrant.ts';
import type { Json } from '../harness.ts';

const KEY = 'hidden-key-of-qdrant';
const DOCS = `docs-${randomUUID()}`;
const SMALL = `small-${randomUUID()}`;
const NAMED = `small-named-${randomUUID()}`;
const ALIAS = `docs-alias-${randomUUID()}`;
const OWN_ALIAS = `docs-own-${randomUUID()}`;

const asked = (url: string, method: string, path: string, body?: object) =>
  fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'api-key': REAL_QDRANT_KEY ?? KEY },
    ...(body && { body: JSON.stringify(body) }),
  });

const named = (url: string, alias_name: string, collection_name: string) =>
  asked(url, 'POST', '/collections/aliases', { actions: [{ create_alias: { alias_name, collection_name } }] });

describe('qdrant', () => {
  const stack = new AsyncDisposableStack();
  let client: ModuleClient;
  let url: string;
  const own = `memories-${randomUUID()}`;

  beforeAll(async () => {
    url = REAL_QDRANT ?? stack.use(await fakeQdrant({ apiKey: KEY })).url;
    const apiKey = REAL_QDRANT_KEY ?? KEY;
    const made = { vectors: { size: 4, distance: 'Cosine' } };
    await asked(url, 'PUT', `/collections/${own}`, { ...made, metadata: { sluice: { model: 'x@1/4', version: 1 } } });
    await named(url, OWN_ALIAS, own);
    await asked(url, 'PUT', '/collections/sluice-memory-test', made);
    await asked(url, 'PUT', '/collections/secret', made);
    client = stack.use(
      await moduleClient({
        qdrant: {
          url,
          apiKey,
          mode: 'read-write',
          collections: ['docs-*', 'small-*', 'memories-*', 'sluice-*', 'none'],
        },
        'qdrant-reader': { type: 'qdrant', url, apiKey },
        'qdrant-wrong': { type: 'qdrant', url, apiKey: 'hidden-wrong-key' },
      }),
    );
  });
  afterAll(async () => {
    for (const name of [own, 'sluice-memory-test', 'secret', DOCS, SMALL, NAMED])
      await asked(url, 'DELETE', `/collections/${name}`);
    await stack.disposeAsync();
  });

  const read = <T = Json>(tool: string, params: Json = {}) => client.read<T>('qdrant', `qdrant_${tool}`, params);
  const call = <T = Json>(tool: string, params: Json = {}) => client.call<T>('qdrant', `qdrant_${tool}`, params);
  const refused = (tool: string, params: Json = {}) => client.refused('qdrant', `qdrant_${tool}`, params);
  const source = (value: string) => ({ must: [{ key: 'source', match: { value } }] });

  it('creates collections, for texts and for vectors', async () => {
    expect(await call('create_collection', { collection: DOCS })).toMatchObject({
      size: 512,
      embedder: expect.stringContaining('/512') as string,
    });
    expect(await call('create_collection', { collection: SMALL, size: 2, distance: 'Dot' })).toMatchObject({ size: 2 });
    expect(await refused('create_collection', { collection: SMALL, size: 2 })).toContain('already exists');
    const { collections } = await read<{ collections: Json[] }>('list_collections');
    expect(collections.map(({ name }) => name)).toEqual([DOCS, SMALL]);
    expect(await call('create_index', { collection: DOCS, field: 'source', type: 'keyword' })).toMatchObject({
      field: 'source',
    });
    expect(await read('get_collection', { collection: DOCS })).toMatchObject({
      vectors: [{ name: '', size: 512, distance: 'Cosine' }],
      payload_indexes: [{ field: 'source', type: 'keyword' }],
    });
  });

  it('adds texts, and finds them by meaning', async () => {
    const points = [
      { id: 1, text: 'The harbour opens at six in the morning.', payload: { source: 'a' } },
      { id: 2, text: 'Bread is baked from flour and water.', payload: { source: 'b' } },
      { id: randomUUID(), text: `Ships arrive at the port at dawn. ${'x'.repeat(6000)}`, payload: { source: 'a' } },
    ];
    expect(await call('upsert_points', { collection: DOCS, points })).toMatchObject({ upserted: 3 });
    const { results } = await read<{ results: { id: unknown; payload: Json }[] }>('search', {
      collection: DOCS,
      text: 'baking a loaf',
    });
    expect(results[0]).toMatchObject({ id: 2, payload: { source: 'b' } });
    expect(await read('search', { collection: DOCS, id: 1, filter: source('b') })).toMatchObject({
      results: [{ id: 2 }],
    });
    const withVector = await read<{ results: { vector: Json }[] }>('search', {
      collection: DOCS,
      text: 'bread',
      limit: 1,
      with_vector: true,
    });
    expect(withVector.results[0]?.vector.vector).toMatch(/, …\] \(512 dimensions\)$/);
    expect(await read('count_values', { collection: DOCS, key: 'source' })).toMatchObject({
      values: expect.arrayContaining([{ value: 'a', count: 2 }]) as unknown,
    });
    const whole = await read<{ value: string; next_offset: number }>('get_points', {
      collection: DOCS,
      ids: [String(points[2]?.id)],
      key: 'text',
    });
    expect(whole.value).toContain('Ships arrive');
    expect(whole.next_offset).toBe(3000);
  });

  it('scrolls in pages, counts, gets and changes', async () => {
    const points = Array.from({ length: 60 }, (_, n) => ({
      id: n,
      vector: [1, n],
      payload: { n, source: n < 30 ? 'x' : 'y' },
    }));
    await call('upsert_points', { collection: SMALL, points });
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await read<{ points: { id: number }[]; cursor?: string }>('scroll_points', {
        collection: SMALL,
        limit: 25,
        ...(cursor !== undefined && { cursor }),
      });
      seen.push(...page.points.map(({ id }) => id));
      ({ cursor } = page);
    } while (cursor !== undefined);
    expect(seen).toEqual(points.map(({ id }) => id));
    expect(await read('count_points', { collection: SMALL, filter: source('x') })).toEqual({ count: 30 });
    expect(await call('set_payload', { collection: SMALL, ids: [1, '2', 1], payload: { tag: 'new' } })).toEqual({
      changed: 2,
    });
    expect(await read('get_points', { collection: SMALL, ids: [1, 999] })).toMatchObject({
      points: [{ id: 1, payload: { n: 1, tag: 'new' } }],
      missing: [999],
    });
    expect(await read('search', { collection: SMALL, vector: [0, 1], limit: 1 })).toMatchObject({
      results: [{ id: 59, score: 59 }],
      distance: 'Dot',
    });
  });

  it('uses vectors with names, and distances', async () => {
    const vectors = { near: { size: 2, distance: 'Euclid' }, other: { size: 3, distance: 'Cosine' } };
    await asked(url, 'PUT', `/collections/${NAMED}`, { vectors });
    const id = randomUUID();
    const points = [{ id: id.toUpperCase(), vector: [0, 0] }, { vector: [3, 4] }, { vector: [30, 40] }];
    await call('upsert_points', { collection: NAMED, points, using: 'near' });
    const search = { collection: NAMED, vector: [0, 0], using: 'near', score_threshold: 10 };
    expect(await read('search', { ...search, with_vector: true })).toMatchObject({
      results: [{ id, score: 0, vector: { near: expect.any(String) as string } }, { score: 5 }],
      distance: 'Euclid',
    });
    expect(await refused('search', { ...search, using: undefined })).toContain('near, other');
  });

  it('deletes keys of payloads after it was confirmed', async () => {
    const params = { collection: SMALL, keys: ['tag'], ids: [1, 2] };
    const { question, result } = await client.confirmed('qdrant', 'qdrant_delete_payload', params);
    expect(question).toContain(`Deletes tag from the payload of 2 points of ${SMALL}`);
    expect(result).toEqual({ changed: 2 });
    const { points } = await read<{ points: { payload: Json }[] }>('get_points', { collection: SMALL, ids: [1] });
    expect(points.map(({ payload }) => payload)).toEqual([{ n: 1, source: 'x' }]);
    expect(await refused('delete_payload', { ...params, ids: [999] })).toContain('Nothing was changed');
    expect(await refused('delete_payload', { ...params, ids: undefined, filter: {} })).toContain('every point');
  });

  it('takes an alias for its collection, except to delete it', async () => {
    await named(url, ALIAS, DOCS);
    const { collections } = await read<{ collections: Json[] }>('list_collections');
    expect(collections).toContainEqual(expect.objectContaining({ name: ALIAS, alias_of: DOCS }));
    expect(collections.map(({ name }) => name)).not.toContain(OWN_ALIAS);
    expect(await read('count_points', { collection: ALIAS })).toEqual({ count: 3 });
    expect(await refused('delete_collection', { collection: ALIAS })).toContain('is an alias');
    expect(await refused('create_collection', { collection: ALIAS, size: 2 })).toContain('Alias with the same name');
    expect(await read('count_points', { collection: DOCS })).toEqual({ count: 3 });
  });

  it('makes snapshots, and shows its state', async () => {
    expect(await call('create_snapshot', { collection: SMALL })).toMatchObject({ name: expect.any(String) as string });
    expect(await read('list_snapshots', { collection: SMALL })).toMatchObject({ total: 1 });
    expect(await read('get_status')).toMatchObject({
      version: expect.any(String) as string,
      cores: expect.any(Number) as number,
    });
  });

  it('deletes after it was confirmed', async () => {
    const { question, result } = await client.confirmed('qdrant', 'qdrant_delete_points', {
      collection: SMALL,
      filter: source('x'),
    });
    expect(question).toContain(`Deletes 30 of about 60 points of ${SMALL}`);
    expect(result).toEqual({ deleted: 30 });
    expect(await refused('delete_points', { collection: SMALL, filter: { must: [] } })).toContain(
      'would match every point',
    );
    expect(await refused('delete_points', { collection: SMALL })).toContain('either ids or a filter');
    expect(await refused('delete_points', { collection: SMALL, ids: [5] })).toContain('Nothing was changed');
    expect(await read('count_points', { collection: SMALL })).toEqual({ count: 30 });
    const dropped = await client.confirmed('qdrant', 'qdrant_delete_collection', { collection: SMALL });
    expect(dropped.question).toContain('with about 30 points');
    expect(await refused('get_collection', { collection: SMALL })).toContain('qdrant_list_collections shows the names');
  });

  test.each([
    ['get_collection', {}],
    ['scroll_points', {}],
    ['search', { vector: [1, 0, 0, 0] }],
    ['upsert_points', { points: [{ vector: [1, 0, 0, 0] }] }],
    ['delete_points', { ids: [1] }],
    ['delete_collection', {}],
    ['set_payload', { ids: [1], payload: { a: 1 } }],
    ['delete_payload', { ids: [1], keys: ['a'] }],
    ['create_snapshot', {}],
  ])('%s stays away from what belongs to Sluice, and from what is not allowed', async (tool, params) => {
    expect(await refused(tool, { collection: own, ...params })).toContain("belongs to Sluice's memory");
    expect(await refused(tool, { collection: OWN_ALIAS, ...params })).toContain("belongs to Sluice's memory");
    expect(await refused(tool, { collection: 'sluice-memory-test', ...params })).toContain(
      "belongs to Sluice's memory",
    );
    expect(await refused(tool, { collection: 'secret', ...params })).toContain(
      'modules.qdrant.collections in sluice.yaml allows',
    );
  });

  test.each([
    ['search', { collection: DOCS }, /Pass one of text, vector and id/],
    ['search', { collection: DOCS, vector: [1] }, /1 dimensions, and those of .* have 512/],
    ['search', { collection: DOCS, text: 'x', using: 'none' }, /has no vector none/],
    ['search', { collection: 'a/b', text: 'x' }, /collection/],
    ['search', { collection: 'none', text: 'x' }, /doesn't exist/],
    ['upsert_points', { collection: DOCS, points: [{ payload: {} }] }, /points\[0\] has neither a text nor a vector/],
    ['upsert_points', { collection: DOCS, points: [{ id: 'x', text: 'x' }] }, /id/],
    ['get_points', { collection: DOCS, ids: [1], key: 'none' }, /key needs one id/],
    ['scroll_points', { collection: DOCS, cursor: 'x' }, /cursor does not belong/],
    ['count_points', { collection: DOCS, filter: { must: [{ nonsense: 1 }] } }, /Qdrant refuses the request/],
    ['count_values', { collection: DOCS, key: 'none' }, /No appropriate index .* qdrant_create_index makes an index/],
    ['create_collection', { collection: 'sluice-memory-mine' }, /belongs to Sluice's memory/],
  ])('refuses %s %j', async (tool, params, message) => {
    expect(await refused(tool, params)).toMatch(message);
  });

  it('only reads unless told otherwise, and hides the key', async () => {
    const lines = await client.list('qdrant-reader');
    expect(lines).toContain('search');
    expect(lines).not.toContain('upsert_points');
    const wrong = await client.refused('qdrant-wrong', 'qdrant-wrong_list_collections');
    expect(wrong).toContain('Correct modules.qdrant-wrong.apiKey');
    expect(wrong).not.toContain('hidden');
  });
});

describe.skipIf(REAL_QDRANT)('a Qdrant of its own', () => {
  it('lists many snapshots in pages', async () => {
    await using fake = await fakeQdrant();
    await asked(fake.url, 'PUT', '/collections/docs', { vectors: { size: 2, distance: 'Dot' } });
    for (let n = 0; n < 60; n += 1) await asked(fake.url, 'POST', '/collections/docs/snapshots');
    await using client = await moduleClient({ qdrant: { url: fake.url } });
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page: { total: number; snapshots: Json[]; cursor?: string } = await client.read(
        'qdrant',
        'qdrant_list_snapshots',
        { collection: 'docs', ...(cursor !== undefined && { cursor }) },
      );
      expect(page.total).toBe(60);
      seen.push(...page.snapshots.map(({ name }) => name));
      ({ cursor } = page);
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(60);
    expect(seen).toHaveLength(60);
  });

  it('keeps all digits of large ids', async () => {
    const bodies: string[] = [];
    const point = '{"id":18446744073709551615,"payload":{"hash":12345678901234567891}}';
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      if (request.method !== 'GET') bodies.push(await textOf(request));
      const result = {
        '/collections/docs': '{"status":"green","optimizer_status":"ok","segments_count":1,"config":{"params":{}}}',
        '/collections/docs/points': `[${point}]`,
        '/collections/docs/points/scroll': `{"points":[${point}],"next_page_offset":18446744073709551614}`,
      }[request.url ?? ''];
      response.end(`{"result":${result},"status":"ok","time":0}`);
    };
    await using server = await serveHttp((request, response) => void answer(request, response));
    await using client = await moduleClient({ qdrant: { url: server.url } });
    const read = (tool: string, params: Json) => client.read('qdrant', tool, { collection: 'docs', ...params });
    const page = await read('qdrant_scroll_points', { limit: 1 });
    expect(page).toMatchObject({
      points: [{ id: '18446744073709551615', payload: { hash: '12345678901234567891' } }],
    });
    await read('qdrant_scroll_points', { limit: 1, cursor: page.cursor });
    expect(bodies[1]).toContain('"offset":18446744073709551614');
    expect(await read('qdrant_get_points', { ids: ['18446744073709551615'] })).not.toHaveProperty('missing');
    expect(bodies[2]).toContain('"ids":[18446744073709551615]');
    expect(
      await client.refused('qdrant', 'qdrant_get_points', { collection: 'docs', ids: ['99999999999999999999'] }),
    ).toContain('ids');
  });
});

describe.skipIf(REAL_QDRANT)('a Qdrant in trouble', () => {
  it('may limit, be slow, and answer with too much or something else', async () => {
    let limited = 2;
    await using fake = await fakeQdrant({
      fault: (_, response) => limited-- > 0 && (response.writeHead(429, { 'retry-after': '0' }).end(), true),
    });
    await using server = await serveHttp((request, response) => {
      const kind = request.url?.split('/')[1];
      if (kind === 'slow') return;
      if (kind === 'page') return void response.end('<html>Sign in</html>');
      if (kind === 'login') return void response.writeHead(302, { location: '/x' }).end();
      if (kind === 'busy') return void response.writeHead(429, { 'retry-after': '3600' }).end();
      const write = () => {
        while (!response.destroyed && response.write(`"${'x'.repeat(100_000)}",`));
      };
      response.on('drain', write);
      write();
    });
    const at = (path: string) => ({ type: 'qdrant', url: `${server.url}/${path}` });
    await using client = await moduleClient({
      limited: { type: 'qdrant', url: fake.url },
      slow: { ...at('slow'), timeout: '300ms' },
      page: at('page'),
      login: at('login'),
      busy: at('busy'),
      endless: at('endless'),
    });
    expect(await client.read('limited', 'limited_list_collections')).toEqual({ collections: [] });
    const ask = (name: string) => client.refused(name, `${name}_list_collections`);
    expect(await ask('slow')).toContain('took longer than 0.3 s');
    expect(await ask('page')).toContain('not to a proxy or a login page');
    expect(await ask('login')).toContain('redirects to another address. Set modules.login.url');
    expect(await ask('busy')).toMatch(/limits requests, and nothing was done/);
    expect(await ask('endless')).toContain('answered with more than');
  });
});
