import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';
import { confirmed, done, type FoundMemory, keyOf, recalled, refused, remember } from '../../support/memory-calls.ts';
import { type AnyClient, callTool, connectV2, type Json, startGateway, type TestGateway, textOf } from '../harness.ts';

interface Imported {
  readonly imported: number;
  readonly known: number;
  readonly namespaces: string[];
  readonly broken?: number;
  readonly expired?: number;
  readonly problems?: { line?: number; reason: string }[];
  readonly note?: string;
}

const brought = (client: AnyClient, content: string, more: Json = {}) =>
  done<Imported>(client, 'import', { content, ...more });

/** The whole export, piece by piece. */
async function exported(client: AnyClient, more: Json = {}): Promise<string> {
  let text = '';
  for (let cursor: string | undefined, at = 0; at === 0 || cursor !== undefined; at++) {
    const piece = await callTool(client, 'memory_export', { ...more, ...(cursor !== undefined && { cursor }) });
    expect(piece.isError, textOf(piece)).not.toBe(true);
    if (more.characters === undefined) expect(Buffer.byteLength(JSON.stringify(piece))).toBeLessThan(8192);
    const { content, cursor: next } = piece.structuredContent as { content: string; cursor?: string };
    text += content;
    cursor = next;
  }
  return text;
}

const linesOf = (text: string): Json[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);

/** Without what an import adds, in an order that does not depend on the engine. */
const asBefore = (text: string) =>
  linesOf(text)
    .map(({ by: _, ...line }) => line)
    .sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1));

