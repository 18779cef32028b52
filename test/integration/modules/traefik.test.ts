import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import { serveHttp } from '../../support/prometheus.ts';
import { fakeTraefik, REAL_TRAEFIK, type TraefikState } from '../../support/traefik.ts';
import type { Json } from '../harness.ts';

interface Explained {
  answer: string;
  winner?: {
    router: string;
    matched: string[];
    middlewares: string[];
    service: string;
    servers?: string[];
    priority: string;
  };
  losers: { router: string; why: string }[];
  near_misses: { router: string; why: string }[];
  not_judged: { router: string; why: string }[];
  notes: string[];
  request: Json;
}

const shop = (): TraefikState => ({
  version: '3.1.0',
  entryPoints: [
    { name: 'web', address: ':80', http: { redirections: null } },
    { name: 'websecure', address: ':443', http: { tls: {}, middlewares: ['headers@file'] }, asDefault: true },
    { name: 'db', address: ':5432/tcp' },
  ],
  http: {
    routers: [
      {
        name: 'shop@docker',
        rule: 'Host(`shop.example.com`)',
        entryPoints: ['websecure'],
        service: 'shop',
        middlewares: ['headers@file', 'auth'],
        tls: { options: 'default' },
      },
      {
        name: 'shop-api@docker',
        rule: 'Host(`shop.example.com`) && PathPrefix(`/api`) && !Method(`DELETE`)',
        entryPoints: ['websecure'],
        service: 'api',
        tls: {},
      },
      {
        name: 'admin@file',
        rule: 'Host(`shop.example.com`) && PathPrefix(`/admin`) && ClientIP(`10.0.0.0/8`)',
        entryPoints: ['websecure'],
        priority: 1000,
        service: 'admin@file',
        tls: {},
      },
      { name: 'plain@docker', rule: 'Host(`plain.example.com`)', entryPoints: ['web'], service: 'shop' },
      {
        name: 'secret@docker',
        rule: 'Header(`X-Api-Key`, `hidden-key`)',
        entryPoints: ['web'],
        service: 'shop',
      },
      {
        name: 'broken@docker',
        rule: 'Host(`broken.example.com`)',
        entryPoints: ['web', 'nowhere'],
        service: 'gone',
        middlewares: ['nothing@file'],
        status: 'disabled',
        error: ['the service "gone@docker" does not exist'],
      },
      { name: 'twin-a@file', rule: 'Path(`/twin`)', entryPoints: ['web'], service: 'shop@docker' },
      { name: 'twin-b@file', rule: 'Path(`/twin`)', entryPoints: ['web'], service: 'api@docker' },
      {
        name: 'api@internal',
        rule: 'PathPrefix(`/api`)',
        entryPoints: ['db'],
        service: 'api@internal',
        priority: 2 ** 53,
      },
    ],
    services: [
      {
        name: 'shop@docker',
        type: 'loadbalancer',
        loadBalancer: {
          passHostHeader: true,
          healthCheck: { path: '/health', headers: { Authorization: 'hidden-health' } },
          servers: [{ url: 'http://ann:hidden-user@10.0.0.1:80' }, { url: 'http://10.0.0.2:80' }],
        },
        serverStatus: { 'http://ann:hidden-user@10.0.0.1:80': 'UP', 'http://10.0.0.2:80': 'DOWN' },
        usedBy: ['shop@docker', 'plain@docker'],
      },
      {
        name: 'api@docker',
        type: 'loadbalancer',
        loadBalancer: { servers: [{ url: 'http://10.0.0.3:80' }] },
        serverStatus: { 'http://10.0.0.3:80': 'UP' },
      },
      {
        name: 'admin@file',
        type: 'weighted',
        weighted: {
          services: [
            { name: 'shop@docker', weight: 1 },
            { name: 'lost', weight: 1 },
          ],
        },
      },
      { name: 'api@internal' },
    ],
    middlewares: [
      {
        name: 'auth@docker',
        type: 'basicauth',
        basicAuth: { users: ['ann:$apr1$hidden-hash'] },
        usedBy: ['shop@docker'],
      },
      {
        name: 'headers@file',
        type: 'headers',
        headers: { customRequestHeaders: { Authorization: 'hidden-header', 'X-Team': 'orders' } },
        usedBy: ['shop@docker'],
      },
    ],
  },
  tcp: {
    routers: [
      { name: 'db@docker', rule: 'HostSNI(`*`)', entryPoints: ['db'], service: 'db@docker' },
      {
        name: 'pass@docker',
        rule: 'HostSNI(`pass.example.com`)',
        entryPoints: ['websecure'],
        service: 'db@docker',
        tls: { passthrough: true },
      },
    ],
    services: [{ name: 'db@docker', type: 'loadbalancer', loadBalancer: { servers: [{ address: '10.0.0.9:5432' }] } }],
  },
  udp: { routers: [{ name: 'dns@file', entryPoints: ['db'], service: 'dns' }], services: [] },
});

