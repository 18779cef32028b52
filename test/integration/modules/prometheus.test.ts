import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import type { Daemon } from '../../support/daemon.ts';
import { isMissing } from '../../support/daemon.ts';
import { freePort } from '../../support/free-port.ts';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import { PROMETHEUS, serveHttp, startPrometheus } from '../../support/prometheus.ts';
import type { Json } from '../harness.ts';

interface Series {
  metric: Record<string, string>;
  value?: number | string;
  plot?: string;
}

/** What the exporter of this suite answers: a counter, a histogram, odd values, many series, long labels. */
const metrics = (scrapes: number) =>
  [
    '# HELP shop_orders_total Orders by country.',
    '# TYPE shop_orders_total counter',
    ...['de', 'fr', 'it'].map((country, n) => `shop_orders_total{country="${country}"} ${scrapes * (n + 1) * 10}`),
    '# HELP shop_seconds How long an order takes.',
    '# TYPE shop_seconds histogram',
    ...['0.1', '1', '+Inf'].map((le, n) => `shop_seconds_bucket{le="${le}"} ${(n + 1) * 5 * scrapes}`),
    `shop_seconds_sum ${scrapes * 3}`,
    `shop_seconds_count ${15 * scrapes}`,
    '# TYPE odd gauge',
    'odd{is="nan"} NaN',
    'odd{is="high"} +Inf',
    'odd{is="low"} -Inf',
    '# TYPE many gauge',
    ...Array.from({ length: 2000 }, (_, n) => `many{n="${n}",some="a label that is the same"} ${n}`),
    '# TYPE long gauge',
    `long{text="${'x'.repeat(20_000)}"} 1`,
    `long{${Array.from({ length: 100 }, (_, n) => `label_with_a_name_${n}="value ${n}"`).join(',')}} 2`,
    '',
  ].join('\n');

