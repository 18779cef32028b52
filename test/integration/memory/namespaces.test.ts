import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '../../../src/auth/keys.ts';
import { startIdentityProvider } from '../../attack/identity-provider.ts';
import { confirmed, done, keyOf, listed, recalled, refused, remember } from '../../support/memory-calls.ts';
import {
  type AnyClient,
  callTool,
  connectV1,
  connectV2,
  type Json,
  startGateway,
  type TestGateway,
} from '../harness.ts';

type Connected = AnyClient & AsyncDisposable;
const config = { auth: { mode: 'keys' }, memory: { projects: { atlas: ['ana', 'ben'] } } };

let gateway: TestGateway;
const stack = new AsyncDisposableStack();
let [ana, ben, eve, admin] = [] as unknown as [Connected, Connected, Connected, Connected];

beforeAll(async () => {
  gateway = stack.use(await startGateway(config));
  const as = async (name: string, scopes?: string[]) =>
    stack.use(await connectV2(gateway, { era: 'modern', headers: (await keyOf(gateway, name, scopes)).headers }));
  [ana, ben, eve] = [await as('ana'), await as('ben'), await as('eve')];
  admin = await as('boss', ['admin', 'tools:read', 'tools:execute']);
});
afterAll(() => stack.disposeAsync());

const names = async (client: AnyClient) =>
  (await done<{ namespaces: { name: string }[] }>(client, 'list_namespaces')).namespaces.map(({ name }) => name);

describe("somebody else's namespace", () => {
  const where = { namespace: 'diary-of-ana' };
  let id: string;
  beforeAll(async () => {
    ({ id } = await remember(ana, 'Ana fears the dentist.', { ...where, tags: ['private'] }));
  });

  test.each<[string, Json]>([
    ['store', { text: 'x', ...where }],
    ['search', { query: 'dentist', ...where }],
    ['list_memories', where],
    ['forget', where],
    ['drop_namespace', { name: where.namespace }],
    ['set_namespace', { name: where.namespace, belongs_to: 'everybody' }],
    ['set_namespace', { name: where.namespace }],
  ])('memory_%s refuses it', async (tool, args) => {
    const { code, confirm } = await refused(ben, tool, args);
    expect([code, confirm]).toEqual(['forbidden', undefined]);
  });

  test.each<[string, (of: string) => Json]>([
    ['get', (of) => ({ id: of })],
    ['update', (of) => ({ id: of, text: 'Ana loves the dentist.' })],
    ['pin', (of) => ({ id: of })],
    ['forget', (of) => ({ ids: [of] })],
  ])('memory_%s does not know its memories', async (tool, args) => {
    const theirs = await refused(ben, tool, args(id));
    const nobodys = await refused(ben, tool, args('m0'));
    // Nothing tells whether it exists.
    expect(theirs).toEqual({ ...nobodys, text: nobodys.text.replace('m0', id) });
    expect(theirs.code).toBe('not_found');
  });

  test('a search without a namespace does not look there, nor does a list, a filter to forget, or the prompt', async () => {
    await remember(ben, 'Ben fears the dentist, too.', { namespace: 'diary-of-ben', tags: ['private'] });
    expect(await recalled(ben, 'who fears the dentist?')).toEqual(['Ben fears the dentist, too.']);
    expect(await listed(ben, { tags: ['private'] })).toEqual(['Ben fears the dentist, too.']);
    expect((await refused(ben, 'forget', { tags: ['private'] })).text).toContain('1 memory');
    const { messages } = await ben.getPrompt({ name: 'memory_recall', arguments: { about: 'dentist' } });
    expect(JSON.stringify(messages)).not.toContain('Ana fears');
    await expect(ben.getPrompt({ name: 'memory_recall', arguments: { about: 'dentist', ...where } })).rejects.toThrow(
      'belongs to the key ana',
    );
  });

  test('it is in no list, no count, no completion, and no resource', async () => {
    expect(await names(ben)).not.toContain(where.namespace);
    const uri = `memory://namespaces/${where.namespace}`;
    const { resources } = await ben.listResources();
    expect(resources.map((resource) => resource.uri)).not.toContain(uri);
    await expect(ben.readResource({ uri })).rejects.toThrow(/[Nn]o resource|not found/);
    const ref = { type: 'ref/prompt', name: 'memory_recall' } as const;
    const { completion } = await ben.complete({ ref, argument: { name: 'namespace', value: 'diary' } });
    expect(completion.values).toEqual(['diary-of-ben']);
    expect((await ana.readResource({ uri })).contents).toHaveLength(1);
  });

  test('a new memory is not compared with it', async () => {
    const stored = await remember(ben, 'Ana fears the dentist.', { namespace: 'diary-of-ben' });
    expect(JSON.stringify(stored)).not.toContain(id);
  });

  test('an administrator may read and forget in it, but only sees it when it is named', async () => {
    expect(await names(admin)).toContain(where.namespace);
    expect(await recalled(admin, 'who fears the dentist?')).toEqual([]);
    expect(await listed(admin, where)).toEqual(['Ana fears the dentist.']);
    expect(await done(admin, 'get', { id })).toMatchObject({
      by: { principal: expect.any(String), name: 'ana' },
    });
  });

  test('it stays as it was', async () => {
    expect(await listed(ana, where)).toEqual(['Ana fears the dentist.']);
    expect(await done(ana, 'get', { id })).not.toHaveProperty('pinned');
  });
});

