import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import type { ServerDetail, ServerList } from '../../../src/gateway/servers/shapes.ts';
import { type Everyone, part } from '../../../src/host/part.ts';
import type { WaitingRoom } from '../../../src/host/waiting.ts';
import type { Principal } from '../../../src/kernel/principal.ts';
import type { KeyGrant } from '../../../src/store/store.ts';
import { type Protected, startProtected } from '../../fixtures/authorization-server.ts';
import { type Json, send, startGateway, type TestGateway } from '../harness.ts';

const plugServer = fileURLToPath(new URL('../../fixtures/plug-server.ts', import.meta.url));
const PASSWORD = 'a-password-in-the-environment';

let directory: string;
let far: Protected;
let gateway: TestGateway;
let all: Everyone;
let admin: string;
let viewer: string;

const file = (name: string) => join(directory, `${name}.json`);
async function set(name: string, settings: object): Promise<void> {
  await writeFile(`${file(name)}.new`, JSON.stringify(settings));
  await rename(`${file(name)}.new`, file(name));
}

let made = 0;
async function key(scopes: string[], more: Partial<KeyGrant> = {}): Promise<string> {
  const grant = { name: `key${made++}`, createdAt: new Date().toISOString(), createdBy: 'test' };
  return (await createKey(gateway.runtime.store.keys, { ...grant, scopes, ...more })).key;
}

async function ask(path: string, apiKey = admin): Promise<{ status: number; body: unknown }> {
  const { status, text } = await send(`${gateway.url}/api/v1/${path}`, { headers: { 'x-api-key': apiKey } });
  return { status, body: JSON.parse(text) as unknown };
}
const listed = async (apiKey = admin) => (await ask('servers', apiKey)).body as ServerList;
const detail = async (name: string, apiKey = admin) => (await ask(`servers/${name}`, apiKey)).body as ServerDetail;
const call = async (name: string, args: Json = {}, apiKey = admin) =>
  (
    await send(`${gateway.url}/api/v1/mcp/invoke`, {
      headers: { 'x-api-key': apiKey },
      body: { name, arguments: args },
    })
  ).messages[0] as Json;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-servers-'));
  far = await startProtected();
  await set('held', { says: `I know ${PASSWORD}`, descriptions: { one: 'One', two: 'Two' } });
  const probe = part({
    open(host) {
      all = host.all;
      return { api: undefined };
    },
  });
  gateway = await startGateway(
    {
      auth: { mode: 'keys' },
      mcpServers: {
        held: {
          command: process.execPath,
          args: [plugServer, file('held')],
          env: { PASSWORD: '${PASSWORD}' },
          onChange: 'hold',
          description: 'Changes its tools',
        },
        far: { url: `${far.url}?token=secret` },
        off: { url: 'http://127.0.0.1:9/mcp', enabled: false },
      },
      gateway: { allowInternalUrls: true },
    },
    { env: { PASSWORD }, parts: { probe } },
  );
  admin = await key(['admin']);
  viewer = await key(['health:check', 'tools:execute']);
}, 30_000);

afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await far?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

describe('the list', () => {
  it('says how each server is doing, and what this caller may add', async () => {
    const { servers, add } = await listed();
    expect(servers).toMatchObject([
      {
        name: 'held',
        state: 'RUNNING',
        tools: 2,
        origin: 'file',
        description: 'Changes its tools',
        transport: 'stdio',
      },
      { name: 'far', state: 'FAILED', needsLogin: true, transport: 'http' },
      { name: 'off', state: 'OFF', tools: 0 },
    ]);
    expect(add).toMatchObject({ may: true, commands: { may: false } });
    expect(add.commands.why).toContain('gateway.allowCommands');
    expect((await listed(viewer)).add).toMatchObject({ may: false, commands: { may: false } });
  });

  it('is for those who may see the status, and shows a limited key only its own servers', async () => {
    expect((await ask('servers', await key(['held:read']))).status).toBe(403);
    const limited = await key(['tools:execute', 'health:check'], { tools: ['held__*'] });
    const { servers } = await listed(limited);
    expect(servers.map(({ name }) => name)).toEqual(['held']);
    expect(servers[0]).not.toHaveProperty('calls');
    expect((await ask('servers/far', limited)).status).toBe(404);
    expect((await ask('servers/off', limited)).status).toBe(404);
    const one = await detail('held', limited);
    expect(one).toMatchObject({ restart: { may: false }, changed: [], errors: [] });
    expect(one).not.toHaveProperty('latestMs');
  });

  it('says that a gateway that only reads adds nothing', async () => {
    await using reading = await startGateway({ gateway: { readOnly: true } });
    const { add } = (await send(`${reading.url}/api/v1/servers`)).messages[0] as unknown as ServerList;
    expect(add).toMatchObject({ may: false, why: expect.stringContaining('is read-only') as string });
  });

  it('is described', async () => {
    const { paths } = (await send(`${gateway.url}/openapi.json`)).messages[0] as { paths: Json };
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/api/v1/servers', '/api/v1/servers/{name}', '/api/v1/calls/minutes']),
    );
  });
});

