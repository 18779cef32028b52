import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import type { KeyGrant } from '../../../src/store/store.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';
import {
  type AnyClient,
  callTool,
  connectV2,
  type Json,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from '../harness.ts';

type Connected = AnyClient & AsyncDisposable;
type Line = { kind: string; name: string; state: string; seen: string; next?: string };
interface Status extends Json {
  readonly state: string;
  readonly counts: Json;
  readonly items: Line[];
  readonly cursor?: string;
}

/** A default reply stays below. */
const REPLY = 8 * 1024;

async function done<T = Json>(client: AnyClient, tool: string, args: Json = {}): Promise<T> {
  const result = await callTool(client, `project_${tool}`, args);
  if (result.isError === true) expect.unreachable(`project_${tool} refused: ${textOf(result)}`);
  expect(Buffer.byteLength(JSON.stringify(result)), tool).toBeLessThan(REPLY);
  return result.structuredContent as T;
}

async function refused(client: AnyClient, tool: string, args: Json = {}): Promise<string> {
  const result = await callTool(client, `project_${tool}`, args);
  expect(result.isError, textOf(result)).toBe(true);
  return textOf(result);
}

const lineOf = ({ items }: Status, name: string) => items.find((line) => line.name === name);

/** All pages of a tool, as one list. */
async function pages<T extends Json>(client: AnyClient, tool: string, args: Json, list: string): Promise<T[]> {
  const found: T[] = [];
  for (let cursor: unknown; ; ) {
    const page = await done(client, tool, { ...args, ...(cursor !== undefined && { cursor }) });
    found.push(...(page[list] as T[]));
    if (page.cursor === undefined) return found;
    ({ cursor } = page);
  }
}

function projectsIn(database: () => Promise<{ readonly url: string } & AsyncDisposable> | undefined): void {
  const stack = new AsyncDisposableStack();
  let gateway: TestGateway;
  let owner: Connected;
  beforeAll(async () => {
    const reference = stack.use(await startReference('http', 'both'));
    const used = await database();
    const store = used ? { store: stack.use(used).url } : {};
    gateway = stack.use(
      await startGateway({ auth: { mode: 'keys' }, mcpServers: { ref: reference.entry } }, { ...store }),
    );
    owner = await as('owner', ['admin', 'tools:read', 'tools:execute']);
  });
  afterAll(() => stack.disposeAsync());

  const ids = new Map<string, string>();
  async function as(name: string, scopes: string[], more: Partial<KeyGrant> = {}): Promise<Connected> {
    const grant = { name, scopes, createdAt: new Date().toISOString(), createdBy: 'test', ...more };
    const { id, key } = await createKey(gateway.runtime.store.keys, grant);
    ids.set(name, `key:${id}`);
    return stack.use(await connectV2(gateway, { era: 'modern', headers: { authorization: `Bearer ${key}` } }));
  }

  test('a project groups things, and its status asks a real server', async () => {
    await done(owner, 'create', { name: 'Web shop', description: 'Orders', owners: ['Ana'] });
    const added = await done(owner, 'add', {
      project: 'web SHOP',
      kind: 'other',
      name: 'stock',
      note: 'In pieces.',
      check: { tool: 'ref__echo', arguments: { text: 'all 7 in stock' } },
    });
    expect(added).toEqual({ project: 'Web shop', kind: 'other', name: 'stock', checked_by: 'ref__echo' });
    await done(owner, 'add', { project: 'Web shop', kind: 'server', name: 'ref' });
    await done(owner, 'add', { project: 'Web shop', kind: 'note', name: 'why', note: 'Because.' });
    await done(owner, 'add', { project: 'Web shop', kind: 'url', name: 'http://127.0.0.1:9/never-asked' });
    expect(await done(owner, 'show', { name: 'web shop' })).toMatchObject({
      name: 'Web shop',
      description: 'Orders',
      owners: ['Ana'],
      total: 4,
      items: [{ name: 'stock', note: 'In pieces.', check: { tool: 'ref__echo' } }, {}, {}, {}],
    });
    const status = await done<Status>(owner, 'status', { name: 'Web shop' });
    expect(status).toMatchObject({ state: 'ok', counts: { ok: 3, unknown: 1, warning: 0, failing: 0 } });
    expect(lineOf(status, 'stock')).toMatchObject({ state: 'ok', seen: 'all 7 in stock' });
    expect(lineOf(status, 'ref')?.seen).toMatch(/^running, \d+ tools$/);
    expect(lineOf(status, 'why')).toMatchObject({ state: 'ok' });

    await done(owner, 'add', { project: 'Web shop', kind: 'server', name: 'nowhere' });
    await done(owner, 'add', { project: 'Web shop', kind: 'container', name: 'web' });
    await done(owner, 'add', { project: 'Web shop', kind: 'workflow', name: 'Send' });
    await done(owner, 'add', { project: 'Web shop', kind: 'memory', name: 'nobody-wrote-here' });
    const worse = await done<Status>(owner, 'status', { name: 'Web shop' });
    expect(worse.state).toBe('failing');
    expect(worse.items.slice(0, 2).map(({ state }) => state)).toEqual(['failing', 'failing']);
    expect(lineOf(worse, 'nowhere')).toMatchObject({ state: 'failing' });
    expect(lineOf(worse, 'nobody-wrote-here')).toMatchObject({ state: 'failing' });
    expect(lineOf(worse, 'web')).toMatchObject({
      state: 'unknown',
      next: expect.stringContaining('modules.docker') as string,
    });
    expect(lineOf(worse, 'Send')).toMatchObject({ state: 'unknown', seen: 'no n8n is connected' });

    const removed = { project: 'Web shop', kind: 'server', name: 'nowhere' };
    await done(owner, 'remove_item', removed);
    expect(await refused(owner, 'remove_item', removed)).toContain('project_show shows its items');
  });

  test('a namespace of the memory is found among many', async () => {
    for (const namespace of ['team-a', 'team-b', 'team-c'])
      await callTool(owner, 'memory_store', { text: `about ${namespace}`, namespace });
    await done(owner, 'create', { name: 'memories' });
    await done(owner, 'add', { project: 'memories', kind: 'memory', name: 'team-b' });
    const status = await done<Status>(owner, 'status', { name: 'memories' });
    expect(lineOf(status, 'team-b')).toMatchObject({
      state: 'ok',
      seen: expect.stringMatching(/^1 memory, /) as string,
    });
  });

  test('the status shows each caller what he may see, and records his calls as his', async () => {
    await done(owner, 'create', { name: 'guarded' });
    const check = { tool: 'ref__echo', arguments: { text: 'a number for few' } };
    await done(owner, 'add', { project: 'guarded', kind: 'other', name: 'takings', check });
    const reader = await as('reader', ['project:read']);
    const status = await done<Status>(reader, 'status', { name: 'guarded' });
    expect(status.state).toBe('unknown');
    expect(lineOf(status, 'takings')).toMatchObject({ state: 'unknown', seen: 'this key may not call ref__echo' });
    expect(JSON.stringify(status)).not.toContain('a number for few');
    // Whoever sees a tool may still not call it.
    const looker = await as('looker', ['project:read', 'tools:read']);
    expect(lineOf(await done<Status>(looker, 'status', { name: 'guarded' }), 'takings')).toMatchObject({
      seen: 'this key may not call ref__echo',
    });
    const allowed = await as('allowed', ['project:read', 'ref:read'], { readOnly: true });
    expect(lineOf(await done<Status>(allowed, 'status', { name: 'guarded' }), 'takings')).toMatchObject({
      state: 'ok',
      seen: 'a number for few',
    });
    const { events } = await gateway.stored({ type: 'tool.call_*', limit: 1000 });
    const callers = (type: string, tool: string) =>
      events.filter((one) => one.event_type === type && one.data.tool === tool).map(({ data }) => data.principal);
    expect(callers('tool.call_completed', 'ref__echo')).toContain(ids.get('allowed'));
    expect(callers('tool.call_completed', 'ref__echo')).not.toContain(ids.get('looker'));
    expect(callers('tool.call_failed', 'ref__echo')).toContain(ids.get('looker'));
    expect(callers('tool.call_failed', '(unknown)')).toContain(ids.get('reader'));
    expect(await refused(reader, 'create', { name: 'not mine' }).catch(String)).toMatch(/project:write|Unknown tool/);
  });

  test.each<[string, Json, RegExp]>([
    ['one that changes things', { tool: 'ref__slow', arguments: { ms: 1 } }, /it changes things/],
    ['one of the projects', { tool: 'project_status', arguments: { name: 'x' } }, /a project cannot check projects/],
    ['an alias of one of the projects', { tool: 'project:project_status' }, /a project cannot check projects/],
    ['one that does not exist', { tool: '__proto__' }, /no tool that this key may use/],
    ['a wrapper', { tool: 'memory_read', arguments: { tool: 'get_stats' } }, /no tool that this key may use/],
    ['one with a library as arguments', { tool: 'ref__echo', arguments: { text: 'x'.repeat(3000) } }, /at most 2000/],
  ])('a check cannot be %s', async (_, check, why) => {
    await done(owner, 'create', { name: 'checks' }).catch(() => {});
    expect(await refused(owner, 'add', { project: 'checks', kind: 'other', name: 'x', check })).toMatch(why);
  });

  test('a check that reads no longer is not called', async () => {
    await done(owner, 'create', { name: 'turned' });
    const check = { tool: 'ref__echo', arguments: { text: 'x' } };
    await done(owner, 'add', { project: 'turned', kind: 'other', name: 'x', check });
    const tables = gateway.runtime.store.apart;
    await tables.change("UPDATE project_items SET check_tool = 'ref__slow' WHERE check_arguments LIKE '%\"x\"%'");
    const status = await done<Status>(owner, 'status', { name: 'turned' });
    expect(lineOf(status, 'x')).toMatchObject({
      state: 'unknown',
      seen: expect.stringContaining('it changes things') as string,
    });
    const journal = textOf(await callTool(owner, 'ref__journal', {}));
    expect(journal).not.toContain('slow started');
  });

  test.each(['__proto__', 'constructor', '🚀'.repeat(100), 'x'.repeat(100), '"\'\\{}', 'كتاب'])(
    'a project may be called %s',
    async (name) => {
      await done(owner, 'create', { name, description: name });
      expect(await refused(owner, 'create', { name: name.toUpperCase() })).toContain('already');
      await done(owner, 'add', { project: name, kind: 'note', name, note: name });
      expect(await done(owner, 'show', { name })).toMatchObject({
        name,
        items: [{ name, note: expect.stringContaining(name.slice(0, 100)) as string }],
      });
      expect(await done<Status>(owner, 'status', { name })).toMatchObject({ project: name, state: 'ok' });
      const { projects } = await done<{ projects: Json[] }>(owner, 'list_projects', { query: name });
      expect(projects).toMatchObject([{ name, items: 1 }]);
    },
  );

  test('replies with 200 large items stay small, and pages show every one once', async () => {
    const name = `large ${'ü'.repeat(94)}`;
    await done(owner, 'create', {
      name,
      description: '"'.repeat(1000),
      owners: Array.from({ length: 10 }, (_, at) => `${at}${'"'.repeat(39)}`),
    });
    const names = Array.from({ length: 200 }, (_, at) => `${at} ${'"'.repeat(190)}`);
    for (const item of names)
      await done(owner, 'add', { project: name, kind: 'url', name: item, note: '"'.repeat(2000) });
    expect(await refused(owner, 'add', { project: name, kind: 'url', name: 'one more' })).toContain(
      '200 items already',
    );
    const shown = await pages<Line>(owner, 'show', { name }, 'items');
    expect(shown.map((line) => line.name)).toEqual(names);
    const seen = await pages<Line>(owner, 'status', { name }, 'items');
    expect(seen.map((line) => line.name)).toEqual(names);
    const whole = await callTool(owner, 'project_show', { name, item: names[7] });
    expect(whole.structuredContent).toMatchObject({ items: [{ name: names[7], note: '"'.repeat(2000) }] });
  }, 30_000);

  test('many projects are listed in pages, by name', async () => {
    const made = Array.from({ length: 60 }, (_, at) => `bulk ${String(at).padStart(2, '0')} ${'é'.repeat(60)}`);
    await Promise.all(made.map((name) => done(owner, 'create', { name, description: '"'.repeat(500) })));
    const found = await pages<Line>(owner, 'list_projects', { query: 'BULK' }, 'projects');
    expect(found.map(({ name }) => name)).toEqual(made);
  });

  test('a deletion says beforehand that only the grouping goes', async () => {
    await done(owner, 'create', { name: 'old' });
    await done(owner, 'update', { name: 'OLD', rename: 'older', description: 'x' });
    await done(owner, 'add', { project: 'older', kind: 'note', name: 'n', note: 'x' });
    const asked = await refused(owner, 'delete', { name: 'older' });
    expect(asked).toContain('"older" for good, with the list of its 1 item and 1 note. Only the grouping is deleted');
    const confirm = /"?confirm"?: "([^"]+)"/.exec(asked)?.[1] ?? '';
    expect(await done(owner, 'delete', { name: 'older', confirm })).toEqual({ name: 'older', items: 1 });
    expect(await refused(owner, 'show', { name: 'older' })).toContain('No project is called "older"');
  });

  test('two clients that add at once lose nothing', async () => {
    await done(owner, 'create', { name: 'shared' });
    const names = Array.from({ length: 16 }, (_, at) => `item ${at}`);
    await Promise.all(names.map((name) => done(owner, 'add', { project: 'shared', kind: 'note', name })));
    const shown = await pages<Line>(owner, 'show', { name: 'shared' }, 'items');
    expect(shown.map(({ name }) => name).sort()).toEqual([...names].sort());
  });
}