test('everybody: each key reads and writes it', async () => {
  await done(ana, 'set_namespace', { name: 'kitchen', belongs_to: 'everybody' });
  await remember(eve, 'The coffee is in the left cupboard.', { namespace: 'kitchen' });
  expect(await recalled(ben, 'coffee')).toContain('The coffee is in the left cupboard.');
});

describe('a project', () => {
  test('its members use the namespace, others do not', async () => {
    await done(ana, 'set_namespace', { name: 'atlas-notes', belongs_to: 'project:atlas' });
    await remember(ben, 'Atlas ships in May.', { namespace: 'atlas-notes' });
    expect(await recalled(ana, 'when does atlas ship')).toContain('Atlas ships in May.');
    expect((await refused(eve, 'search', { query: 'atlas', namespace: 'atlas-notes' })).text).toContain(
      'belongs to the project atlas',
    );
    expect(await names(eve)).not.toContain('atlas-notes');
  });

  test('nobody hands a namespace to a project of others, or to one that does not exist', async () => {
    expect((await refused(eve, 'set_namespace', { name: 'eves', belongs_to: 'project:atlas' })).code).toBe('forbidden');
    expect((await refused(ana, 'set_namespace', { name: 'anas', belongs_to: 'project:constructor' })).code).toBe(
      'forbidden',
    );
    expect(await names(eve)).not.toContain('eves');
    expect((await refused(ana, 'set_namespace', { name: 'anas', belongs_to: 'nobody' })).code).toBe('invalid_input');
  });

  test('members come and go with the file', async () => {
    await gateway.reload({ ...config, memory: { projects: { atlas: ['ana', 'eve'] } } });
    expect(await recalled(eve, 'atlas', { namespace: 'atlas-notes' })).toEqual(['Atlas ships in May.']);
    expect((await refused(ben, 'list_memories', { namespace: 'atlas-notes' })).code).toBe('forbidden');
    await gateway.reload(config);
    expect(await recalled(ben, 'atlas', { namespace: 'atlas-notes' })).toEqual(['Atlas ships in May.']);
  });
});

test('what is handed over is no longer one’s own', async () => {
  await remember(eve, 'The safe is behind the mirror.', { namespace: 'safes' });
  expect(await done(eve, 'set_namespace', { name: 'safes', belongs_to: 'owner' })).toEqual({
    name: 'safes',
    belongs_to: 'the owner',
  });
  expect((await refused(eve, 'list_memories', { namespace: 'safes' })).code).toBe('forbidden');
  expect(await listed(admin, { namespace: 'safes' })).toEqual(['The safe is behind the mirror.']);
});

test('default is shared by all keys, and cannot be handed over', async () => {
  await remember(ana, 'The gate opens with 4711.');
  expect(await recalled(ben, 'how does the gate open', { namespace: 'default' })).toEqual([
    'The gate opens with 4711.',
  ]);
  expect((await refused(admin, 'set_namespace', { name: 'default', belongs_to: 'everybody' })).code).toBe('conflict');
});

test('a new key of the same name goes on where the revoked one stopped', async () => {
  const first = await keyOf(gateway, 'laptop');
  {
    await using old = await connectV1(gateway, { headers: first.headers });
    await remember(old, 'The laptop is grey.', { namespace: 'of-laptop' });
  }
  await revokeKey(gateway.runtime.store.keys, first.id, new Date());
  const second = await keyOf(gateway, 'laptop');
  await using again = await connectV1(gateway, { headers: second.headers });
  expect(await listed(again, { namespace: 'of-laptop' })).toEqual(['The laptop is grey.']);
  expect(await listed(again, { namespace: 'default' })).toEqual(['The gate opens with 4711.']);
});

