import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { Fact } from '../../kernel/facts.ts';
import type { Settings } from '../../store/store.ts';
import { ownRecords } from '../generate/records.ts';
import { createOwnKeys, type OwnKeys } from './own-keys.ts';

const owner = { email: 'owner@example.com', password: 'Owner-passw0rd' };

/** What n8n answers about its owner and keys, as seen at a real one. */
async function pretend() {
  const keys = new Map<string, string>();
  const state = {
    setUp: true,
    password: owner.password,
    made: 0,
    sent: [] as string[],
    starting: false,
    logins: 0,
    secondFactor: false,
    api: true,
    redirect: '',
    asked: '',
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://n8n');
    const given = request.headers['x-n8n-api-key'];
    if (typeof given === 'string') state.sent.push(given);
    void Array.fromAsync(request).then((chunks) => {
      const body = JSON.parse(Buffer.concat(chunks as Buffer[]).toString() || '{}') as Record<string, string>;
      const say = (status: number, data: unknown, cookie = '') =>
        response
          .writeHead(status, { 'content-type': 'application/json', ...(cookie && { 'set-cookie': cookie }) })
          .end(JSON.stringify(data));
      if (state.redirect) return response.writeHead(307, { location: state.redirect }).end();
      if (state.starting) return response.writeHead(200).end('n8n is starting up. Please wait');
      switch (`${request.method} ${pathname}`) {
        case 'GET /api/v1/workflows':
          return say([...keys.values()].includes(String(given)) ? 200 : 401, {});
        case 'POST /rest/owner/setup':
          if (state.setUp) return say(400, { message: 'Instance owner already setup' });
          if (!/\d/.test(body.password ?? '')) return say(400, { message: 'Password must contain a number' });
          state.setUp = true;
          return say(200, { data: {} }, 'n8n-auth=one');
        case 'POST /rest/login':
          state.logins++;
          if (state.secondFactor) return say(401, { code: 998, message: 'MFA Error' });
          return body.password === state.password ? say(200, { data: {} }, 'n8n-auth=one') : say(401, {});
        case 'GET /rest/settings':
          return say(200, { data: { userManagement: { showSetupOnFirstLoad: !state.setUp } } });
        case 'GET /rest/api-keys/scopes':
          return state.api ? say(200, { data: ['workflow:read'] }) : response.writeHead(404).end();
        case 'GET /rest/api-keys':
          state.asked = request.url ?? '';
          return say(200, { data: [...keys.keys()].map((label) => ({ id: label, label })) });
        case 'POST /rest/api-keys':
          keys.set(body.label as string, `key-${++state.made}-of-n8n`);
          return say(200, { data: { rawApiKey: keys.get(body.label as string) } });
        default:
          keys.delete(decodeURIComponent(pathname.split('/').at(-1) as string));
          return say(200, { data: {} });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    state,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let n8n: Awaited<ReturnType<typeof pretend>>;
let kept: Map<string, unknown>;
let facts: Fact[];
let made: number;
let whenMade: () => Promise<void>;
let open: OwnKeys[];
beforeEach(async () => {
  n8n = await pretend();
  [kept, facts, made, open] = [new Map(), [], 0, []];
  whenMade = async () => {};
});
afterEach(async () => {
  for (const one of open) await one[Symbol.asyncDispose]();
  await n8n[Symbol.asyncDispose]();
});

const stored: Settings = {
  get: async (key) => kept.get(key),
  put: async (key, value) => void kept.set(key, value),
  secret: async (key) => Buffer.alloc(32, key),
};

function ownKeys(): OwnKeys {
  const keys = createOwnKeys({
    stored,
    records: ownRecords(stored),
    shared: { peers: undefined, lead: () => ({ async [Symbol.asyncDispose]() {} }) },
    events: { record: (fact) => void facts.push(fact) },
    redact: (text) => text,
    async made() {
      await whenMade();
      made++;
    },
  });
  open.push(keys);
  return keys;
}

const wanted = (url = n8n.url, login = owner) => new Map([['default', { url, owner: login }]]);

test('a key is made once, and kept sealed', async () => {
  const first = ownKeys();
  await first.configure(wanted());
  await expect.poll(() => first.get('default')).toBe('key-1-of-n8n');
  await expect.poll(() => made).toBe(1);
  expect(first.waiting('default')).toBeUndefined();
  expect(first.secrets()).toEqual(['key-1-of-n8n']);
  expect(JSON.stringify([...kept])).not.toContain('key-1');
  const second = ownKeys();
  await second.configure(wanted());
  expect(second.get('default')).toBe('key-1-of-n8n');
  await expect.poll(() => n8n.state.sent).toContain('key-1-of-n8n');
  expect(n8n.state.made).toBe(1);
  expect(facts.map(({ type }) => type)).toEqual(['n8n.key_made']);
});

test('a key that n8n no longer accepts is replaced', async () => {
  const keys = ownKeys();
  await keys.configure(wanted());
  await expect.poll(() => made).toBe(1);
  n8n.keys.clear();
  await expect
    .poll(() => {
      keys.refused('default');
      return keys.get('default');
    })
    .toBe('key-2-of-n8n');
});

test('a key is never sent to another address', async () => {
  const keys = ownKeys();
  await keys.configure(wanted());
  await expect.poll(() => made).toBe(1);
  await using other = await pretend();
  await keys.configure(wanted(other.url));
  await expect.poll(() => keys.get('default')).toBeDefined();
  expect(other.state.sent).toEqual([]);
});

test('an n8n may leave the configuration while its key is applied', async () => {
  const keys = ownKeys();
  whenMade = () => keys.configure(new Map());
  await keys.configure(wanted());
  await expect.poll(() => made).toBe(1);
  expect(keys.get('default')).toBeUndefined();
});

test('a configuration that is applied twice at once makes one key', async () => {
  const keys = ownKeys();
  await Promise.all([keys.configure(wanted()), keys.configure(wanted())]);
  await expect.poll(() => made).toBe(1);
  expect(n8n.state.made).toBe(1);
});

test('the owner is set up if n8n has none', async () => {
  n8n.state.setUp = false;
  const keys = ownKeys();
  await keys.configure(wanted());
  await expect.poll(() => keys.get('default')).toBe('key-1-of-n8n');
  expect(n8n.state.setUp).toBe(true);
});

test.each<[string, Partial<typeof n8n.state>, RegExp]>([
  [
    'a wrong password',
    { password: 'Another-passw0rd' },
    /does not accept the owner's email and password\. Correct N8N_/,
  ],
  ['a second factor', { secondFactor: true }, /signs in to n8n with a second factor/],
  ['no public API', { api: false }, /unset N8N_PUBLIC_API_DISABLED/],
  ['another address', { redirect: 'https://n8n.example.com/' }, /write the address that it redirects to/],
])('%s: it says once what to do, and asks n8n rarely', async (_, state, words) => {
  Object.assign(n8n.state, state);
  const keys = ownKeys();
  await keys.configure(wanted());
  await expect.poll(() => keys.waiting('default')).toMatchObject({ failed: true, words: expect.stringMatching(words) });
  keys.refused('default');
  await keys.configure(wanted());
  expect(keys.get('default')).toBeUndefined();
  expect(facts).toMatchObject([{ type: 'n8n.key_failed', reason: expect.stringMatching(words) }]);
  expect(n8n.state.logins).toBeLessThan(2);
});

test('a password that n8n does not take for its new owner is reported', async () => {
  n8n.state.setUp = false;
  const keys = ownKeys();
  await keys.configure(wanted(n8n.url, { ...owner, password: 'tooweak' }));
  await expect
    .poll(() => facts)
    .toMatchObject([{ type: 'n8n.key_failed', reason: expect.stringContaining('Password must contain a number') }]);
});

test('the password follows no redirect', async () => {
  await using other = await pretend();
  n8n.state.redirect = `${other.url}/rest/owner/setup`;
  other.state.setUp = false;
  const keys = ownKeys();
  await keys.configure(wanted());
  await expect.poll(() => keys.waiting('default')?.failed).toBe(true);
  expect(other.state.setUp).toBe(false);
});

test('only keys of the same user are replaced: an owner sees those of everybody', async () => {
  const keys = ownKeys();
  await keys.configure(wanted());
  await expect.poll(() => made).toBe(1);
  expect(new URL(n8n.state.asked, n8n.url).searchParams.get('ownership')).toBe('mine');
});

test('a key that could not be applied is applied later', async () => {
  const keys = ownKeys();
  whenMade = async () => {
    whenMade = async () => {};
    throw new AppError('unavailable', 'not now');
  };
  await keys.configure(wanted());
  await expect.poll(() => made).toBe(1);
  expect(n8n.state.made).toBe(1);
});

test('a key that n8n no longer accepts and cannot be replaced is reported, too', async () => {
  const keys = ownKeys();
  await keys.configure(wanted());
  await expect.poll(() => made).toBe(1);
  n8n.keys.clear();
  n8n.state.password = 'Another-passw0rd';
  await expect
    .poll(() => {
      keys.refused('default');
      return keys.waiting('default');
    })
    .toMatchObject({ failed: true });
});

test('while n8n starts, it waits without an event', async () => {
  n8n.state.starting = true;
  const keys = ownKeys();
  await keys.configure(wanted());
  await expect.poll(() => keys.waiting('default')?.failed).toBe(true);
  n8n.state.starting = false;
  await expect.poll(() => keys.get('default'), { timeout: 10_000 }).toBe('key-1-of-n8n');
  expect(facts.map(({ type }) => type)).toEqual(['n8n.key_made']);
});