describe('projects in SQLite', () => {
  projectsIn(() => undefined);
});

describe.skipIf(postgresIsMissing)('projects in PostgreSQL', () => {
  projectsIn(createDatabase);
});

describe('the source', () => {
  test('is three wrappers by default, gone with projects: false, and yields to a server of its name', async () => {
    await using reference = await startReference('http', 'both');
    await using gateway = await startGateway({});
    await using client = await connectV2(gateway);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect((await names()).filter((name) => name.startsWith('project_'))).toEqual([
      'project_list',
      'project_call',
      'project_read',
    ]);
    await callTool(client, 'project_call', { tool: 'create', params: { name: 'kept' } });
    await gateway.reload({ projects: false });
    expect((await names()).some((name) => name.startsWith('project_'))).toBe(false);
    await gateway.reload({ mcpServers: { project: reference.entry } });
    await gateway.runtime.settled;
    expect(gateway.runtime.apis.gateway.registry.find('project_create')).toBeUndefined();
    expect(JSON.stringify(gateway.runtime.apis.gateway.status().notConfigured)).toContain('project');
    await gateway.reload({});
    const kept = await callTool(client, 'project_read', { tool: 'show', params: { name: 'kept' } });
    expect(kept.structuredContent).toMatchObject({ name: 'kept', total: 0 });
  });
});