describe('one server', () => {
  it('shows the end of stderr to admins only, without known secrets', async () => {
    await expect.poll(async () => (await detail('held')).stderr.lines).toEqual([expect.stringContaining('I know ')]);
    expect(JSON.stringify(await detail('held'))).not.toContain(PASSWORD);
    const { stderr, runs } = await detail('held', viewer);
    expect(stderr).toEqual({ lines: [], why: expect.stringContaining('scope admin') });
    expect(runs).toBe('Sluice starts the program node with 2 arguments');
    expect((await detail('far')).stderr.why).toContain('not a program');
  });

  it('never shows the query of an address, and its path to admins only', async () => {
    expect((await detail('far')).runs).toBe(`HTTP: ${far.url}`);
    expect((await detail('far', viewer)).runs).toBe(`HTTP: ${new URL(far.url).origin}`);
  });

  it('says how long its calls took, and what failed', async () => {
    await call('held__one');
    await call('held__two');
    await set('held', { down: true, says: 'broken', descriptions: {} });
    process.kill(Number(await readFile(`${file('held')}.pid`, 'utf8')), 'SIGKILL');
    const failed = async () => (await detail('held')).errors;
    await expect.poll(failed).toContainEqual(expect.objectContaining({ type: 'gateway.backend_failed' }));
    await set('held', { descriptions: { one: 'One', two: 'Two' } });
    expect(await call('gateway_restart_server', { name: 'held' })).toMatchObject({
      result: { structuredContent: { state: 'RUNNING' } },
    });
    const now = await detail('held');
    expect(now.latestMs).toHaveLength(2);
    expect(now).toMatchObject({ state: 'RUNNING', calls: 2, restart: { may: true } });
    expect(now.remove.why).toContain('in the configuration file');
  });

  it('is found by its exact name only', async () => {
    expect(await ask('servers/hel')).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining('Did you mean held?') as string } },
    });
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect((await ask(`servers/${name}`)).status).toBe(404);
  });

  it('can be removed if a call added it', async () => {
    const answer = await call('gateway_add_server', { name: 'mine', server: { url: 'http://127.0.0.1:9/mcp' } });
    expect(answer).toMatchObject({ result: { structuredContent: { name: 'mine', state: 'FAILED' } } });
    expect(await detail('mine')).toMatchObject({
      origin: 'added',
      remove: { may: true },
      runs: 'HTTP: http://127.0.0.1:9/mcp',
    });
    expect((await detail('mine', viewer)).remove.may).toBe(false);
  });
});