describe.skipIf(REAL_TRAEFIK)('traefik', () => {
  const stack = new AsyncDisposableStack();
  let client: ModuleClient;
  let fake: Awaited<ReturnType<typeof fakeTraefik>>;

  beforeAll(async () => {
    fake = stack.use(await fakeTraefik(shop()));
    client = stack.use(await moduleClient({ traefik: { url: fake.url, mode: 'read-write' } }));
  });
  afterAll(async () => await stack.disposeAsync());

  const read = <T = Json>(tool: string, params: Json = {}) => client.read<T>('traefik', `traefik_${tool}`, params);
  const refused = (tool: string, params: Json = {}) => client.refused('traefik', `traefik_${tool}`, params);
  const explain = (url: string, more: Json = {}) => read<Explained>('explain_request', { url, ...more });

  it('lists its tools, and finds them by what people say', async () => {
    const lines = await client.list('traefik');
    for (const name of ['get_overview', 'list_routers', 'explain_request', 'find_problems'])
      expect(lines).toContain(`traefik_${name}`);
    expect(await client.list('traefik', { query: 'why does this url return 404' })).toContain(
      'traefik_explain_request',
    );
    expect(client.health('traefik')).toMatchObject({ state: 'ready' });
  });

  it('gives an overview', async () => {
    expect(await read('get_overview')).toMatchObject({
      version: '3.1.0',
      providers: ['Docker', 'File'],
      features: { tracing: 'off', metrics: 'Prometheus', access_log: true },
      http: { routers: { total: 9, errors: 1, warnings: 0 } },
      hint: expect.stringContaining('traefik_find_problems') as string,
    });
  });

  it('lists routers, of all protocols or filtered', async () => {
    const { total, routers } = await read<{ total: number; routers: Json[] }>('list_routers');
    expect(total).toBe(12);
    expect(routers[0]).toMatchObject({
      name: 'shop@docker',
      protocol: 'http',
      tls: true,
      priority: '24',
      priority_set: false,
    });
    expect(await read('list_routers', { protocol: 'tcp' })).toMatchObject({ total: 2 });
    expect(await read('list_routers', { provider: 'File', protocol: 'http' })).toMatchObject({ total: 3 });
    expect(await read('list_routers', { status: 'disabled' })).toMatchObject({
      routers: [{ name: 'broken@docker', errors: ['the service "gone@docker" does not exist'] }],
    });
    expect(await read('list_routers', { search: 'PLAIN.example' })).toMatchObject({
      routers: [{ name: 'plain@docker' }],
    });
    expect(JSON.stringify(await read('list_routers', { search: 'secret' }))).not.toContain('hidden');
  });

  it('shows one router, and says which one may be meant', async () => {
    expect(await read('get_router', { name: 'shop' })).toMatchObject({
      name: 'shop@docker',
      config: expect.stringContaining('"options":"default"') as string,
    });
    expect(await read('get_router', { name: 'pass@docker', protocol: 'tcp' })).toMatchObject({ protocol: 'tcp' });
    expect(await refused('get_router', { name: 'shop@file' })).toContain(
      'Did you mean shop@docker or shop-api@docker?',
    );
    expect(await refused('get_router', { name: 'zzz' })).toBe(
      'There is no http router zzz. traefik_list_routers shows the names.',
    );
    expect(await refused('get_router', { name: '../../x' })).toContain('There is no http router ../../x');
  });

  it('shows services with the state of their servers', async () => {
    expect(await read('list_services', { search: 'shop' })).toMatchObject({
      services: [{ servers: 2, servers_down: 1 }],
    });
    const found = await read('get_service', { name: 'shop@docker' });
    expect(found).toMatchObject({
      servers: [
        { at: 'http://[redacted]@10.0.0.1:80', status: 'up' },
        { at: 'http://10.0.0.2:80', status: 'down' },
      ],
    });
    expect(JSON.stringify(found)).not.toContain('hidden');
    expect(await read('get_service', { name: 'api@docker' })).toMatchObject({ servers: [{ status: 'unchecked' }] });
    expect(await read('get_service', { name: 'admin' })).toMatchObject({
      service: { leads_to: ['shop@docker', 'lost'] },
    });
  });

  it('masks secrets in middlewares', async () => {
    expect(await read('list_middlewares')).toMatchObject({ total: 2 });
    const auth = await read<{ config: string }>('get_middleware', { name: 'auth' });
    expect(auth.config).toBe('{"basicAuth":{"users":["ann:[redacted]"]}}');
    const headers = await read<{ config: string }>('get_middleware', { name: 'headers@file' });
    expect(headers.config).toContain('"X-Team":"orders"');
    expect(headers.config).not.toContain('hidden');
  });

  it('lists entry points', async () => {
    expect(await read('list_entrypoints')).toEqual({
      total: 3,
      entry_points: [
        { name: 'web', address: ':80', tls: false },
        { name: 'websecure', address: ':443', tls: true, default: true, middlewares: ['headers@file'] },
        { name: 'db', address: ':5432/tcp', tls: false },
      ],
    });
  });

  it('finds problems', async () => {
    const { problems, errors } = await read<{ problems: { name: string; problem: string }[]; errors: number }>(
      'find_problems',
    );
    const said = problems.map(({ name, problem }) => `${name}: ${problem}`).join('\n');
    expect(errors).toBeGreaterThan(3);
    for (const line of [
      'broken@docker: the service "gone@docker" does not exist',
      'broken@docker: The service gone@docker does not exist.',
      'broken@docker: The middleware nothing@file does not exist.',
      'broken@docker: The entry point nowhere does not exist.',
      'shop@docker: 1 of 2 servers are down: http://10.0.0.2:80.',
      'admin@file: The service lost@file does not exist.',
      'twin-a@file: It has the same rule and priority as twin-b@file',
      'dns@file: The service dns@file does not exist.',
    ])
      expect(said).toContain(line);
    expect(said).not.toContain('api@internal');
    expect(await read('find_problems', { severity: 'warning' })).toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ severity: 'warning' })]) as unknown,
    });
  });

  describe('explains requests', () => {
    it('that match one router', async () => {
      const found = await explain('https://SHOP.example.com/cart');
      expect(found.answer).toBe('shop@docker gets the request, and forwards it to shop@docker.');
      expect(found.request).toEqual({
        method: 'GET',
        host: 'shop.example.com',
        path: '/cart',
        tls: true,
        entry_point: 'websecure',
      });
      expect(found.winner).toEqual({
        router: 'shop@docker',
        rule: 'Host(`shop.example.com`)',
        priority: '24 (length of the rule)',
        matched: ['Host(`shop.example.com`)'],
        middlewares: ['headers@file (headers)', 'auth@docker (basicauth)'],
        service: 'shop@docker (loadbalancer, enabled)',
        servers: ['http://[redacted]@10.0.0.1:80 (up)', 'http://10.0.0.2:80 (down)'],
      });
      expect(found.near_misses).toContainEqual({
        router: 'shop-api@docker',
        why: 'PathPrefix(`/api`): the path is /cart',
      });
    });

    it('that match several', async () => {
      const found = await explain('https://shop.example.com/api/x');
      expect(found.winner?.router).toBe('shop-api@docker');
      expect(found.winner?.matched).toEqual(['Host(`shop.example.com`)', 'PathPrefix(`/api`)', '!Method(`DELETE`)']);
      expect(found.losers).toEqual([
        {
          router: 'shop@docker',
          why: expect.stringMatching(/^its priority 24 \(length of the rule\) is lower than 67/) as string,
        },
      ]);
      expect((await explain('https://shop.example.com/api/x', { method: 'delete' })).winner?.router).toBe(
        'shop@docker',
      );
    });

    it('that depend on the client', async () => {
      const open = await explain('https://shop.example.com/admin');
      expect(open.answer).toContain('shop@docker gets the request unless one of not_judged matches');
      expect(open.not_judged).toEqual([
        {
          router: 'admin@file',
          why: 'ClientIP(`10.0.0.0/8`): it depends on the address of the client: give client_ip',
        },
      ]);
      const inside = await explain('https://shop.example.com/admin', { client_ip: '10.1.2.3' });
      expect(inside.winner).toMatchObject({ router: 'admin@file', priority: '1000 (set)' });
    });

    it('that no router gets', async () => {
      const plain = await explain('http://shop.example.com/');
      expect(plain.answer).toBe('No router matches, so Traefik answers 404. See near_misses.');
      expect(plain.near_misses).toContainEqual({ router: 'shop@docker', why: 'it listens on websecure, not on web' });
      const broken = await explain('http://broken.example.com/');
      expect(broken.near_misses[0]).toEqual({
        router: 'broken@docker',
        why: 'it is disabled: the service "gone@docker" does not exist',
      });
      const wrong = await explain('https://plain.example.com/', { entry_point: 'web' });
      expect(wrong.near_misses[0]?.why).toBe('it has no tls, so it gets plain HTTP only');
    });

    it('that two routers get alike', async () => {
      const twins = await explain('http://x/twin');
      expect(twins.answer).toContain('Another router has the same priority');
      expect(twins.losers[0]?.why).toContain('Traefik may choose either');
    });

    it('that a TCP router takes, and on ports that nothing listens on', async () => {
      expect((await explain('https://pass.example.com/')).answer).toContain(
        'The TCP router pass@docker takes the connection',
      );
      const elsewhere = await explain('https://shop.example.com:8443/');
      expect(elsewhere.winner?.router).toBe('shop@docker');
      expect(elsewhere.notes[0]).toContain('Give entry_point: web, websecure, db');
    });

    it('without telling secrets of rules', async () => {
      expect(JSON.stringify(await explain('http://x/', { headers: { 'X-Api-Key': 'no' } }))).not.toContain('hidden');
      const found = await explain('http://x/', { headers: { 'x-api-key': 'hidden-key' } });
      expect(found.winner?.router).toBe('secret@docker');
      expect(JSON.stringify(found)).not.toContain('hidden');
    });
  });

  test.each([
    ['explain_request', { url: 'shop.example.com' }, /is not a URL\. Write all of it/],
    [
      'explain_request',
      { url: 'http://x', entry_point: 'none' },
      /There is no entry point none\. There are web, websecure, db/,
    ],
    ['explain_request', { url: 'http://x', client_ip: 'x' }, /is not an IP address/],
    ['explain_request', { url: 'http://x', method: 'G T' }, /method/],
    ['list_routers', { protocol: 'quic' }, /protocol/],
    ['list_routers', { cursor: 'x' }, /cursor does not belong/],
    ['get_router', { name: '..' }, /is not a name/],
    ['get_router', {}, /name/],
  ])('refuses %s %j', async (tool, params, message) => {
    expect(await refused(tool, params)).toMatch(message);
  });

  it('asks for nothing that Traefik does not have', () => {
    expect(fake.misunderstood).toEqual([]);
  });
});