describe.skipIf(isMissing(PROMETHEUS))('prometheus', () => {
  const stack = new AsyncDisposableStack();
  let client: ModuleClient;
  let url: string;

  beforeAll(async () => {
    let scrapes = 0;
    const exporter = stack.use(await serveHttp((_, response) => void response.end(metrics(++scrapes))));
    const dead = `127.0.0.1:${await freePort()}`;
    const prometheus = stack.use(
      await startPrometheus({
        scrapes: [
          { job_name: 'shop', static_configs: [{ targets: [exporter.host], labels: { team: 'orders' } }] },
          {
            job_name: 'dead',
            params: { token: ['hidden-parameter'] },
            static_configs: [{ targets: [dead] }],
          },
          {
            job_name: 'dropped',
            static_configs: [{ targets: ['gone:1'] }],
            relabel_configs: [{ action: 'drop', regex: '.*', source_labels: ['__address__'] }],
          },
        ],
        rules: [
          {
            alert: 'ShopDown',
            expr: 'up{job="dead"} == 0',
            labels: { severity: 'page' },
            annotations: { summary: 'The shop is closed' },
          },
          { alert: 'Later', expr: 'up{job="dead"} == 0', for: '2h' },
          { record: 'job:up:sum', expr: 'sum by (job) (up)' },
          { record: 'broken', expr: 'up + on() many' },
        ],
        config: {
          remote_write: [{ url: `http://ann:hidden-password@${dead}/`, headers: { 'X-Api-Key': 'hidden-header' } }],
        },
      }),
    );
    ({ url } = prometheus);
    client = stack.use(await moduleClient({ prometheus: { url, maxRange: '7d', maxPoints: 500 } }));
    // Two scrapes are needed for a rate, and an evaluation for the rules.
    await vi.waitFor(async () => {
      const { series } = await read<{ series: Series[] }>('query', { query: 'rate(shop_orders_total[1m])' });
      const { total } = await read('list_rules', { failing: true });
      if (series.length !== 3 || total !== 1) throw new Error('Not scraped and evaluated yet.');
    }, 15_000);
  }, 60_000);
  afterAll(async () => await stack.disposeAsync());

  const read = <T = Json>(tool: string, params: Json = {}) =>
    client.read<T>('prometheus', `prometheus_${tool}`, params);
  const refused = (tool: string, params: Json = {}) => client.refused('prometheus', `prometheus_${tool}`, params);

  describe('discovery', () => {
    it('lists two tools, and what is inside', async () => {
      expect(await client.listed()).toEqual(['prometheus_list', 'prometheus_call']);
      const lines = await client.list('prometheus');
      for (const name of ['query', 'query_range', 'list_targets', 'list_alerts', 'explain_metric'])
        expect(lines).toContain(`prometheus_${name}`);
      expect(await client.list('prometheus', { tool: 'prometheus_query_range' })).toContain('"start"');
    });

    it('names tools that are near to an unknown one', async () => {
      expect(await refused('query_rnage', {})).toContain('prometheus_query_range');
    });

    it('finds metrics by name and by help', async () => {
      expect(await read('list_metrics', { pattern: 'shop_orders*' })).toEqual({
        total: 1,
        metrics: [{ name: 'shop_orders_total', type: 'counter', help: 'Orders by country.' }],
      });
      const { metrics: found } = await read<{ metrics: { name: string }[] }>('list_metrics', { pattern: 'how long' });
      expect(found.map(({ name }) => name)).toEqual(['shop_seconds_bucket', 'shop_seconds_count', 'shop_seconds_sum']);
      expect(await read('list_metrics', { type: 'histogram' })).toMatchObject({ total: 3 });
    });

    it('explains a metric', async () => {
      expect(await read('explain_metric', { metric: 'shop_seconds_bucket' })).toMatchObject({
        type: 'histogram',
        help: 'How long an order takes.',
        series: 3,
        labels: expect.arrayContaining([{ name: 'le', values: 3, examples: ['+Inf', '0.1', '1'] }]) as unknown,
        queries: expect.arrayContaining([
          'histogram_quantile(0.95, sum by (le) (rate(shop_seconds_bucket[5m])))',
        ]) as unknown,
      });
      expect(await refused('explain_metric', { metric: 'shop_order_total' })).toContain(
        'Did you mean shop_orders_total?',
      );
      expect(await read('explain_metric', { metric: 'long' })).toMatchObject({ series: 2, more_labels: 92 });
    });

    it('lists labels, their values, and series', async () => {
      const { labels } = await read<{ labels: string[] }>('list_labels', { match: 'shop_orders_total' });
      expect(labels).toEqual(['__name__', 'country', 'instance', 'job', 'team']);
      expect(await read('get_label_values', { label: 'country' })).toEqual({ total: 3, values: ['de', 'fr', 'it'] });
      expect(await read('get_label_values', { label: 'n', pattern: '199?' })).toMatchObject({ total: 10 });
      for (const label of ['nothing', 'a/../b', '..'])
        expect(await read('get_label_values', { label })).toMatchObject({
          total: 0,
          note: expect.stringContaining('prometheus_list_labels') as string,
        });
      expect(await read('find_series', { match: ['shop_orders_total{country="de"}', 'odd{is="nan"}'] })).toMatchObject({
        total: 2,
        series: expect.arrayContaining([expect.objectContaining({ country: 'de' })]) as unknown,
      });
    });

    it('pages through long lists', async () => {
      const seen = new Set<string>();
      let cursor: string | undefined;
      for (let pages = 0; pages < 40; pages++) {
        const page = await read<{ total: number; values: string[]; cursor?: string }>('get_label_values', {
          label: 'n',
          ...(cursor !== undefined && { cursor }),
        });
        expect(page.total).toBe(2000);
        for (const value of page.values) seen.add(value);
        ({ cursor } = page);
        if (cursor === undefined) break;
      }
      expect(seen.size).toBe(2000);
      const { cursor: other } = await read<{ cursor: string }>('find_series', { match: 'many' });
      expect(await refused('get_label_values', { label: 'n', cursor: other })).toContain('does not belong');
    });
  });

  describe('queries', () => {
    it('give values, exactly', async () => {
      const { series, type } = await read<{ series: Series[]; type: string }>('query', { query: 'many{n=~"7|8"}' });
      expect(type).toBe('vector');
      expect(series.map(({ metric, value }) => [metric.n, value])).toEqual([
        ['7', 7],
        ['8', 8],
      ]);
      expect(await read('query', { query: 'scalar(vector(42))' })).toMatchObject({ type: 'scalar', value: 42 });
      expect(await read('query', { query: '"text"' })).toMatchObject({ type: 'string', value: 'text' });
    });

    it('give NaN and infinity', async () => {
      const { series } = await read<{ series: Series[] }>('query', { query: 'odd' });
      expect(new Map(series.map(({ metric, value }) => [metric.is, value]))).toEqual(
        new Map<string | undefined, unknown>([
          ['nan', 'NaN'],
          ['high', '+Inf'],
          ['low', '-Inf'],
        ]),
      );
    });

    it('may look at another time', async () => {
      expect(await read('query', { query: 'up', time: '2001-01-01T00:00:00Z' })).toMatchObject({
        time: '2001-01-01T00:00:00Z',
        series: [],
        note: expect.stringContaining('prometheus_list_metrics') as string,
      });
      expect(await read('query', { query: 'time()', time: 1_700_000_000 })).toMatchObject({ value: 1_700_000_000 });
    });

    it('say what is not shown', async () => {
      const { series, more } = await read<{ series: Series[]; more: string }>('query', { query: 'sort(many)' });
      expect(series.length).toBeGreaterThan(5);
      expect(series.map(({ value }) => value)).toEqual(series.map((_, index) => index));
      expect(more).toBe(
        `${series.length} of 2000 series are shown. Select fewer with labels, or aggregate: topk(10, …), sum by (label) (…), count(…).`,
      );
      expect(await read('query', { query: 'many', limit: 2 })).toMatchObject({
        more: expect.stringContaining('2 of 2000') as string,
      });
    });

    it('cut long labels', async () => {
      const { series } = await read<{ series: Series[] }>('query', { query: 'long' });
      expect(series).toHaveLength(2);
      expect(JSON.stringify(series)).toContain('(20000 characters)');
      expect(JSON.stringify(series)).toContain('more labels');
    });

    it('over time are plotted', async () => {
      await expect
        .poll(
          async () =>
            (await read<{ series: { points: number }[] }>('query_range', { query: 'shop_orders_total', start: '30s' }))
              .series[0]?.points,
        )
        .toBeGreaterThan(2);
      const found = await read<{ step: string; axis: string; series: (Series & { min: number; max: number })[] }>(
        'query_range',
        { query: 'shop_orders_total{country="de"}', start: '30s' },
      );
      expect(found.step).toBe('1s');
      expect(found.axis).toMatch(/^\d\d:\d\d:\d\d .*\d\d:\d\d:\d\d$/);
      const [series] = found.series;
      expect(series?.plot).toMatch(/▁.*█/);
      expect(series?.plot).toHaveLength(31);
      expect(series?.max).toBeGreaterThan(series?.min ?? Infinity);
    });

    it('over time have values if wanted', async () => {
      const end = Math.floor(Date.now() / 1000);
      const { series } = await read<{ series: { values: (number | null)[] }[] }>('query_range', {
        query: 'vector(1) + time() * 0',
        start: end - 60,
        end,
        step: '15s',
        values: true,
      });
      expect(series[0]?.values).toEqual([1, 1, 1, 1, 1]);
      expect(await refused('query_range', { query: 'up', start: '1h', step: '10s', values: true })).toContain(
        'Use a step of 30s or more',
      );
    });

    it('of ranges are plotted, too', async () => {
      const { type, series } = await read<{ type: string; series: Series[] }>('query', {
        query: 'shop_orders_total{country="de"}[1m]',
      });
      expect(type).toBe('matrix');
      expect(series[0]?.plot).toContain('█');
    });

    it('may be long', async () => {
      const query = Array.from({ length: 300 }, (_, n) => `many{n="${n}"}`).join(' or ');
      expect(query.length).toBeGreaterThan(4000);
      expect(await read('query', { query: `count(${query})` })).toMatchObject({ series: [{ value: 300 }] });
    });
  });

  describe('state', () => {
    it('shows targets with problems first', async () => {
      const { counts, targets } = await read<{ counts: Json; targets: Json[] }>('list_targets');
      expect(counts).toEqual({ up: 1, down: 1 });
      expect(targets).toMatchObject([
        { job: 'dead', health: 'down', last_error: expect.stringContaining('connection refused') as string },
        { job: 'shop', health: 'up', labels: { team: 'orders' }, scrape_ms: expect.any(Number) as number },
      ]);
      expect(JSON.stringify(targets)).not.toContain('hidden');
      expect(await read('list_targets', { state: 'up', job: 'sh*' })).toMatchObject({ targets: [{ job: 'shop' }] });
      expect(await read('list_targets', { state: 'dropped' })).toMatchObject({ targets: [{ job: 'dropped' }] });
    });

    it('shows alerts', async () => {
      await expect.poll(async () => await read('list_alerts')).toMatchObject({ firing: 1, pending: 1 });
      const { alerts } = await read<{ alerts: Json[] }>('list_alerts');
      expect(alerts).toMatchObject([
        {
          name: 'ShopDown',
          state: 'firing',
          labels: { severity: 'page', job: 'dead' },
          annotations: { summary: 'The shop is closed' },
          value: 0,
        },
        { name: 'Later', state: 'pending' },
      ]);
      expect(await read('list_alerts', { state: 'pending', name: 'shop' })).toMatchObject({ alerts: [] });
    });

    it('shows rules with errors first', async () => {
      const { total, rules } = await read<{ total: number; rules: Json[] }>('list_rules');
      expect(total).toBe(4);
      expect(rules[0]).toMatchObject({
        name: 'broken',
        type: 'recording',
        group: 'suite',
        health: 'err',
        last_error: expect.stringContaining('many-to-') as string,
      });
      expect(await read('list_rules', { type: 'alert', name: 'later' })).toMatchObject({
        rules: [{ name: 'Later', state: 'pending', for: '2h', alerts: 1, evaluation_ms: expect.any(Number) as number }],
      });
      await expect
        .poll(async () => await read('query', { query: 'job:up:sum{job="shop"}' }))
        .toMatchObject({ series: [{ value: 1 }] });
    });

    it('shows the server, and its configuration without secrets', async () => {
      expect(await read('get_status')).toMatchObject({
        version: expect.stringMatching(/^2\./) as string,
        config_loaded: true,
        series: expect.any(Number) as number,
        top_metrics: expect.arrayContaining([{ name: 'many', count: 2000 }]) as unknown,
      });
      const { config } = await read<{ config: string[] }>('get_status', { section: 'config' });
      expect(config.join('\n')).toContain('job_name: shop');
      expect(config.join('\n')).not.toContain('hidden');
      expect(await read('get_status', { section: 'flags', pattern: 'storage.tsdb.retention.size' })).toEqual({
        flags: ['--storage.tsdb.retention.size=0B'],
      });
    });

    it('is part of the health', async () => {
      expect(client.health('prometheus')).toMatchObject({ state: 'ready', kind: 'module' });
    });
  });

  describe('bad input', () => {
    test.each([
      [
        'query',
        { query: 'rate(up[5m)' },
        /PromQL error in line 1, column 11, near `rate\(up\[5m\)`: .*Correct the query/,
      ],
      ['query', { query: 'up + on() many' }, /cannot be evaluated: .*many-to-/],
      ['query', { query: 'nope(up)' }, /unknown function with name "nope"/],
      ['query', { query: 'rate(up[5y])' }, /modules\.prometheus\.maxRange allows 7d/],
      ['query', { query: 'up', time: 'yesterday' }, /time: "yesterday" is not a time/],
      ['query', { query: '' }, /query/],
      ['query', { sql: 'up' }, /query/],
      ['query_range', { query: 'up', start: '30d' }, /start to end is 30d, .*allows 7d/],
      ['query_range', { query: 'up', start: '1h', step: '1s' }, /Use a step of 10s or more/],
      ['query_range', { query: 'up', start: 'now', end: '1h' }, /must be after start/],
      ['find_series', { match: 'up{' }, /PromQL error|refuses the request: .*parse error/],
      ['list_metrics', { cursor: 'x' }, /cursor does not belong/],
    ])('%s %j', async (tool, params, message) => {
      expect(await refused(tool, params)).toMatch(message);
    });
  });
});

