import { describe, expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../../n8n/client/client.ts';
import { bridgeSettings } from '../../../test/support/bridge-settings.ts';
import { createLook } from './look.ts';
import { markOf } from './mark.ts';

const { signal } = new AbortController();
const settings = bridgeSettings({ workflows: { tag: 'mcp' } });

const webhook = { id: 'n', name: 'In', type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters: { path: 'p' } };
const plain = (id: string, more = {}) => ({ id, name: `W${id}`, nodes: [], connections: {}, versionId: 'v1', ...more });
const chosen = (id: string, more = {}) => plain(id, { nodes: [webhook], tags: [{ id: 't', name: 'mcp' }], ...more });

/** A fake n8n with pages and ETags. */
function n8n(perPage = 2) {
  const workflows = new Map<string, ReturnType<typeof plain>>();
  const asked: string[] = [];
  const client = {
    http: {
      async send(_method: string, _path: string, { query, headers = {} }: Ask) {
        const from = Number(query.cursor ?? 0);
        const all = [...workflows.values()];
        const data = all.slice(from, from + perPage);
        const nextCursor = from + perPage < all.length ? String(from + perPage) : null;
        const etag = JSON.stringify({ data, nextCursor });
        const isSame = headers['if-none-match'] === etag;
        asked.push(isSame ? '304' : '200');
        return { status: isSame ? 304 : 200, headers: new Headers({ etag }), body: { data, nextCursor } };
      },
    },
    workflows: {
      async get(id: string) {
        asked.push(id);
        const found = workflows.get(id);
        if (!found) throw new AppError('not_found', 'gone');
        return { active: false, isArchived: false, ...found };
      },
    },
  } as unknown as N8nClient;
  return {
    client,
    asked,
    has: (...all: ReturnType<typeof plain>[]) => {
      for (const workflow of all) workflows.set(workflow.id, workflow);
    },
    lose: (id: string) => workflows.delete(id),
  };
}

interface Ask {
  query: { cursor?: string };
  headers?: Record<string, string>;
}

describe('a full scan', () => {
  test('finds what could be bridged, page by page, and does not transfer unchanged pages again', async () => {
    const it = n8n();
    it.has(plain('1'), chosen('2'), plain('3'), chosen('4'), plain('5'));
    const look = createLook();
    expect(await look.all(it.client, settings, signal)).toEqual({ changed: ['2', '4'] });
    expect(look.found().map(({ id }) => id)).toEqual(['2', '4']);
    expect(look.size()).toBe(5);
    it.asked.length = 0;
    expect(await look.all(it.client, settings, signal)).toEqual({ changed: [] });
    expect(it.asked).toEqual(['304', '304', '304']);
    expect(look.found()).toHaveLength(2);
  });

  test('keeps a workflow that a deletion during the scan hides between two pages', async () => {
    const it = n8n();
    it.has(plain('1'), plain('2'), chosen('3'), chosen('4'));
    const look = createLook();
    await look.all(it.client, settings, signal);
    const { send } = it.client.http;
    it.has(plain('2', { versionId: 'v2' }));
    const hurried = {
      ...it.client,
      http: {
        ...it.client.http,
        send: async (...ask: Parameters<typeof send>) => {
          const answer = await send(...ask);
          it.lose('1');
          return answer;
        },
      },
    };
    expect((await look.all(hurried, settings, signal)).changed).toEqual([]);
    expect(look.found().map(({ id }) => id)).toEqual(['3', '4']);
    it.lose('3');
    await look.all(it.client, settings, signal);
    expect(look.found().map(({ id }) => id)).toEqual(['4']);
  });

  test('reads only the changed workflow again', async () => {
    const it = n8n(10);
    it.has(chosen('1'), chosen('2'), plain('3'));
    const look = createLook();
    await look.all(it.client, settings, signal);
    it.has(chosen('2', { activeVersionId: 'v1' }));
    it.asked.length = 0;
    expect(await look.all(it.client, settings, signal)).toEqual({ changed: ['2'] });
    expect(it.asked).toEqual(['200', '2']);
  });

  test('reports new, deleted and untagged workflows, but not those with nothing to bridge', async () => {
    const it = n8n();
    it.has(chosen('1'), chosen('2'), plain('3'));
    const look = createLook();
    await look.all(it.client, settings, signal);
    it.lose('1');
    it.has(chosen('2', { tags: [] }), plain('3', { versionId: 'v2' }), chosen('4'));
    const { changed } = await look.all(it.client, settings, signal);
    expect([...changed].sort()).toEqual(['1', '2', '4']);
    expect(
      look
        .found()
        .filter(({ chosen: why }) => why !== undefined)
        .map(({ id }) => id),
    ).toEqual(['4']);
  });

  test('ignores a workflow of unknown shape', async () => {
    const it = n8n(10);
    it.has(plain('1', { nodes: 'none' }), chosen('2'));
    const look = createLook();
    expect(await look.all(it.client, settings, signal)).toMatchObject({ changed: ['2'] });
  });

  test('examines everything again after a change of settings', async () => {
    const it = n8n(10);
    it.has(chosen('1'));
    const look = createLook();
    await look.all(it.client, settings, signal);
    look.reset();
    await look.all(it.client, bridgeSettings({ workflows: { tag: 'other' } }), signal);
    expect(look.found()[0]?.chosen).toBeUndefined();
  });
});

describe('a scan of one workflow', () => {
  test('reports whether it changed', async () => {
    const it = n8n();
    it.has(chosen('1'), plain('2'));
    const look = createLook();
    await look.all(it.client, settings, signal);
    expect(await look.one(it.client, '1', settings, signal)).toEqual({ changed: [] });
    it.has(chosen('1', { name: 'Other' }), plain('2', { name: 'Other' }));
    expect(await look.one(it.client, '1', settings, signal)).toEqual({ changed: ['1'] });
    expect(await look.one(it.client, '2', settings, signal)).toEqual({ changed: [] });
    it.lose('1');
    expect(await look.one(it.client, '1', settings, signal)).toEqual({ changed: ['1'] });
    expect(look.found()).toEqual([]);
  });
});

describe('the mark of a workflow', () => {
  const base = chosen('1', { updatedAt: 'u', activeVersionId: 'a', isArchived: false, shared: [{ projectId: 'p' }] });

  test.each([
    ['name', { name: 'x' }],
    ['updatedAt', { updatedAt: 'x' }],
    ['versionId', { versionId: 'x' }],
    ['activeVersionId', { activeVersionId: 'x' }],
    ['isArchived', { isArchived: true }],
    ['tags', { tags: [] }],
    ['availableInMCP', { settings: { availableInMCP: true } }],
    ['project', { shared: [{ projectId: 'x' }] }],
  ])('changes with %s', (_, change) => {
    expect(markOf({ ...base, ...change })).not.toBe(markOf(base));
  });

  test('ignores what lists omit, so that both kinds of scan agree', () => {
    expect(markOf({ ...base, description: 'd', pinData: {} })).toBe(markOf(base));
  });
});