describe.skipIf(REAL_TRAEFIK)('a large Traefik', () => {
  it('is read page by page, and shown in pages', async () => {
    const state = shop();
    state.http.routers = Array.from({ length: 1200 }, (_, n) => ({
      name: `r${n}@file`,
      rule: `Host(\`h${n}.example.com\`) && PathRegexp(\`^/(a+)+${n}$\`)`,
      entryPoints: ['web'],
      service: 'shop@docker',
    }));
    await using fake = await fakeTraefik(state);
    await using client = await moduleClient({ traefik: { url: fake.url } });
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await client.read<{ total: number; routers: { name: string }[]; cursor?: string }>(
        'traefik',
        'traefik_list_routers',
        { protocol: 'http', ...(cursor !== undefined && { cursor }) },
      );
      expect(page.total).toBe(1200);
      for (const { name } of page.routers) seen.add(name);
      ({ cursor } = page);
    } while (cursor !== undefined && seen.size < 100);
    expect(seen.size).toBeGreaterThanOrEqual(100);
    const found = await client.read<Explained>('traefik', 'traefik_explain_request', {
      url: `http://h7.example.com/${'a'.repeat(200)}7`,
    });
    expect(found.winner?.router).toBe('r7@file');
    expect(fake.misunderstood).toEqual([]);
  });
});