describe('what waits for a person', () => {
  const room = () => all.waiting().get('servers') as WaitingRoom;
  const owner: Principal = { id: 'somebody', scopes: new Set(['admin']) };
  const reader: Principal = { id: 'reader', scopes: new Set(['health:check', 'tools:execute']) };
  const kinds = async (principal: Principal) =>
    (await room().list(principal, undefined)).map(({ kind, page }) => [kind, page]);

  it('is a sign-in, with a link that stays the same while one looks', async () => {
    expect(await kinds(owner)).toEqual([['sign-in', 'servers/far']]);
    const [first] = await room().list(owner, undefined);
    expect(first?.link).toContain('/login/far?ticket=');
    expect((await room().list(owner, undefined))[0]?.link).toBe(first?.link);
    expect((await detail('far')).login).toContain('/login/far?ticket=');
    // Only an admin may sign in for everybody.
    expect(await kinds(reader)).toEqual([]);
    expect(await detail('far', viewer)).not.toHaveProperty('login');
  });

  it('is a definition that changed, which an admin accepts as it was shown', async () => {
    await set('held', { descriptions: { one: 'One is different', two: 'Two' } });
    const changed = async () => (await room().list(owner, undefined)).find(({ kind }) => kind === 'definition');
    await expect.poll(changed).toMatchObject({ title: 'held changed 1 tool', decides: true, page: 'servers/held' });
    const first = (await changed())?.id ?? '';
    expect((await detail('held')).changed).toMatchObject([
      { tool: 'one', accepted: { description: 'One' }, offered: { description: 'One is different' } },
    ]);
    expect((await room().list(reader, undefined)).find(({ kind }) => kind === 'definition')).toMatchObject({
      decides: false,
      why: expect.stringContaining('admin') as string,
    });
    await expect(room().decide?.(first, { approve: true }, reader, undefined)).rejects.toThrow('needs the scope admin');
    expect(await room().decide?.(first, { approve: false }, owner, undefined)).toContain('stay held back');
    expect(await changed()).toMatchObject({ id: first });

    await set('held', { descriptions: { one: 'One is evil', two: 'Two' } });
    await expect.poll(async () => (await changed())?.id).not.toBe(first);
    await expect(room().decide?.(first, { approve: true }, owner, undefined)).rejects.toThrow(
      'changed its tools again',
    );

    const second = (await changed())?.id ?? '';
    expect(await room().decide?.(second, { approve: true }, owner, undefined)).toContain('Accepted 1 tool of held');
    expect(await changed()).toBeUndefined();
    await expect(room().decide?.(second, { approve: true }, owner, undefined)).rejects.toThrow('Nothing of this name');
    expect(await gateway.stored({ type: 'gateway.tool_accepted' })).toMatchObject({
      events: [{ data: { backend: 'held', tool: 'one', principal: 'somebody' } }],
    });
  });

  it('is nothing for a key that is limited to other tools', async () => {
    const stranger: Principal = { id: 's', scopes: new Set(['health:check', 'tools:execute']), tools: ['held__one'] };
    expect(await kinds(stranger)).toEqual([]);
    for (const id of ['', ':', 'definition:__proto__:x', 'sign-in:far'])
      await expect(room().decide?.(id, { approve: true }, owner, undefined)).rejects.toThrow('Nothing of this name');
  });
});

it('counts calls by minute, over everybody', async () => {
  const { minutes } = (await ask('calls/minutes')).body as { minutes: { calls: number; errors: number }[] };
  expect(minutes).toHaveLength(60);
  const sum = (name: 'calls' | 'errors') => minutes.reduce((total, minute) => total + minute[name], 0);
  expect(sum('calls')).toBeGreaterThanOrEqual(4);
  expect(sum('calls')).toBeGreaterThan(sum('errors'));
  const limited = await key(['tools:execute', 'health:check'], { tools: ['held__*'] });
  expect((await ask('calls/minutes', limited)).status).toBe(403);
});

it('counts calls by tool, server and key, and a limited key only its own', async () => {
  const usage = async (query: string, apiKey = admin) =>
    (await ask(`usage?${query}`, apiKey)).body as { by: string; calls: number; mostUsed: { name: string }[] };
  const limited = await key(['tools:execute', 'health:check'], { tools: ['held__*'] });
  expect(await usage('', limited)).toMatchObject({ by: 'tool', calls: 0, mostUsed: [] });
  await call('held__one', {}, limited);
  await expect.poll(() => usage('by=source', limited)).toMatchObject({ calls: 1, mostUsed: [{ name: 'held' }] });
  const { mostUsed, calls } = await usage('by=key&since=1h&limit=1');
  expect(calls).toBeGreaterThan(1);
  expect(mostUsed).toHaveLength(1);
  expect(mostUsed[0]?.name).toMatch(/^key:/);
  for (const query of ['by=month', 'since=yesterday', 'limit=0', 'limit=', 'colour=red'])
    expect((await ask(`usage?${query}`)).status).toBe(400);
  expect((await ask('usage', await key(['tools:execute']))).status).toBe(403);
});
