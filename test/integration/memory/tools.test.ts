import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connect, eras } from '../../support/eras.ts';
import {
  confirmed,
  done,
  type FoundMemory,
  listed,
  recalled,
  refused,
  remember,
  type Remembered,
} from '../../support/memory-calls.ts';
import {
  type AnyClient,
  callTool,
  connectV1,
  connectV2,
  type Json,
  startGateway,
  type TestGateway,
} from '../harness.ts';

const HOUR = 3_600_000;
let gateway: TestGateway;
let client: AnyClient & AsyncDisposable;

beforeAll(async () => {
  // Before the start: who keeps `Date.now` keeps this one.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  gateway = await startGateway({});
  client = await connectV2(gateway, { era: 'modern', info: { name: 'notebook', version: '2.1' } });
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
  vi.useRealTimers();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const now = () => new Date().toISOString();
const read = (id: string, offset = 0) =>
  done<FoundMemory & { next_offset?: number; characters: number; by: Json; versions?: FoundMemory[] }>(client, 'get', {
    id,
    offset,
  });

describe.each(eras)('a %s client', (era) => {
  test('remembers, finds and reads through the wrappers', async () => {
    await using one = await connect(gateway, era);
    const text = `The ${era} printer is called Gutenberg.`;
    const stored = await callTool(one, 'memory_call', {
      tool: 'store',
      params: { text, namespace: `printers-${era}` },
    });
    const { id } = stored.structuredContent as Remembered;
    const found = await callTool(one, 'memory_read', {
      tool: 'search',
      params: { query: 'what is the printer called', namespace: `printers-${era}` },
    });
    expect(found.structuredContent).toMatchObject({ results: [{ id, text, namespace: `printers-${era}` }] });
    const got = await callTool(one, 'memory_read', { tool: 'get', params: { id } });
    expect(got.structuredContent).toMatchObject({ id, text, characters: text.length });
  });
});

test('the server says when a memory was recorded, never the caller', async () => {
  later(HOUR);
  const { id, recorded_at } = await remember(client, 'The boiler was serviced.', {
    valid_from: '2020-01-01T00:00:00Z',
    metadata: { recorded_at: '1999-01-01T00:00:00Z' },
  });
  expect(recorded_at).toBe(now());
  expect(await read(id)).toMatchObject({ recorded_at: now(), valid_from: '2020-01-01T00:00:00.000Z' });
  expect((await refused(client, 'store', { text: 'x', recorded_at: '1999-01-01T00:00:00Z' })).text).toContain(
    'recorded_at',
  );
  later(HOUR);
  const { id: next, recorded_at: again } = await done<Remembered>(client, 'update', { id, tags: ['heating'] });
  expect(again).toBe(now());
  expect(await read(next)).toMatchObject({ recorded_at: now() });
});

test('says who recorded it, with which client, in which call', async () => {
  const { id } = await remember(client, 'Provenance is kept.');
  const { by } = await read(id);
  expect(by).toEqual({
    principal: 'local',
    client: 'notebook 2.1',
    call: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
  });
  const { events } = await gateway.stored({ trace_id: String(by.call) } as never);
  expect(events.length).toBeGreaterThan(0);
});

describe('an update', () => {
  test('supersedes: the old text ends now, and is what was true before', async () => {
    const where = { namespace: 'offices' };
    const { id: old } = await remember(client, 'Our office is in Hamburg.', where);
    later(HOUR);
    const before = now();
    later(HOUR);
    const { id } = await done<Remembered>(client, 'update', { id: old, text: 'Our office is in Bremen.' });
    expect(await recalled(client, 'where is our office', where)).toEqual(['Our office is in Bremen.']);
    expect(await recalled(client, 'where is our office', { ...where, as_of: before })).toEqual([
      'Our office is in Hamburg.',
    ]);
    expect(await listed(client, where)).toEqual(['Our office is in Bremen.']);
    expect(await listed(client, { ...where, as_of: before })).toEqual(['Our office is in Hamburg.']);
    expect(await listed(client, { ...where, history: true })).toEqual([
      'Our office is in Bremen.',
      'Our office is in Hamburg.',
    ]);
    expect(await read(old)).toMatchObject({ superseded_by: id, valid_to: now() });
    expect(await read(id)).toMatchObject({ supersedes: old, versions: [{ id: old, valid_to: now() }] });
  });

  test('of an old version is refused, and names the current one', async () => {
    const { id: old } = await remember(client, 'The mast is 12 m high.');
    const { id } = await done<Remembered>(client, 'update', { id: old, text: 'The mast is 14 m high.' });
    expect(await refused(client, 'update', { id: old, text: 'The mast is 15 m high.' })).toMatchObject({
      code: 'conflict',
      text: expect.stringContaining(id) as string,
    });
  });

  test('by two at once: one wins, the other is told', async () => {
    const { id } = await remember(client, 'The queue has 3 workers.');
    const results = await Promise.all(
      [4, 5, 6, 7].map((count) => callTool(client, 'memory_update', { id, text: `The queue has ${count} workers.` })),
    );
    expect(results.filter(({ isError }) => isError !== true)).toHaveLength(1);
    const { versions = [] } = await read(id);
    expect(versions).toHaveLength(1);
  });

  test('of something other than the text corrects it from the beginning', async () => {
    const { id: old } = await remember(client, 'The lease costs 900 euros.', { namespace: 'leases' });
    later(HOUR);
    const before = now();
    later(HOUR);
    await done(client, 'update', { id: old, tags: ['flat'] });
    const { memories } = await done<{ memories: FoundMemory[] }>(client, 'list_memories', {
      namespace: 'leases',
      as_of: before,
    });
    expect(memories).toMatchObject([{ text: 'The lease costs 900 euros.', tags: ['flat'] }]);
  });

  test('of nothing is refused', async () => {
    const { id } = await remember(client, 'Nothing changes here.');
    expect((await refused(client, 'update', { id })).text).toContain('Nothing changes');
    expect((await refused(client, 'update', { id, text: ' ' })).text).toContain('empty');
    expect((await refused(client, 'update', { id: 'm0', text: 'x' })).code).toBe('not_found');
  });
});

test('validity: what begins later is not true yet, and what ended is not true any more', async () => {
  const where = { namespace: 'tariffs' };
  const day = (days: number) => new Date(Date.now() + days * 24 * HOUR).toISOString();
  await remember(client, 'Power costs 40 cents.', { ...where, valid_from: day(-400), valid_to: day(-10) });
  await remember(client, 'Power costs 35 cents.', { ...where, valid_from: day(-10), valid_to: day(10) });
  await remember(client, 'Power costs 30 cents.', { ...where, valid_from: day(10) });
  expect(await listed(client, where)).toEqual(['Power costs 35 cents.']);
  expect(await listed(client, { ...where, as_of: day(-11) })).toEqual(['Power costs 40 cents.']);
  expect(await listed(client, { ...where, as_of: day(11) })).toEqual(['Power costs 30 cents.']);
  expect(await recalled(client, 'price of power', { ...where, as_of: '30d' })).toEqual(['Power costs 40 cents.']);
  expect(await refused(client, 'store', { text: 'x', ...where, valid_from: day(2), valid_to: day(1) })).toMatchObject({
    code: 'invalid_input',
  });
  expect(await refused(client, 'store', { text: 'x', ...where, valid_from: 'one day' })).toMatchObject({
    code: 'invalid_input',
  });
});

describe('ttl', () => {
  test('hides a memory at once, and erases every version', async () => {
    const where = { namespace: 'codes' };
    const { id: first } = await remember(client, 'The door code is 1111.', { ...where, ttl: '2h' });
    later(HOUR);
    const before = now();
    const { id } = await done<Remembered>(client, 'update', { id: first, text: 'The door code is 2222.' });
    expect(await listed(client, where)).toEqual(['The door code is 2222.']);
    later(HOUR);
    expect(await listed(client, where)).toEqual([]);
    expect(await listed(client, { ...where, history: true })).toEqual([]);
    expect(await recalled(client, 'door code', { ...where, as_of: before })).toEqual([]);
    for (const one of [first, id]) expect((await refused(client, 'get', { id: one })).code).toBe('not_found');
    expect((await refused(client, 'update', { id, text: 'x' })).code).toBe('not_found');
    const { memory } = await gateway.runtime.apis.memory.open();
    await memory.expire();
    const rows = await gateway.runtime.store.tables.rows('SELECT id FROM memories WHERE root = ?', first);
    expect(rows).toEqual([]);
  });

  test('that an update shortens hides the older versions, too', async () => {
    const where = { namespace: 'visitors' };
    const { id } = await remember(client, 'The guest is Ana.', where);
    later(HOUR);
    const before = now();
    later(HOUR);
    await done(client, 'update', { id, text: 'The guest is Ben.', ttl: '1h' });
    later(2 * HOUR);
    expect(await listed(client, { ...where, as_of: before })).toEqual([]);
    expect((await refused(client, 'get', { id })).code).toBe('not_found');
  });

  test.each(['0d', '-1h', 'soon', 0, -5, 1e300, '99999999999999999999d'])('%s is refused', async (ttl) => {
    expect((await refused(client, 'store', { text: 'x', ttl })).code).toBe('invalid_input');
  });
});

describe('forget', () => {
  const where = { namespace: 'guests' };
  const guests = ['Ana stays in room 1.', 'Ben stays in room 2.', 'Eve stays in room 3.'];

  test('by filter asks first, says how much, and does it with the token', async () => {
    for (const text of guests) await remember(client, text, { ...where, tags: ['guest', text.slice(0, 3)] });
    const { text, confirm, code } = await refused(client, 'forget', { ...where, tags: ['guest'] });
    expect(code).toBe('confirmation_required');
    expect(text).toContain('Erases 3 memories in guests, with every version.');
    expect(await listed(client, where)).toHaveLength(3);
    expect(await done(client, 'forget', { ...where, tags: ['guest'], confirm })).toEqual({ forgotten: 3 });
    expect(await listed(client, where)).toEqual([]);
  });

  test.each(eras)('asks the user of a %s client', async (era) => {
    const { id } = await remember(client, guests[0] as string, where);
    {
      await using no = await connect(gateway, era, { answer: () => ({ action: 'decline' }) });
      await refused(no, 'forget', { ids: [id] });
      expect(await listed(client, where)).toEqual([guests[0]]);
    }
    const asked: unknown[] = [];
    await using yes = await connect(gateway, era, {
      answer: (_, params) => {
        asked.push(params?.message);
        return { action: 'accept', content: {} };
      },
    });
    expect(await done(yes, 'forget', { ids: [id] })).toEqual({ forgotten: 1 });
    expect(asked).toMatchObject([expect.stringContaining('Erases 1 memory in guests')]);
    expect(await listed(client, where)).toEqual([]);
  });

  test('by one version erases all of them', async () => {
    const { id: old } = await remember(client, 'Version one.', where);
    const { id } = await done<Remembered>(client, 'update', { id: old, text: 'Version two.' });
    expect(await confirmed(client, 'forget', { ids: [old] })).toEqual({ forgotten: 1 });
    for (const one of [old, id]) expect((await refused(client, 'get', { id: one })).code).toBe('not_found');
  });

  test('by metadata and time', async () => {
    await remember(client, guests[0] as string, { ...where, metadata: { room: 1 } });
    later(HOUR);
    const between = now();
    later(HOUR);
    await remember(client, guests[1] as string, { ...where, metadata: { room: 2 } });
    await remember(client, guests[2] as string, { ...where, metadata: { room: '2' } });
    await confirmed(client, 'forget', { ...where, metadata: { room: 2 } });
    expect(await listed(client, where)).toEqual([guests[2], guests[0]]);
    await confirmed(client, 'forget', { ...where, until: between });
    expect(await listed(client, where)).toEqual([guests[2]]);
    await confirmed(client, 'forget', { ...where, since: between });
    expect(await listed(client, where)).toEqual([]);
  });

  test('without a filter, with both kinds of choice, and of unknown ids is refused before anybody is asked', async () => {
    const { id } = await remember(client, guests[0] as string, where);
    for (const args of [{}, { ids: [id], ...where }, { ids: [id, 'm-unknown'] }, { namespace: 'no-such' }]) {
      const { code, confirm } = await refused(client, 'forget', args);
      expect(['invalid_input', 'not_found']).toContain(code);
      expect(confirm).toBeUndefined();
    }
    expect(await listed(client, where)).toEqual([guests[0]]);
    const events = await gateway.stored({ type: 'memory.erased' });
    expect(JSON.stringify(events)).not.toContain('stays in room');
  });
});

test('pin, list by it, and unpin', async () => {
  const where = { namespace: 'pinned' };
  const { id } = await remember(client, 'Allergic to nuts.', where);
  await remember(client, 'Likes tea.', { ...where, pin: true });
  expect(await done(client, 'pin', { id })).toMatchObject({ id, pinned: true });
  expect(await listed(client, { ...where, pinned: true })).toEqual(['Likes tea.', 'Allergic to nuts.']);
  await done(client, 'pin', { id, pin: false });
  expect(await listed(client, { ...where, pinned: true })).toEqual(['Likes tea.']);
  expect(await listed(client, { ...where, pinned: false })).toEqual(['Allergic to nuts.']);
});

test('lists page by page, each memory once, the newest first', async () => {
  const where = { namespace: 'pages' };
  const texts = Array.from({ length: 45 }, (_, n) => `Page ${n} of the notebook.`);
  for (const text of texts) await remember(client, text, where);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await done<{ memories: FoundMemory[]; cursor?: string }>(client, 'list_memories', {
      ...where,
      ...(cursor !== undefined && { cursor }),
    });
    expect(page.memories.length).toBeLessThanOrEqual(20);
    seen.push(...page.memories.map(({ text }) => text));
    cursor = page.cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(texts.toReversed());
  expect((await refused(client, 'list_memories', { namespace: 'offices', cursor: 'made up' })).code).toBe(
    'invalid_input',
  );
});

test('namespaces: made by writing, listed with what is in them, dropped when confirmed', async () => {
  await remember(client, 'One.', { namespace: 'to/drop', pin: true });
  await remember(client, 'Two.', { namespace: 'to/drop' });
  const { namespaces } = await done<{ namespaces: Json[] }>(client, 'list_namespaces', {});
  expect(namespaces).toContainEqual({
    name: 'to/drop',
    belongs_to: 'the owner',
    memories: 2,
    pinned: 1,
    newest: now(),
  });
  const before = await done<{ memories: number; namespaces: number }>(client, 'get_stats');
  const kept = confirmed(client, 'drop_namespace', { name: 'to/drop', if_empty: true });
  await expect(kept).rejects.toThrow('is not empty (memories and versions: 2)');
  await done(client, 'set_namespace', { name: 'to/drop/empty' });
  const empty = { name: 'to/drop/empty', if_empty: true };
  expect(await confirmed(client, 'drop_namespace', empty)).toEqual({ name: 'to/drop/empty', forgotten: 0 });
  expect(await confirmed(client, 'drop_namespace', { name: 'to/drop' })).toEqual({ name: 'to/drop', forgotten: 2 });
  const after = await done(client, 'get_stats');
  expect(after).toMatchObject({
    memories: before.memories - 2,
    namespaces: before.namespaces - 1,
    stored_in: process.env.SLUICE_TEST_STORE === 'postgres' ? 'PostgreSQL' : 'SQLite',
    model: expect.stringContaining('use-lite') as string,
  });
  expect((await refused(client, 'search', { query: 'one', namespace: 'to/drop' })).code).toBe('not_found');
  for (const name of ['', ' ', '../up', 'a b', 'x'.repeat(101), 'a\u0000b', '-x'])
    expect((await refused(client, 'store', { text: 'x', namespace: name })).code).toBe('invalid_input');
});

test('the prompt says what memory knows', async () => {
  await using v1 = await connectV1(gateway);
  await remember(client, 'The lighthouse of Kiel has 29 m.', { namespace: 'lights' });
  const { messages } = await v1.getPrompt({
    name: 'memory_recall',
    arguments: { about: 'the lighthouse in Kiel', namespace: 'lights' },
  });
  const saying = (text: string) => [
    { role: 'user', content: { type: 'text', text: expect.stringContaining(text) as string } },
  ];
  expect(messages).toEqual(saying('- The lighthouse of Kiel has 29 m.\n  [m'));
  await done(client, 'set_namespace', { name: 'empty' });
  const nothing = await v1.getPrompt({ name: 'memory_recall', arguments: { about: 'x', namespace: 'empty' } });
  expect(nothing.messages).toEqual(saying('Memory holds nothing about it'));
  await expect(v1.getPrompt({ name: 'memory_recall', arguments: {} })).rejects.toThrow('about');
});