describe.skipIf(REAL_TRAEFIK)('Traefik 2', () => {
  it('has rules in its own syntax, below a path, with a password', async () => {
    const state = shop();
    state.version = '2.11.3';
    state.credentials = 'ann:hunter22-secret';
    delete state.tcp.middlewares;
    state.http.routers = [
      {
        name: 'two@docker',
        rule: 'Host(`a.com`, `b.com`) && Path(`/u/{id:[0-9]+}`)',
        entryPoints: ['web'],
        service: 'shop',
      },
    ];
    await using fake = await fakeTraefik(state);
    await using client = await moduleClient({
      traefik: { url: fake.url.replace('//', '//ann:hunter22-secret@') },
      wrong: { type: 'traefik', url: fake.url.replace('//', '//ann:hunter33-wrong@') },
      lost: { type: 'traefik', url: `${fake.url.replace('//', '//ann:hunter22-secret@')}/elsewhere` },
    });
    const found = await client.read<Explained>('traefik', 'traefik_explain_request', { url: 'http://b.com/u/12' });
    expect(found.winner?.router).toBe('two@docker');
    const wrong = await client.refused('wrong', 'wrong_get_overview');
    expect(wrong).toContain('refuses the credentials (HTTP 401). Correct the user and password in modules.wrong.url');
    expect(wrong).not.toContain('hunter');
    expect(await client.refused('lost', 'lost_get_overview')).toContain("does not have Traefik's API");
  });
});

