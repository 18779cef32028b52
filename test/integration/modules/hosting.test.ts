/** What the part gives every module, shown with one that is written here. Each service has a tour of its own. */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { moduleClient } from '../../support/module-client.ts';
import { callTool, connectV2, type Json, startGateway, textOf } from '../harness.ts';

// A module imports `sluice/module`; the program resolves that (test/e2e/own-module.test.ts), the test runner cannot.
const kit = fileURLToPath(new URL('../../../src/modules/kit.ts', import.meta.url));

const clock = `
import { addressOf, AppError, httpTo, HttpError, module, toolsFor, z } from ${JSON.stringify(kit)};

const clockTool = toolsFor({ category: 'clock' });
const input = z.strictObject({ slow: z.boolean().optional().describe('Whether to take long') });

const getTime = clockTool({
  name: 'clock_get_time',
  title: 'Get time',
  description: 'The time now. clock_set_time changes it.',
  effect: 'read',
  input,
  output: z.object({ time: z.string() }),
  run: async ({ slow }, { http }, { signal }) => ({ time: await http.text(slow ? '/slow' : '/', { signal }) }),
});

const setTime = clockTool({
  name: 'clock_set_time',
  title: 'Set time',
  description: 'Sets the time of the clock for everybody.',
  effect: 'update',
  input,
  output: z.object({ time: z.string() }),
  run: async ({ slow }, { http }, { signal }) => ({
    time: await http.text(slow ? '/slow' : '/', { method: 'PUT', signal }),
  }),
});

export default module({
  name: 'clock',
  description: 'a clock',
  guide: ['What time is it? \`clock_call {tool: "get_time"}\`.'],
  settings: z.object({ url: z.url(), password: z.string().optional(), rooms: z.array(z.string()).optional() }),
  writesNeed: ['rooms'],
  address: ({ url }) => addressOf(url),
  secrets: ({ password }) => [password],
  tools: async () => [getTime, setTime],
  async connect({ url, password = '' }, { tls }) {
    const http = httpTo({ base: url, headers: { password }, tls });
    return { http, [Symbol.asyncDispose]: () => http[Symbol.asyncDispose]() };
  },
  check: ({ http }, signal) => http.text('/', { signal }),
  explain: (error, at) =>
    error instanceof HttpError
      ? new AppError('unavailable', at + ' refuses the password ' + error.body + '. Correct modules.clock.password.')
      : undefined,
});
`;

interface Clock extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Requests that are not answered. */
  readonly held: () => number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