describe.skipIf(isMissing(PROMETHEUS))('a Prometheus with users, below a path', () => {
  // bcrypt of PASSWORD.
  const HASH = '$2b$04$TrN0Z8g67yg2CnnIjBFou.RENE6Io0Xu8rKCNGOWfwbmF3RiAPhtO';
  const PASSWORD = 'hunter22-secret';

  it('takes the credentials of the URL', async () => {
    await using prometheus = await startPrometheus({
      web: { basic_auth_users: { ann: HASH } },
      args: ['--web.route-prefix=/metrics/here'],
    });
    const at = (password: string, path: string) => `http://ann:${password}@127.0.0.1:${prometheus.port}${path}`;
    await using client = await moduleClient({
      prometheus: { url: at(PASSWORD, '/metrics/here/') },
      'prometheus-wrong': { type: 'prometheus', url: at('hunter33-wrong', '/metrics/here') },
      'prometheus-lost': { type: 'prometheus', url: at(PASSWORD, '/elsewhere') },
    });
    expect(await client.read('prometheus', 'query', { query: 'vector(1)' })).toMatchObject({ series: [{ value: 1 }] });
    const wrong = await client.refused('prometheus-wrong', 'query', { query: 'vector(1)' });
    expect(wrong).toContain('refuses the credentials (HTTP 401)');
    expect(wrong).toContain('modules.prometheus-wrong.url');
    expect(wrong).not.toContain('hunter');
    expect(await client.refused('prometheus-lost', 'query', { query: 'vector(1)' })).toContain(
      "does not have Prometheus' API. Correct modules.prometheus-lost.url",
    );
    expect(client.health('prometheus-wrong')).toMatchObject({ state: 'failing' });
    expect(JSON.stringify(client.health('prometheus-wrong'))).not.toContain('hunter');
  });
});