describe('scopes', () => {
  test('memory:read reads, and changes nothing', async () => {
    const { headers } = await keyOf(gateway, 'reader', ['memory:read']);
    await using reader = await connectV2(gateway, { headers });
    const { tools } = await reader.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['memory_list', 'memory_call']);
    expect(await recalled(reader, 'gate', { namespace: 'default' })).toEqual(['The gate opens with 4711.']);
    const { id } = await remember(ana, 'Scopes hold.');
    for (const [tool, args] of [
      ['store', { text: 'x' }],
      ['update', { id, text: 'x' }],
      ['pin', { id }],
      ['forget', { ids: [id] }],
      ['drop_namespace', { name: 'default' }],
      ['set_namespace', { name: 'readers' }],
    ] as const)
      await expect(callTool(reader, `memory_${tool}`, args)).rejects.toThrow('Unknown tool');
    expect(await done(ana, 'get', { id })).toMatchObject({ text: 'Scopes hold.' });
    expect((await reader.listResources()).resources.length).toBeGreaterThan(0);
    expect((await reader.listPrompts()).prompts.map(({ name }) => name)).toContain('memory_recall');
  });

  test('without a scope of memory there is no tool, no prompt, and no resource', async () => {
    const { headers } = await keyOf(gateway, 'stranger', ['other:read']);
    await using stranger = await connectV2(gateway, { headers });
    expect(JSON.stringify(await stranger.listTools())).not.toContain('memory');
    expect((await stranger.listPrompts()).prompts.map(({ name }) => name)).not.toContain('memory_recall');
    expect((await stranger.listResources()).resources).toEqual([]);
    await expect(stranger.readResource({ uri: 'memory://namespaces/default' })).rejects.toThrow(
      'memory://namespaces/default',
    );
  });
});

describe('users who sign in', () => {
  test('are apart from each other, from the keys, and from names that look like theirs', async () => {
    await using provider = await startIdentityProvider();
    await using own = await startGateway({ auth: { mode: 'both', oauth: { issuer: provider.url } } });
    await using users = new AsyncDisposableStack();
    const user = async (sub: string) => {
      const scope = 'tools:read tools:execute';
      const token = await provider.sign(own.mcp, { claims: { sub, scope } });
      return users.use(await connectV2(own, { era: 'modern', headers: { authorization: `Bearer ${token}` } }));
    };
    const claude = users.use(await connectV2(own, { headers: (await keyOf(own, 'claude')).headers }));
    const long = 'u'.repeat(120);
    const [kim, lee, odd, one, two] = [
      await user('kim'),
      await user('lee'),
      await user('key claude'),
      await user(`${long}1`),
      await user(`${long}2`),
    ];
    await remember(claude, 'Keys share this.');
    await remember(claude, 'Only the key knows.', { namespace: 'private' });

    // Whoever comes first must not take what will be somebody else's.
    expect((await refused(kim, 'store', { text: 'x', namespace: 'user/lee' })).code).toBe('forbidden');
    expect((await refused(kim, 'set_namespace', { name: 'user/lee' })).code).toBe('forbidden');
    expect((await refused(kim, 'store', { text: 'x', namespace: 'default' })).code).toBe('forbidden');

    const said = new Map([kim, lee, odd, one, two].map((client, n) => [client, `User ${n} likes tea.`]));
    for (const [client, text] of said) await remember(client, text);
    for (const [client, text] of said) {
      expect(await recalled(client, 'who likes tea')).toEqual([text]);
      expect(await listed(client)).toEqual([text]);
      expect(await names(client)).toHaveLength(1);
    }
    expect(await recalled(claude, 'who likes tea')).not.toContain('User 0 likes tea.');
    expect((await refused(odd, 'list_memories', { namespace: 'private' })).code).toBe('forbidden');
    const [mine = ''] = await names(kim);
    expect(await listed(kim, { namespace: mine })).toEqual(['User 0 likes tea.']);
    await remember(kim, 'Named.', { namespace: mine });
    expect(await confirmed(kim, 'drop_namespace', { name: mine })).toMatchObject({ forgotten: 2 });
  });
});

test('a namespace that is dropped only if it is empty loses no memory that is being stored', async () => {
  for (let round = 0; round < 5; round++) {
    const namespace = `filling-${round}`;
    await done(ana, 'set_namespace', { name: namespace });
    const { confirm } = await refused(ana, 'drop_namespace', { name: namespace, if_empty: true });
    await Promise.all([
      done(ana, 'drop_namespace', { name: namespace, if_empty: true, confirm }).catch(() => undefined),
      remember(ana, 'Stored.', { namespace }),
    ]);
    expect(await listed(ana, { namespace })).toEqual(['Stored.']);
  }
});

test('a memory that is stored while its namespace is dropped is there, or the caller is told', async () => {
  for (let round = 0; round < 5; round++) {
    const namespace = `racing-${round}`;
    await remember(ana, 'First.', { namespace });
    const { confirm } = await refused(ana, 'drop_namespace', { name: namespace });
    const [, stored] = await Promise.all([
      done(ana, 'drop_namespace', { name: namespace, confirm }),
      remember(ana, 'Second.', { namespace }).catch(() => undefined),
    ]);
    const there = await listed(ana, { namespace }).catch(() => []);
    // Not hidden in a namespace that is not there: whoever makes it next would find it.
    if ((await names(ana)).includes(namespace) || !stored) continue;
    expect(there).toEqual([]);
    expect((await refused(ana, 'get', { id: stored.id })).code).toBe('not_found');
    const rows = await gateway.runtime.store.tables.rows('SELECT id FROM memories WHERE id = ?', stored.id);
    expect(rows).toEqual([]);
  }
});
