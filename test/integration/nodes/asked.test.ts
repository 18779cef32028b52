import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAskedNodes } from '../../../src/nodes/asked/asked.ts';
import { nodesMigrations } from '../../../src/nodes/asked/migrations.ts';
import { getNodeDetails } from '../../../src/nodes/tools/get-node-details.ts';
import { searchNodes } from '../../../src/nodes/tools/search-nodes.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { caller } from '../../support/node-tools.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { type EmptyStores, emptyStores } from '../../support/postgres-stores.ts';

const DAY = 86_400_000;
const TODAY = Date.UTC(2026, 10, 20, 12);
const migrations = new Map([['nodes', nodesMigrations]]);

/** The same on every store. */
function countsOn(open: () => Promise<Store>): void {
  test('counts by day, for all replicas together', async () => {
    await using store = await open();
    let now = TODAY - 40 * DAY;
    const one = createAskedNodes(store.tables, () => now);
    const other = createAskedNodes(store.tables, () => now);
    one.note(['a.old']);
    await one[Symbol.asyncDispose]();
    now = TODAY;
    one.note(['a.slack', 'a.code']);
    other.note(['a.slack']);
    now += 1000;
    other.note(['a.slack']);
    await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
    expect(await one.since(TODAY - DAY)).toEqual({
      asked: [
        { node: 'a.slack', times: 3, last: TODAY + 1000 },
        { node: 'a.code', times: 1, last: TODAY },
      ],
      first: Math.floor((TODAY - 40 * DAY) / DAY) * DAY,
    });
    expect((await other.since(0)).asked.map(({ node }) => node)).toEqual(['a.slack', 'a.code', 'a.old']);
  });

  test('what was noted before midnight belongs to that day, and old counts go after 400 days', async () => {
    await using store = await open();
    let now = Math.floor(TODAY / DAY) * DAY - 1;
    await using asked = createAskedNodes(store.tables, () => now);
    asked.note(['a.b']);
    now += 2;
    asked.note(['a.b']);
    expect((await asked.since(TODAY)).asked).toEqual([{ node: 'a.b', times: 1, last: now }]);
    expect((await asked.since(TODAY - DAY)).asked).toMatchObject([{ times: 2 }]);
    now += 401 * DAY;
    asked.note(['c.d']);
    expect((await asked.since(0)).asked.map(({ node }) => node)).toEqual(['c.d']);
  });

  test('a store that is away fails no call', async () => {
    const store = await open();
    const asked = createAskedNodes(store.tables);
    await store[Symbol.asyncDispose]();
    asked.note(['a.b']);
    await expect(asked[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });
}

describe('questions about nodes in SQLite', () => {
  countsOn(async () => {
    const place = await mkdtempDisposable(join(tmpdir(), 'sluice-asked-'));
    const store = await openSqlite(join(place.path, 'sluice.db'), { migrations });
    return {
      ...store,
      async [Symbol.asyncDispose]() {
        await store[Symbol.asyncDispose]();
        await place.remove();
      },
    };
  });
});

describe.skipIf(postgresIsMissing)('questions about nodes in PostgreSQL', () => {
  let stores: EmptyStores;
  beforeAll(async () => {
    stores = await emptyStores();
  });
  afterAll(() => stores?.[Symbol.asyncDispose]());
  countsOn(() => stores.open({ migrations }));
});

describe.skipIf(catalogueIsMissing)('the node tools', () => {
  test('note each node of get_node_details that exists, and the first hit of search_nodes', async () => {
    const noted: string[] = [];
    const call = caller(testCatalogue(), { asked: { note: (nodes) => void noted.push(...nodes) } });
    const { cursor } = await call<{ cursor?: string }>(getNodeDetails, {
      nodes: [
        'slack',
        { node: 'n8n-nodes-base.code' },
        { node_type: 'TRIGGER', subtype: 'WEBHOOK' },
        'no-such-thing',
        'Slack',
      ],
    });
    expect(noted).toEqual(['n8n-nodes-base.slack', 'n8n-nodes-base.code', 'n8n-nodes-base.webhook']);
    if (cursor !== undefined) await call(getNodeDetails, { nodes: ['slack'], cursor }).catch(() => {});
    noted.length = 0;
    const { nodes } = await call<{ nodes: { name: string }[] }>(searchNodes, {
      query: 'post a message to slack',
      limit: 5,
    });
    expect(noted).toEqual([nodes[0]?.name]);
    expect(nodes.length).toBe(5);
  });
});