describe.skipIf(isMissing(PROMETHEUS))('a Prometheus that ends', () => {
  it('is named, and used again when it is back', async () => {
    const port = await freePort();
    let prometheus: Daemon | undefined = await startPrometheus({ port });
    try {
      await using client = await moduleClient({ prometheus: { url: `http://127.0.0.1:${port}`, timeout: '10s' } });
      const ask = () => client.read('prometheus', 'query', { query: 'vector(1)' });
      expect(await ask()).toMatchObject({ series: [{ value: 1 }] });
      // It holds the call, and dies with it.
      prometheus.process.kill('SIGSTOP');
      const held = client.refused('prometheus', 'query', { query: 'vector(1)' });
      await prometheus[Symbol.asyncDispose]();
      prometheus = undefined;
      expect(await held).toMatch(/closed the connection|is not running/);
      expect(await client.refused('prometheus', 'query', { query: 'vector(1)' })).toContain(
        `prometheus at 127.0.0.1:${port} is not running`,
      );
      expect(client.health('prometheus')).toMatchObject({ state: 'failing' });
      prometheus = await startPrometheus({ port });
      await expect.poll(ask).toMatchObject({ series: [{ value: 1 }] });
      expect(client.health('prometheus')).toMatchObject({ state: 'ready' });
    } finally {
      await prometheus?.[Symbol.asyncDispose]();
    }
  });
});

