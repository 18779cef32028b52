import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../../src/auth/keys.ts';
import { type LocalReference, startGateway, startReference, type TestGateway } from '../harness.ts';
import type { Reply } from '../../support/raw-http.ts';
import { bearer, rows, type Scene } from './rows.ts';

/**
 * Every row sends a hostile request, which must not reach a tool, and the honest version of it, which must succeed. So a
 * gateway that refuses everything fails too.
 */
let backend: LocalReference;
let gateway: TestGateway;
let scene: Scene;
let stream: Response;

beforeAll(async () => {
  backend = await startReference('http', 'both');
  gateway = await startGateway({
    auth: { mode: 'keys' },
    server: { allowedOrigins: ['https://app.example.com'] },
    mcpServers: { ref: backend.entry, ask: { ...backend.entry, confirm: ['*slow'] } },
    toolsets: { ops: { include: ['ref__*'] } },
  });
  const { keys } = gateway.runtime.store;
  const key = async (name: string, scopes: string[], expiresAt?: string) => {
    const grant = { name, scopes, createdAt: new Date().toISOString(), createdBy: 'test' };
    return createKey(keys, { ...grant, ...(expiresAt !== undefined && { expiresAt }) });
  };
  const [owner, other, reader, admin, revoked, expired] = await Promise.all([
    key('owner', ['tools:read', 'tools:execute']),
    key('other', ['tools:read', 'tools:execute']),
    key('reader', ['tools:read']),
    key('admin', ['admin']),
    key('revoked', ['admin']),
    key('expired', ['admin'], new Date(Date.now() - 1000).toISOString()),
  ]);
  await revokeKey(keys, revoked.id, new Date());
  const headers = new Headers(bearer(owner.key).map(([name, value]): [string, string] => [name, value]));
  stream = await fetch(gateway.sse, { headers: { ...Object.fromEntries(headers), accept: 'text/event-stream' } });
  const hello = new TextDecoder().decode((await stream.body?.getReader().read())?.value);
  headers.set('content-type', 'application/json');
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'owner', version: '1' } };
  const opened = await fetch(gateway.mcp, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  scene = {
    url: gateway.url,
    key: owner.key,
    other: other.key,
    reader: reader.key,
    admin: admin.key,
    revoked: revoked.key,
    expired: expired.key,
    session: opened.headers.get('mcp-session-id') as string,
    stream: /sessionId=([\w-]+)/.exec(hello)?.[1] as string,
  };
}, 60_000);

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await backend[Symbol.asyncDispose]();
});

const reached = (tag: string) => backend.world.journal.some((line) => line.endsWith(` ${tag}`));

/** Whether the answer has a result that is not an error. */
function succeeded({ statuses, text }: Reply): boolean {
  return statuses.includes(200) && text.includes('"result"') && !text.includes('"isError":true');
}

const serious = rows.map((row, index) => [row.category, row.name, row, index] as const);

test('there are at least 200 rows', () => expect(rows.length).toBeGreaterThanOrEqual(200));

describe.each([...new Set(rows.map(({ category }) => category))])('%s', (category) => {
  test.concurrent.each(serious.filter(([known]) => known === category))(
    '%s: %s',
    async (_, __, row, index) => {
      const bad = await row.hostile(scene, `hostile-${index}`);
      expect(succeeded(bad), bad.text.slice(0, 500)).toBe(false);
      expect(reached(`hostile-${index}`)).toBe(false);
      const good = await row.control(scene, `control-${index}`);
      expect(succeeded(good), good.text.slice(0, 500)).toBe(true);
    },
    60_000,
  );
});

test('in the end no hostile request has reached a tool, and all servers still run', async () => {
  expect(backend.world.journal.filter((line) => line.includes('hostile'))).toEqual([]);
  expect(backend.world.journal.filter((line) => line.startsWith('slow finished control')).length).toBeGreaterThan(150);
  expect(gateway.runtime.apis.gateway.status().backends.map(({ name, state }) => [name, state])).toEqual([
    ['ref', 'RUNNING'],
    ['ask', 'RUNNING'],
  ]);
  const { events } = await gateway.stored({ limit: 1000 });
  const recorded = JSON.stringify(events);
  for (const key of [scene.key, scene.other, scene.reader, scene.admin, scene.revoked, scene.expired]) {
    expect(recorded).not.toContain(key.slice(15));
  }
});