describe.skipIf(REAL_TRAEFIK)('a Traefik in trouble', () => {
  it('may limit, be slow, and answer with too much or something else', async () => {
    let limited = 2;
    let ended = 0;
    const state = shop();
    state.fault = (_, response) => {
      if (limited-- <= 0) return false;
      response.writeHead(429, { 'retry-after': '0' }).end();
      return true;
    };
    await using fake = await fakeTraefik(state);
    await using server = await serveHttp((request, response) => {
      const kind = request.url?.split('/')[1];
      if (kind === 'slow') return void response.once('close', () => ended++);
      if (kind === 'page') return void response.end('<html>Sign in</html>');
      if (kind === 'login') return void response.writeHead(302, { location: '/x' }).end();
      if (kind === 'busy') return void response.writeHead(429, { 'retry-after': '3600' }).end();
      if (kind === 'down') return void response.writeHead(502).end('<html>Bad gateway</html>');
      response.write('[');
      const write = () => {
        while (!response.destroyed && response.write(`{"name":"${'x'.repeat(100_000)}"},`));
      };
      response.on('drain', write);
      write();
    });
    const at = (path: string) => ({ type: 'traefik', url: `${server.url}/${path}` });
    await using client = await moduleClient({
      limited: { type: 'traefik', url: fake.url, token: 'hidden-token' },
      slow: { ...at('slow'), timeout: '300ms' },
      page: at('page'),
      login: at('login'),
      busy: at('busy'),
      down: at('down'),
      endless: at('endless'),
    });
    expect(await client.read('limited', 'limited_list_entrypoints')).toMatchObject({ total: 3 });
    const ask = (source: string) => client.refused(source, `${source}_list_routers`, { protocol: 'http' });
    expect(await ask('slow')).toContain('took longer than 0.3 s');
    await expect.poll(() => ended).toBe(1);
    expect(await ask('page')).toContain('not to a proxy or a login page');
    expect(await ask('login')).toContain('redirects to another address. Set modules.login.url');
    expect(await ask('busy')).toMatch(/limits requests, and nothing was done\. Try again in 3600 s/);
    expect(await ask('down')).toContain('answered with HTTP 502');
    expect(await ask('endless')).toContain('more than 16 MB');
    expect(client.health('endless')).toMatchObject({ state: 'ready' });
  });

  it('comes back', async () => {
    let fake = await fakeTraefik(shop());
    const { url } = fake;
    await using client = await moduleClient({ traefik: { url } });
    expect(await client.read('traefik', 'traefik_get_overview')).toMatchObject({ version: '3.1.0' });
    await fake[Symbol.asyncDispose]();
    expect(await client.refused('traefik', 'traefik_get_overview')).toMatch(/is not running|closed the connection/);
    fake = await fakeTraefik(shop(), Number(new URL(url).port));
    await expect.poll(() => client.read('traefik', 'traefik_get_overview')).toMatchObject({ version: '3.1.0' });
    await fake[Symbol.asyncDispose]();
  });
});

describe.runIf(REAL_TRAEFIK)('a real Traefik', () => {
  it('answers all tools', async () => {
    await using client = await moduleClient({ traefik: { url: REAL_TRAEFIK } });
    const read = <T = Json>(tool: string, params: Json = {}) => client.read<T>('traefik', `traefik_${tool}`, params);
    expect(await read('get_overview')).toMatchObject({ version: expect.any(String) as string });
    for (const kind of ['router', 'service', 'middleware']) {
      const list = await read<Record<string, { name: string; protocol: string }[]>>(`list_${kind}s`);
      const [first] = list[`${kind}s`] ?? [];
      if (first) expect(await read(`get_${kind}`, { name: first.name, protocol: first.protocol })).toBeDefined();
    }
    expect(await read('list_entrypoints')).toMatchObject({ total: expect.any(Number) as number });
    expect(await read('find_problems')).toMatchObject({ errors: expect.any(Number) as number });
    expect(await read('explain_request', { url: 'http://localhost/' })).toMatchObject({
      answer: expect.any(String) as string,
    });
    expect(await client.refused('traefik', 'traefik_get_router', { name: 'none@none' })).toContain(
      'There is no http router',
    );
  });
});
