/** What the console and programs read over REST. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, recalled, remember } from '../../support/memory-calls.ts';
import { readsAs, readsOf } from '../../support/reads.ts';
import { type AnyClient, connectV2, type Json, startGateway, type TestGateway } from '../harness.ts';

interface Page extends Json {
  readonly memories: readonly (Json & { readonly id: string; readonly text: string; readonly namespace: string })[];
  readonly cursor?: string;
}

const texts = ({ memories }: Page) => memories.map(({ text }) => text);

describe('an open gateway', () => {
  let gateway: TestGateway;
  let client: AnyClient & AsyncDisposable;
  let read: ReturnType<typeof readsOf>['read'];
  let refusal: ReturnType<typeof readsOf>['refusal'];
  beforeAll(async () => {
    gateway = await startGateway({});
    client = await connectV2(gateway, { era: 'modern' });
    ({ read, refusal } = readsOf(gateway));
  });
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
  });

  test('lists the newest first, page by page, filtered by namespace, tags and pins', async () => {
    for (let at = 0; at < 7; at++)
      await remember(client, `Note ${at}`, { namespace: 'notes', tags: at % 2 === 0 ? ['even', 'all'] : ['all'] });
    const seen: string[] = [];
    let next = '';
    do {
      const page: Page = await read(`memories?namespace=notes&limit=3${next}`);
      seen.push(...texts(page));
      next = page.cursor === undefined ? '' : `&cursor=${encodeURIComponent(page.cursor)}`;
    } while (next !== '');
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((at) => `Note ${at}`));
    expect(texts(await read('memories?namespace=notes&tags=even,%20all'))).toHaveLength(4);
    const { memories } = await read<Page>('memories?namespace=notes&limit=1');
    await done(client, 'pin', { id: memories[0]?.id });
    expect(texts(await read('memories?namespace=notes&pinned=true'))).toEqual(['Note 6']);
    expect(texts(await read('memories?namespace=notes&pinned=false'))).toHaveLength(6);
  });

  test('looking is no recall', async () => {
    const { id } = await remember(client, 'The boat is called Wanda.', { namespace: 'boats' });
    const other = await remember(client, 'The harbour opens at six.', { namespace: 'harbours' });
    const found = await read<Page>('memories?query=what%20is%20the%20boat%20called&namespace=boats');
    expect(found.memories).toMatchObject([{ id, why: { words: expect.arrayContaining(['boat']) as string[] } }]);
    expect(await recalled(client, 'when does the harbour open', { namespace: 'harbours' })).toHaveLength(1);
    // Recalls are noted in the order of the searches.
    await expect.poll(async () => (await read(`memories/${other.id}`)).recalls, { timeout: 10_000 }).toBe(1);
    expect(await read(`memories/${id}`)).toMatchObject({ recalls: 0 });
  });

  test('shows one in full, with its versions, and as it was', async () => {
    const long = `Berlin ${'x'.repeat(5000)}`;
    const first = await remember(client, 'Bonn', {
      namespace: 'capital',
      valid_from: '1949-05-23',
      metadata: { a: 1 },
    });
    const { id } = await done<{ id: string }>(client, 'update', { id: first.id, text: long });
    const whole = await read(`memories/${id}`);
    expect(whole).toMatchObject({
      id,
      text: long,
      supersedes: first.id,
      metadata: { a: 1 },
      by: { principal: 'local' },
    });
    expect(whole.versions).toMatchObject([
      { id, truncated: true },
      { id: first.id, text: 'Bonn' },
    ]);
    expect(await read(`memories/${first.id}`)).toMatchObject({ text: 'Bonn', superseded_by: id });
    expect(texts(await read('memories?namespace=capital&as_of=1980-01-01'))).toEqual(['Bonn']);
    const { memories } = await read<Page>('memories?namespace=capital');
    expect(memories).toMatchObject([{ id, truncated: true }]);
    expect(memories[0]).not.toHaveProperty('metadata');
  });

  test('names what repeats and what contradicts a memory, but not its own versions', async () => {
    const where = { namespace: 'ports' };
    const { id } = await remember(client, 'The staging database listens on port 5432.', where);
    const other = await remember(client, 'The staging database listens on port 5433.', where);
    const near = await read(`memories/${id}/near`);
    expect(near.contradicts).toMatchObject([{ id: other.id, text: 'The staging database listens on port 5433.' }]);
    const { id: next } = await done<{ id: string }>(client, 'update', {
      id: other.id,
      text: 'The staging database listens on port 5432.',
    });
    expect(await read(`memories/${id}/near`)).toMatchObject({ duplicate_of: next, contradicts: [] });
    expect(await read(`memories/${other.id}/near`)).toEqual({ contradicts: [] });
  });

  test('counts what is in each namespace, and says where it is', async () => {
    const { namespaces } = await read<{ namespaces: Json[] }>('memory-namespaces');
    expect(namespaces).toContainEqual(
      expect.objectContaining({
        name: 'notes',
        belongs_to: 'the owner',
        memories: 7,
        versions: 7,
        pinned: 1,
        bytes: 42,
      }),
    );
    expect(await read('memory-state')).toMatchObject({
      stored_in: 'SQLite',
      model: expect.stringContaining('use-lite'),
    });
  });

  test('says what is wrong with a question', async () => {
    expect(await refusal('memories?limit=many')).toMatchObject({
      status: 400,
      message: expect.stringContaining('limit'),
    });
    expect(await refusal('memories?nonsense=1')).toMatchObject({ status: 400 });
    expect(await refusal('memories?as_of=yesterdayish')).toMatchObject({ status: 400 });
    expect(await refusal('memories?cursor=nonsense')).toMatchObject({ status: 400 });
    expect(await refusal('memories?namespace=nobodys')).toMatchObject({ status: 404 });
    for (const id of ['m0', '__proto__', '%00', encodeURIComponent('<script>')])
      expect(await refusal(`memories/${id}`)).toMatchObject({ status: 404 });
  });

  test('a memory of a million characters is listed by its beginning, and read whole', async () => {
    const text = 'ab '.repeat(333_333);
    const { id } = await remember(client, text, { namespace: 'large' });
    const { memories } = await read<Page>('memories?namespace=large');
    expect(memories[0]?.text.length).toBeLessThan(400);
    expect((await read(`memories/${id}`)).text).toBe(text);
  });
});

describe('keys', () => {
  const stack = new AsyncDisposableStack();
  let gateway: TestGateway;
  let id: string;
  let shared: string;
  beforeAll(async () => {
    gateway = stack.use(await startGateway({ auth: { mode: 'keys' } }));
    const { headers } = await readsAs(gateway, 'ana');
    const ana = stack.use(await connectV2(gateway, { era: 'modern', headers }));
    ({ id } = await remember(ana, 'Ana fears the dentist.', { namespace: 'diary-of-ana' }));
    ({ id: shared } = await remember(ana, 'The office opens at nine.'));
  });
  afterAll(() => stack.disposeAsync());

  const routes = () => [
    'memories',
    `memories/${shared}`,
    `memories/${shared}/near`,
    'memory-namespaces',
    'memory-state',
  ];

  test('see nothing of namespaces that are not theirs', async () => {
    const ben = await readsAs(gateway, 'ben');
    expect(await ben.refusal('memories?namespace=diary-of-ana')).toMatchObject({ status: 403 });
    expect(await ben.refusal('memories?query=dentist&namespace=diary-of-ana')).toMatchObject({ status: 403 });
    for (const path of [`memories/${id}`, `memories/${id}/near`])
      expect(await ben.refusal(path)).toEqual(
        await ben.refusal(path.replace(id, 'm0')).then(({ status, message }) => ({
          status,
          message: message.replace('m0', id),
        })),
      );
    expect(texts(await ben.read('memories'))).toEqual(['The office opens at nine.']);
    expect(texts(await ben.read('memories?query=who%20fears%20the%20dentist'))).not.toContain('Ana fears the dentist.');
    const { namespaces } = await ben.read<{ namespaces: Json[] }>('memory-namespaces');
    expect(namespaces.map(({ name }) => name)).toEqual(['default']);
  });

  test('may read what they may read with the tools, and nothing else', async () => {
    const reader = await readsAs(gateway, 'reader', { scopes: ['memory:read'], readOnly: true });
    for (const path of routes()) await reader.read(path);
    const storing = await readsAs(gateway, 'storing', { tools: ['memory_store'] });
    const elsewhere = await readsAs(gateway, 'elsewhere', { scopes: ['graph:read'] });
    for (const path of routes()) {
      expect(await storing.refusal(path)).toMatchObject({ status: 403 });
      expect(await elsewhere.refusal(path)).toMatchObject({ status: 403 });
      expect(await readsOf(gateway).refusal(path)).toMatchObject({ status: 401 });
    }
    const searching = await readsAs(gateway, 'searching', { tools: ['memory_search'] });
    await searching.read('memories');
    expect(await searching.refusal(`memories/${shared}`)).toMatchObject({ status: 403 });
  });
});

test('memory that is switched off, or away, says so', async () => {
  await using off = await startGateway({ memory: false });
  expect(await readsOf(off).refusal('memories')).toEqual({
    status: 404,
    message: expect.stringContaining('switched off') as string,
  });
  await using away = await startGateway({ memory: { qdrant: { url: 'http://127.0.0.1:9', timeout: '2s' } } });
  const { status, message } = await readsOf(away).refusal('memories');
  expect([status, message]).toEqual([503, expect.stringContaining('127.0.0.1:9')]);
});