async function startClock(): Promise<Clock> {
  const port = await freePort();
  let server: Server;
  let held = 0;
  async function start() {
    server = createServer(({ url, headers }, response) => {
      if (url === '/slow') return void (held += 1);
      response.writeHead(headers.password === 'wrong-password' ? 401 : 200);
      response.end(headers.password === 'wrong-password' ? 'wrong-password' : '12:00');
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  async function stop() {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
  await start();
  expect((server!.address() as AddressInfo).port).toBe(port);
  return { url: `http://127.0.0.1:${port}`, port, held: () => held, start, stop, [Symbol.asyncDispose]: stop };
}

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-modules-'));
  await mkdir(join(home, 'modules'));
  await writeFile(join(home, 'modules', 'clock.ts'), clock);
});

afterEach(() => rm(home, { recursive: true, force: true }));

describe('a service', () => {
  test('that goes and comes back is told in calls, status and events; nothing is restarted', async () => {
    await using service = await startClock();
    await using client = await moduleClient({ clock: { url: service.url } }, { home });
    expect(await client.read('clock', 'get_time')).toEqual({ time: '12:00' });
    expect(client.health('clock')).toMatchObject({ state: 'ready' });
    await service.stop();
    const away = `clock at 127.0.0.1:${service.port} is not running: nothing listens there.`;
    expect(await client.refused('clock', 'get_time')).toContain(away);
    expect(client.health('clock')).toMatchObject({
      state: 'failing',
      lastError: { message: expect.stringContaining(away) as string },
    });
    await service.start();
    expect(await client.read('clock', 'get_time')).toEqual({ time: '12:00' });
    expect(client.health('clock')).toMatchObject({ state: 'ready' });
    const { events } = await client.gateway.stored({ type: 'module.*' });
    expect(events.map(({ event_type }) => event_type).sort()).toEqual(['module.failed', 'module.recovered']);
  });

  test('that ends in mid-call: a read is done again, a write says that it may have happened', async () => {
    await using service = await startClock();
    const section = { url: service.url, mode: 'read-write', rooms: ['all'] };
    await using client = await moduleClient({ clock: section }, { home });
    await client.read('clock', 'get_time');
    const reading = client.refused('clock', 'get_time', { slow: true });
    const writing = client.refused('clock', 'set_time', { slow: true });
    await vi.waitFor(() => expect(service.held()).toBe(2));
    await service.stop();
    expect(await writing).toContain('may or may not have taken effect');
    expect(await reading).not.toContain('may or may not');
  });

  test('that does not answer in time is left alone', async () => {
    await using service = await startClock();
    await using client = await moduleClient({ clock: { url: service.url, timeout: '300ms' } }, { home });
    expect(await client.refused('clock', 'get_time', { slow: true })).toContain(
      'took longer than 0.3 s, and the call was stopped. Ask for less, or raise modules.clock.timeout.',
    );
    expect(await client.read('clock', 'get_time')).toEqual({ time: '12:00' });
  });

  test('that is away is in the status before anybody calls it, and keeps nobody waiting', async () => {
    const port = await freePort();
    await using client = await moduleClient({ clock: { url: `http://127.0.0.1:${port}` } }, { home });
    await vi.waitFor(() => expect(client.health('clock')).toMatchObject({ state: 'failing' }));
    expect(await client.listed()).toEqual(['clock_list', 'clock_call']);
  });

  test('no secret of it is in errors, events and the status', async () => {
    await using service = await startClock();
    await using client = await moduleClient({ clock: { url: service.url, password: 'wrong-password' } }, { home });
    const said = await client.refused('clock', 'get_time');
    expect(said).toContain('Correct modules.clock.password.');
    expect(JSON.stringify(client.health('clock'))).not.toContain('wrong-password');
    const { events } = await client.gateway.stored({});
    expect(JSON.stringify(events)).not.toContain('wrong-password');
  });
});

describe('the tools of a module', () => {
  test('that change things are not offered unless the file says read-write', async () => {
    await using service = await startClock();
    await using client = await moduleClient({ clock: { url: service.url } }, { home });
    expect(await client.listed()).toEqual(['clock_list', 'clock_call']);
    expect(await client.list('clock')).not.toContain('set_time {');
    expect(await client.refused('clock', 'set_time')).toBe(
      'clock_set_time changes things, and clock is read-only. To allow it, set modules.clock.mode to read-write in sluice.yaml.',
    );
    expect(await client.refused('clock', 'get_tim')).toContain('Did you mean clock_get_time?');
  });

  test('of a second service of its kind have its name, in texts and rights, too', async () => {
    await using service = await startClock();
    const hall = { type: 'clock', url: service.url, mode: 'read-write', rooms: ['hall'] };
    await using client = await moduleClient({ clock: { url: service.url }, 'clock-hall': hall }, { home });
    expect(await client.listed()).toEqual([
      'clock_list',
      'clock_call',
      'clock-hall_list',
      'clock-hall_call',
      'clock-hall_read',
    ]);
    expect(await client.list('clock-hall', { tool: 'get_time' })).toContain('clock-hall_set_time changes it');
    expect(await client.call('clock-hall', 'clock-hall_set_time')).toEqual({ time: '12:00' });
    const entry = client.gateway.runtime.apis.gateway.registry.all().find(({ name }) => name === 'clock-hall_set_time');
    expect(entry?.entry.scope).toBe('clock-hall:write');
  });

  test('come and go with the file, and clients are told', async () => {
    await using service = await startClock();
    await using gateway = await startGateway(
      { memory: false, graph: false, blueprints: false, projects: false },
      { home },
    );
    await using client = await connectV2(gateway, { era: 'legacy' });
    const names = async () =>
      (await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith('clock'));
    expect(await names()).toEqual([]);
    const section = { url: service.url };
    await gateway.reload({
      memory: false,
      graph: false,
      blueprints: false,
      projects: false,
      modules: { clock: section },
    });
    expect(await names()).toEqual(['clock_list', 'clock_call']);
    expect(textOf(await callTool(client, 'clock_call', { tool: 'get_time' }))).toContain('12:00');
    const writing = { ...section, mode: 'read-write', rooms: ['all'] };
    await gateway.reload({
      memory: false,
      graph: false,
      blueprints: false,
      projects: false,
      modules: { clock: writing },
    });
    expect(await names()).toEqual(['clock_list', 'clock_call', 'clock_read']);
    await gateway.reload({ memory: false, graph: false, blueprints: false, projects: false });
    expect(await names()).toEqual([]);
    const gone = await callTool(client, 'clock_call', { tool: 'get_time' }).catch((error: unknown) => error);
    expect((gone as Error).message ?? textOf(gone as never)).toMatch(/clock_call/);
  });
});

test('a module whose code fails is named, and the others are served', async () => {
  await using service = await startClock();
  const broken = clock.replace(
    'tools: async () => [getTime, setTime]',
    "tools: () => Promise.reject(new Error('no tools'))",
  );
  await writeFile(join(home, 'modules', 'odd.ts'), broken.replace("name: 'clock',", "name: 'odd',"));
  const modules = { odd: { url: service.url }, clock: { url: service.url } };
  await using client = await moduleClient(modules, { home });
  expect(await client.read('clock', 'get_time')).toEqual({ time: '12:00' });
  expect(client.health('odd')).toMatchObject({
    state: 'failing',
    lastError: { message: 'The module of odd fails: no tools. Correct its code, then restart Sluice.' },
  });
  expect(await client.listed()).toEqual(['clock_list', 'clock_call']);
});

describe('the file', () => {
  const problems = async (modules: Json) => {
    const error = await startGateway({ modules }, { home }).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(Error);
    return (error as Error).message;
  };

  test.each<[string, Json, RegExp]>([
    ['an unknown key', { clock: { url: 'http://x', urll: 1 } }, /modules\.clock\.urll.*not a known key/s],
    ['a missing key', { clock: {} }, /modules\.clock\.url.*is missing/s],
    ['a wrong mode', { clock: { url: 'http://x', mode: 'write' } }, /modules\.clock\.mode.*read-only, read-write/s],
    [
      'read-write without an allow-list that the module demands',
      { clock: { url: 'http://x', mode: 'read-write' } },
      /modules\.clock\.mode.*nothing says what may be changed.*rooms/s,
    ],
    ['a name that is none', { 'a b': { type: 'clock', url: 'http://x' } }, /modules\.a b.*not a valid name/s],
    ['a name of ours', { gateway: { type: 'clock', url: 'http://x' } }, /would have the same tool names/],
  ])('with %s is refused', async (_, modules, words) => {
    expect(await problems(modules)).toMatch(words);
  });
});

test('a certificate that does not exist is named', async () => {
  await using service = await startClock();
  const section = { url: service.url.replace('http:', 'https:'), ca: 'none.pem' };
  await using client = await moduleClient({ clock: section }, { home });
  expect(await client.refused('clock', 'get_time')).toContain(
    `modules.clock.ca: ${join(home, 'none.pem')} does not exist`,
  );
});