describe.each(['sqlite', 'postgres'] as const)('over %s', (store) => {
  let database: TestDatabase | undefined;
  let other: TestDatabase | undefined;
  let gateway: TestGateway;
  let second: TestGateway;
  let client: AnyClient & AsyncDisposable;
  let elsewhere: AnyClient & AsyncDisposable;

  beforeAll(async () => {
    if (store === 'postgres') [database, other] = await Promise.all([createDatabase(), createDatabase()]);
    gateway = await startGateway({ auth: { mode: 'keys' } }, database ? { store: database.url } : {});
    second = await startGateway({}, other ? { store: other.url } : {});
    client = await connectV2(gateway, { era: 'modern', headers: (await keyOf(gateway, 'ana', ['admin'])).headers });
    elsewhere = await connectV2(second, { era: 'modern' });
  });
  afterAll(async () => {
    for (const one of [client, elsewhere, gateway, second]) await one[Symbol.asyncDispose]();
    await Promise.all([database?.[Symbol.asyncDispose](), other?.[Symbol.asyncDispose]()]);
  });

  test('an export, imported into an empty Sluice, is the same memories', async () => {
    const { id } = await remember(client, 'The staging port is 5433.', { tags: ['staging'], metadata: { n: 1.5 } });
    const { id: later } = await done<FoundMemory>(client, 'update', { id, text: 'The staging port is 6543. 🦊' });
    await done(client, 'update', { id: later, tags: ['staging', 'port'] });
    await remember(client, 'Rent is due.', { namespace: 'home', pin: true, ttl: '30d', valid_to: '2100-01-01' });
    await remember(client, `${'A very long story. '.repeat(600)}\n"quoted" \\ 日本語`, { namespace: 'home' });
    const text = await exported(client);
    expect(linesOf(text)).toHaveLength(5);
    expect(await exported(client, { characters: 2_000_000 })).toBe(text);

    expect(await brought(elsewhere, text)).toMatchObject({ imported: 5, known: 0, namespaces: ['home', 'default'] });
    const again = await exported(elsewhere);
    expect(asBefore(again)).toEqual(asBefore(text));
    const last = linesOf(text).find(({ tags }) => (tags as string[]).includes('port')) as Json;
    expect(await done(elsewhere, 'get', { id: last.id })).toMatchObject({
      recorded_at: last.recorded_at,
      by: { imported_at: expect.any(String), originally: last.by },
      versions: [{ text: 'The staging port is 6543. 🦊' }, { text: 'The staging port is 5433.' }],
    });
    expect(await brought(elsewhere, text)).toMatchObject({ imported: 0, known: 5 });

    // What was updated at home since is the next version there.
    await done(client, 'update', { id: last.id as string, text: 'The staging port is 7000.' });
    expect(await brought(elsewhere, await exported(client))).toMatchObject({ imported: 1, known: 5 });
    expect(asBefore(await exported(elsewhere))).toEqual(asBefore(await exported(client)));
    expect(await recalled(elsewhere, 'staging port', { namespace: 'default' })).toEqual(['The staging port is 7000.']);
  });

  test('Markdown has what is true now, and comes back as it was', async () => {
    const markdown = await exported(client, { format: 'markdown' });
    expect(markdown.includes('The staging port is 7000.')).toBe(true);
    expect(markdown.includes('5433')).toBe(false);
    expect(await brought(client, markdown)).toMatchObject({ imported: 0, known: 3 });
    expect(await brought(client, markdown, { namespace: 'copies' })).toMatchObject({
      imported: 3,
      namespaces: ['copies'],
    });
    expect(await brought(client, markdown, { namespace: 'copies' })).toMatchObject({ imported: 0, known: 3 });
    const texts = (text: string) => linesOf(text).map((line) => String(line.text));
    expect(texts(await exported(client, { namespace: 'copies' })).sort()).toEqual(
      [...texts(await exported(client, { namespace: 'home' })), 'The staging port is 7000.'].sort(),
    );
  });

  test('a broken line is named, and the others are imported once', async () => {
    const content = '{"text":"Good one"}\nbroken\n{"text":""}\n{"type":"entity","name":"Ada","entityType":"person"}\n';
    const args = { namespace: 'broken', name: 'x.jsonl' };
    expect(await brought(client, content, args)).toMatchObject({
      imported: 2,
      broken: 2,
      problems: [
        { line: 2, reason: expect.stringContaining('not JSON') },
        { line: 3, reason: expect.stringContaining('empty') },
      ],
      note: expect.stringContaining('graph_create_entities'),
    });
    expect(await brought(client, content, args)).toMatchObject({ imported: 0, known: 2 });
    const { text } = await refused(client, 'import', { content: 'Just text', format: 'json', namespace: 'broken' });
    expect(text).toContain('not JSON');
    expect(linesOf(await exported(client, { namespace: 'broken' }))).toHaveLength(2);
  });

  test('two imports of the same file at once store it once', async () => {
    const lines = Array.from({ length: 300 }, (_, at) =>
      JSON.stringify({ type: 'memory', id: `twice-${at}`, text: `Fact number ${at}`, tags: ['t'], namespace: 'twice' }),
    ).join('\n');
    await Promise.all([brought(client, lines), brought(client, lines)]);
    expect(await brought(client, lines)).toMatchObject({ imported: 0, known: 300 });
    const stats = await done<{ namespaces: { name: string; memories: number }[] }>(client, 'list_namespaces');
    expect(stats.namespaces.find(({ name }) => name === 'twice')).toMatchObject({ memories: 300 });
    const [found] = await gateway.runtime.store.apart.rows<{ count: number }>(
      `SELECT count(*) AS count FROM memory_passages p JOIN memories m ON m.number = p.memory WHERE m.id LIKE 'twice-%'`,
    );
    expect(found?.count).toBe(300);
    await confirmed(client, 'drop_namespace', { name: 'twice' });
  });

  test('an import reaches nothing of somebody else, by namespace, id or version', async () => {
    const { headers } = await keyOf(gateway, 'mallory');
    await using mallory = await connectV2(gateway, { era: 'modern', headers });
    const { id } = await remember(client, 'A private thing.', { namespace: 'private' });
    const line = (more: Json) => JSON.stringify({ type: 'memory', text: 'Mine now.', ...more });
    expect((await refused(mallory, 'import', { content: line({ namespace: 'private' }) })).code).toBe('forbidden');
    expect((await refused(mallory, 'export', { namespace: 'private' })).code).toBe('forbidden');
    expect(await exported(mallory)).not.toContain('A private thing.');
    // It claims to be that memory, and a later version of it.
    const claims = [line({ id, namespace: 'm' }), line({ id: 'm-next', root: id, supersedes: id, namespace: 'm' })];
    expect(await brought(mallory, claims.join('\n'))).toMatchObject({ imported: 2 });
    expect(await done(client, 'get', { id })).toMatchObject({ text: 'A private thing.', namespace: 'private' });
    expect(await done<{ versions?: unknown }>(client, 'get', { id })).not.toHaveProperty('versions');
    const theirs = linesOf(await exported(mallory, { namespace: 'm' })).map((one) => one.id as string);
    expect(theirs).not.toContain(id);
    await confirmed(mallory, 'forget', { ids: theirs });
    expect(await done(client, 'get', { id })).toMatchObject({ text: 'A private thing.' });
    // Who recorded it is what a file claims; who imported it is certain.
    await brought(mallory, line({ id: 'forged', namespace: 'm', by: { principal: 'key:ana', call: 'x' } }));
    expect(await done(mallory, 'get', { id: 'forged' })).toMatchObject({
      by: { name: 'mallory', originally: { principal: 'key:ana' } },
    });
  });

  test('what has expired stays away, and times in the future are not believed', async () => {
    const line = (more: Json) => JSON.stringify({ type: 'memory', text: 'A fact', namespace: 'times', ...more });
    const content = [
      line({ id: 'gone', expires_at: '2020-01-01T00:00:00Z' }),
      line({ id: 'ahead', recorded_at: '2999-01-01T00:00:00Z' }),
    ].join('\n');
    expect(await brought(client, content)).toMatchObject({ imported: 1, expired: 1 });
    const [ahead] = linesOf(await exported(client, { namespace: 'times' }));
    expect(Date.parse(ahead?.recorded_at as string)).toBeLessThanOrEqual(Date.now());
  });

  test('an export whose place is gone says so, instead of ending early', async () => {
    const texts = Array.from({ length: 12 }, (_, at) => `${at} ${'long '.repeat(200)}`);
    await brought(client, JSON.stringify(texts), { namespace: 'erased' });
    const { cursor } = await done<{ cursor: string }>(client, 'export', { namespace: 'erased' });
    await confirmed(client, 'forget', { namespace: 'erased' });
    expect((await refused(client, 'export', { namespace: 'erased', cursor })).text).toContain('Start the export again');
  });
});

test('an import of many says how far it is', async () => {
  await using gateway = await startGateway({});
  await using client = await connectV2(gateway, { era: 'modern' });
  const content = JSON.stringify(Array.from({ length: 1000 }, (_, at) => `Fact number ${at}`));
  const seen: (number | undefined)[][] = [];
  const result = await callTool(
    client,
    'memory_import',
    { content },
    { onprogress: ({ progress, total }) => void seen.push([progress, total]) },
  );
  expect(result.structuredContent).toMatchObject({ imported: 1000 });
  expect(seen).toEqual([200, 400, 600, 800, 1000].map((count) => [count, 1000]));
});