describe('servers with the same API', () => {
  const json = (value: unknown) => JSON.stringify({ status: 'success', ...(value as object) });

  it('may lack parts of it, warn, and need headers', async () => {
    const seen: (string | undefined)[][] = [];
    await using server = await serveHttp((request, response) => {
      seen.push([request.headers.authorization, request.headers['x-scope-orgid'] as string | undefined]);
      if (request.url?.startsWith('/prometheus/api/v1/query?'))
        return void response.end(
          json({
            data: {
              resultType: 'vector',
              result: [
                { metric: { job: 'a' }, histogram: [1, { count: '3', sum: '9', buckets: [[0, '1', '2', '3']] }] },
              ],
            },
            warnings: ['one block is missing'],
            infos: ['metric might not be a counter'],
          }),
        );
      if (request.url?.startsWith('/prometheus/api/v1/labels')) return void response.end(json({ data: null }));
      response.statusCode = 404;
      response.end('no such route');
    });
    await using client = await moduleClient({
      prometheus: { url: `${server.url}/prometheus`, token: 'hidden-token', headers: { 'X-Scope-OrgID': 7 } },
    });
    expect(await client.read('prometheus', 'query', { query: 'x' })).toMatchObject({
      series: [{ metric: { job: 'a' }, histogram: { count: 3, sum: 9, buckets: { '(1,2]': 3 } } }],
      warnings: ['one block is missing', 'metric might not be a counter'],
    });
    expect(seen[0]).toEqual(['Bearer hidden-token', '7']);
    expect(await client.read('prometheus', 'list_labels')).toEqual({ total: 0, labels: [] });
    expect(await client.read('prometheus', 'get_status')).toEqual({
      not_offered: ['status/buildinfo', 'status/runtimeinfo', 'status/tsdb', 'alertmanagers'],
    });
    expect(await client.refused('prometheus', 'list_targets')).toContain('does not offer /api/v1/targets');
  });

  it('may be slow, and answer with too much or with something else', async () => {
    let ended = 0;
    await using server = await serveHttp((request, response) => {
      if (request.url?.startsWith('/slow')) return void response.once('close', () => ended++);
      if (request.url?.startsWith('/page')) return void response.end('<html>Sign in</html>');
      if (request.url?.startsWith('/login')) return void response.writeHead(302, { location: '/x' }).end();
      const write = () => {
        while (!response.destroyed && response.write(`"${'x'.repeat(100_000)}",`));
      };
      response.on('drain', write);
      write();
    });
    await using client = await moduleClient({
      slow: { type: 'prometheus', url: `${server.url}/slow`, timeout: '300ms' },
      page: { type: 'prometheus', url: `${server.url}/page` },
      login: { type: 'prometheus', url: `${server.url}/login` },
      endless: { type: 'prometheus', url: `${server.url}/endless` },
    });
    expect(await client.refused('slow', 'query', { query: 'up' })).toContain('took longer than 0.3 s');
    await expect.poll(() => ended).toBe(1);
    expect(await client.refused('page', 'query', { query: 'up' })).toContain('not to a proxy or a login page');
    expect(await client.refused('login', 'query', { query: 'up' })).toContain('redirects to another address');
    expect(await client.refused('endless', 'query', { query: 'up' })).toContain('more than 8 MB. Ask for fewer series');
    expect(client.health('endless')).toMatchObject({ state: 'ready' });
  });
});
