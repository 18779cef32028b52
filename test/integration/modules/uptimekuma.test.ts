/** Uptime Kuma, through a real client: a tour with a server, and what happens when it does not work. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { moduleClient, type ModuleClient } from '../../support/module-client.ts';
import { realUrl, type TestKuma, testKuma } from '../../support/uptimekuma.ts';
import { type KumaOptions, sqlTime } from '../../support/uptimekuma/server.ts';
import type { Json } from '../harness.ts';

const M = 'uptimekuma';
const MINUTE = 60_000;

interface Listed {
  total: number;
  monitors: { id: number; name: string; type: string; state: string; message?: string; uptime_24h?: number }[];
  cursor?: string;
}
interface Added {
  id: number;
  name: string;
  push_url?: string;
}

/** A gateway with the module, read-write unless said otherwise, and its server. */
async function opened(options: KumaOptions | undefined, section: Json = {}) {
  await using stack = new AsyncDisposableStack();
  const kuma = stack.use(await testKuma(options));
  const client = stack.use(await moduleClient({ [M]: { ...kuma.section, mode: 'read-write', ...section } }));
  const owned = stack.move();
  return { kuma, client, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe.each(realUrl === undefined ? (['2.5.3', '1.23.16'] as const) : [undefined])('a tour of %s', (version) => {
  const prefix = `sluice-${randomBytes(4).toString('hex')}`;
  const named = (name: string) => `${prefix}-${name}`;
  let kuma: TestKuma;
  let client: ModuleClient;
  beforeAll(async () => {
    kuma = await testKuma(version && { version });
    // In a real server there are other monitors.
    client = await moduleClient({ [M]: { ...kuma.section, mode: 'read-write', monitors: [`${prefix}*`] } });
  });
  afterAll(async () => {
    if (realUrl !== undefined) await cleanUp();
    await client[Symbol.asyncDispose]();
    await kuma[Symbol.asyncDispose]();
  });

  async function cleanUp() {
    const { monitors } = await client.read<Listed>(M, 'list_monitors');
    for (const { id } of monitors) await client.confirmed(M, 'delete_monitor', { monitor: id });
  }
  const add = async (args: Json) => await client.call<Added>(M, 'add_monitor', args);
  const list = async (args: Json = {}) => await client.read<Listed>(M, 'list_monitors', args);

  test('finds tools by what people say', async () => {
    expect(await client.list(M, { query: 'what is down right now' })).toContain('get_summary');
    expect(await client.list(M, { query: 'monitor this website' })).toContain('add_monitor');
    expect(await client.listed()).toEqual([`${M}_list`, `${M}_call`, `${M}_read`]);
  });

  test('adds a website from its address, and shows, edits, pauses and deletes it', async () => {
    const { id, name } = await add({ url: 'http://127.0.0.1:9/health', name: named('web'), interval: 3600 });
    expect(name).toBe(named('web'));
    expect(await client.refused(M, 'add_monitor', { url: 'http://127.0.0.1:9/health', name: named('web') })).toContain(
      'There is such a monitor already',
    );

    const shown = await client.read<{ monitor: Json; settings: Json }>(M, 'get_monitor', { monitor: name });
    expect(shown.monitor).toMatchObject({ id, name, type: 'http', target: 'http://127.0.0.1:9/health' });
    expect(shown.settings).toMatchObject({ interval: 3600, method: 'GET', accepted_statuscodes: ['200-299'] });

    const secret = { headers: { Authorization: 'Bearer s3cret-1' }, basic_auth: { user: 'joe', password: 's3cret-2' } };
    expect(await client.call(M, 'edit_monitor', { monitor: id, interval: 1800, retries: 2, ...secret })).toMatchObject({
      id,
      changed: expect.arrayContaining(['interval', 'maxretries', 'headers']),
    });
    const edited = await client.read<{ settings: Json }>(M, 'get_monitor', { monitor: String(id) });
    expect(edited.settings).toMatchObject({
      interval: 1800,
      maxretries: 2,
      url: 'http://127.0.0.1:9/health',
      headers: { Authorization: '[redacted]' },
      basic_auth_user: 'joe',
    });
    expect(JSON.stringify(edited)).not.toContain('s3cret');
    // What was not given stayed, secrets too.
    await client.call(M, 'edit_monitor', { monitor: id, description: 'The shop' });
    expect((await client.read<{ settings: Json }>(M, 'get_monitor', { monitor: id })).settings).toMatchObject({
      interval: 1800,
      description: 'The shop',
      basic_auth_pass: '[redacted]',
    });

    expect(await client.call(M, 'pause_monitor', { monitor: name })).toMatchObject({ id, active: false });
    expect((await list({ status: 'paused' })).monitors).toMatchObject([{ id, state: 'paused' }]);
    expect(await client.call(M, 'resume_monitor', { monitor: name })).toMatchObject({ id, active: true });
    expect(await list({ status: 'paused' })).toMatchObject({ total: 0 });

    const { question, result } = await client.confirmed(M, 'delete_monitor', { monitor: id });
    expect(question).toContain(`Deletes the monitor "${name}" (id ${id}), http http://127.0.0.1:9/health`);
    expect(question).toContain('with its whole history');
    expect(result).toEqual({ id, name });
    expect(await client.refused(M, 'get_monitor', { monitor: name })).toContain('There is no monitor');
  });

  test('tells uptime, outages and their reasons from heartbeats', async () => {
    const { id, push_url: url = '' } = await add({ type: 'push', name: named('job'), interval: 3600 });
    const push = async (status: 'up' | 'down', msg: string) =>
      expect((await fetch(url.replace(/\?.*/, `?status=${status}&msg=${msg}&ping=25`))).status).toBe(200);
    await push('up', 'fine');
    await push('down', 'disk-full');
    await vi.waitFor(async () =>
      expect((await list({ search: 'job' })).monitors).toMatchObject([{ state: 'down', message: 'disk-full' }]),
    );
    const summary = await client.read<{ states: Json; down: Json[] }>(M, 'get_summary');
    expect(summary.down).toMatchObject([{ id, name: named('job'), message: 'disk-full', since: expect.any(String) }]);
    expect(summary.states).toMatchObject({ down: 1 });
    expect(await client.read(M, 'list_incidents', { monitor: id })).toMatchObject({
      total: 1,
      incidents: [{ id, reason: 'disk-full' }],
    });
    await push('up', 'back');
    await vi.waitFor(async () => expect((await list({ search: 'job' })).monitors).toMatchObject([{ state: 'up' }]));
    const incidents = await client.read<{ incidents: Json[] }>(M, 'list_incidents');
    expect(incidents.incidents).toMatchObject([{ id, reason: 'disk-full', to: expect.any(String) }]);
    const beats = await client.read<{ plot: string; outages: Json[]; last: Json[]; beats: number }>(
      M,
      'get_heartbeats',
      { monitor: id, hours: 1 },
    );
    expect(beats.plot).toHaveLength(60);
    expect(beats.plot).toContain('x');
    expect(beats.outages).toMatchObject([{ reason: 'disk-full' }]);
    expect(beats.last[0]).toMatchObject({ status: 'up', message: 'back' });
    const { question } = await client.confirmed(M, 'delete_monitor', { monitor: id });
    expect(question).toContain(`${beats.beats} heartbeats in the last 24 hours`);
  });

  test('groups hold monitors, which follow them', async () => {
    const group = await add({ type: 'group', name: named('group') });
    const inside = await add({
      hostname: '127.0.0.1',
      port: 9,
      name: named('inside'),
      parent: named('group'),
      interval: 3600,
    });
    expect(await client.call(M, 'pause_monitor', { monitor: group.id })).toMatchObject({ members: 1 });
    await vi.waitFor(async () =>
      expect((await client.read<{ monitor: Json }>(M, 'get_monitor', { monitor: inside.id })).monitor).toMatchObject({
        group: named('group'),
      }),
    );
    expect(await client.refused(M, 'edit_monitor', { monitor: group.id, parent: group.id })).toContain(
      'cannot be in itself',
    );
    expect(await client.refused(M, 'edit_monitor', { monitor: group.id, parent: inside.id })).toContain('not a group');
    await client.call(M, 'edit_monitor', { monitor: inside.id, parent: null });
    await client.confirmed(M, 'delete_monitor', { monitor: group.id });
    expect((await list({ search: 'inside' })).monitors).toMatchObject([{ id: inside.id, type: 'port' }]);
    await client.confirmed(M, 'delete_monitor', { monitor: inside.id });
  });

  test('tags monitors', async () => {
    const { id } = await add({ hostname: '127.0.0.1', name: named('tagged'), interval: 3600 });
    const tag = named('production');
    expect(await client.call(M, 'tag_monitor', { monitor: id, tag, value: 'eu' })).toMatchObject({
      changed: true,
      created: true,
    });
    expect(await client.call(M, 'tag_monitor', { monitor: id, tag, value: 'eu' })).toMatchObject({ changed: false });
    expect((await list({ tag })).monitors).toMatchObject([{ id, tags: [`${tag}: eu`] }]);
    const { tags } = await client.read<{ tags: Json[] }>(M, 'list_tags');
    expect(tags).toContainEqual(expect.objectContaining({ name: tag, monitors: 1 }));
    await client.call(M, 'tag_monitor', { monitor: id, tag, remove: true });
    expect(await list({ tag })).toMatchObject({ total: 0 });
    expect(await client.refused(M, 'tag_monitor', { monitor: id, tag, remove: true })).toContain('has no such tag');
    await client.confirmed(M, 'delete_monitor', { monitor: id });
  });

  test('publishes, changes and deletes a status page', async () => {
    const { id } = await add({ hostname: '127.0.0.1', name: named('public'), interval: 3600 });
    const slug = named('page');
    const { question, result } = await client.confirmed(M, 'add_status_page', { title: 'Shop', slug });
    expect(question).toContain('Publishes the empty status page "Shop"');
    expect(result).toMatchObject({ slug, address: expect.stringContaining(`/status/${slug}`) });
    expect(await client.refused(M, 'add_status_page', { title: 'Shop', slug })).toContain('already');

    // Texts are changed at once; new monitors on a public page are asked about.
    expect(
      await client.call(M, 'save_status_page', { slug, title: 'The shop', description: 'All **fine**' }),
    ).toMatchObject({ title: 'The shop', groups: 0 });
    const groups = [{ name: 'Core', monitors: [named('public')] }];
    const saved = await client.confirmed(M, 'save_status_page', { slug, groups });
    expect(saved.question).toContain(`Shows 1 more monitor to everybody`);
    expect(saved.result).toMatchObject({ groups: 1, monitors: 1 });
    await client.call(M, 'save_status_page', { slug, footer: 'Footer', groups });
    expect(await client.read(M, 'get_status_page', { slug })).toMatchObject({
      title: 'The shop',
      description: 'All **fine**',
      footer: 'Footer',
      groups: ['Core'],
      monitors: [{ group: 'Core', id, name: named('public') }],
      incidents: [],
    });
    const { status_pages } = await client.read<{ status_pages: Json[] }>(M, 'list_status_pages');
    expect(status_pages).toContainEqual(expect.objectContaining({ slug, title: 'The shop' }));

    const incident = await client.confirmed(M, 'post_incident', { slug, title: 'Slow', content: 'We look into it.' });
    expect(incident.question).toContain('Publishes the incident "Slow"');
    expect(await client.read(M, 'get_status_page', { slug })).toMatchObject({
      incidents: [{ title: 'Slow', content: 'We look into it.' }],
    });
    expect(await client.call(M, 'end_incident', { slug })).toEqual({ slug, ended: ['Slow'] });
    expect(await client.refused(M, 'end_incident', { slug })).toContain('no pinned incident');

    expect((await client.confirmed(M, 'delete_monitor', { monitor: id })).question).toContain(`1 status page: ${slug}`);
    const deleted = await client.confirmed(M, 'delete_status_page', { slug });
    expect(deleted.question).toContain('Deletes the status page "The shop"');
    expect(await client.refused(M, 'get_status_page', { slug })).toContain('There is no status page');
  });

  test('refuses bad input, and changes nothing', async () => {
    const before = await list();
    expect(await client.refused(M, 'add_monitor', {})).toContain('Say what to monitor');
    expect(await client.refused(M, 'add_monitor', { url: 'not a url' })).toContain('is not a URL');
    expect(await client.refused(M, 'add_monitor', { type: 'keyword', url: 'a.example', name: named('k') })).toContain(
      'keyword',
    );
    expect(await client.refused(M, 'add_monitor', { url: 'a.example', name: named('k'), fields: { id: 1 } })).toContain(
      'cannot be set',
    );
    expect(
      await client.refused(M, 'add_monitor', { url: 'a.example', name: named('k'), notifications: ['nobody'] }),
    ).toContain('There is no notification');
    expect(await client.refused(M, 'add_monitor', { url: 'a.example', name: named('k'), parent: 'nothing' })).toContain(
      'There is no monitor',
    );
    expect(await client.refused(M, 'add_monitor', { url: 'a.example', name: named('k'), color: 'red' })).toContain(
      'color',
    );
    expect(await client.refused(M, 'edit_monitor', { monitor: 999_999, interval: 60 })).toContain(
      'There is no monitor "999999"',
    );
    if (version === '1.23.16')
      expect(
        await client.refused(M, 'add_monitor', { type: 'snmp', name: named('k'), fields: { snmpOid: '1.3' } }),
      ).toContain('This version of Uptime Kuma has no snmpOid');
    expect(await client.refused(M, 'get_status_page', { slug: '../../etc' })).toContain('There is no status page');
    expect(await client.refused(M, 'add_status_page', { title: 'x', slug: 'A b' })).toContain('slug');
    expect(await client.refused(M, 'list_monitors', { cursor: 'nonsense' })).toContain('cursor');
    expect(await list()).toEqual(before);
  });

  test('has nothing to do with monitors out of reach', async () => {
    await using other = await moduleClient({ [M]: { ...kuma.section, mode: 'read-write', monitors: ['nothing-*'] } });
    const { id, name } = await add({ hostname: '127.0.0.1', name: named('hidden'), interval: 3600 });
    expect(await other.read(M, 'list_monitors')).toMatchObject({ total: 0 });
    expect(await other.read(M, 'get_summary')).toMatchObject({ monitors: 0 });
    for (const [tool, args] of [
      ['get_monitor', {}],
      ['get_heartbeats', {}],
      ['edit_monitor', { interval: 60 }],
      ['pause_monitor', {}],
      ['delete_monitor', {}],
      ['tag_monitor', { tag: 'x' }],
    ] as const)
      expect(await other.refused(M, tool, { monitor: id, ...args })).toContain('modules.uptimekuma.monitors');
    expect(await other.refused(M, 'add_monitor', { url: 'https://a.example' })).toContain('is out of reach');
    expect(await client.refused(M, 'edit_monitor', { monitor: name, name: 'elsewhere' })).toContain('is out of reach');
    await client.confirmed(M, 'delete_monitor', { monitor: id });
  });

  test('reads only, unless the section says otherwise', async () => {
    await using readOnly = await moduleClient({ [M]: { ...kuma.section } });
    expect(await readOnly.listed()).toEqual([`${M}_list`, `${M}_call`]);
    expect(await readOnly.refused(M, 'add_monitor', { url: 'a.example' })).toContain('mode to read-write');
    expect(await readOnly.call(M, 'get_summary')).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+/) });
  });

  test('refuses a wrong password', async () => {
    await using wrong = await moduleClient({ [M]: { ...kuma.section, password: 'wrong-pass-word' } });
    const said = await wrong.refused(M, 'get_summary');
    expect(said).toContain('refuses the username or the password');
    expect(said).not.toContain('wrong-pass-word');
  });

  test.skipIf(realUrl !== undefined)('sent nothing that a server would not understand', () => {
    expect(kuma.server.violations).toEqual([]);
  });
});

describe.skipIf(realUrl !== undefined)('with a server that the test controls', () => {
  const now = Date.now();
  const past = (minutes: number, status: number, more: Json = {}) => ({
    time: sqlTime(now - minutes * MINUTE),
    status,
    ...more,
  });

  test('a url alone makes a monitor, which gets the default notifications', async () => {
    await using opening = await opened({});
    const { client, kuma } = opening;
    kuma.server.seedNotification('ops', { type: 'telegram', telegramBotToken: 's3cret' }, true);
    kuma.server.seedNotification('other', { type: 'smtp', smtpPassword: 's3cret' });
    expect(await client.call(M, 'add_monitor', { url: 'https://example.com' })).toEqual({
      id: expect.any(Number),
      name: 'example.com',
      type: 'http',
      target: 'https://example.com',
      interval: 60,
      notifications: ['ops'],
    });
    const said = await client.read<{ notifications: Json[] }>(M, 'list_notifications');
    expect(said.notifications).toMatchObject([
      { name: 'ops', type: 'telegram', default: true },
      { name: 'other', type: 'smtp' },
    ]);
    expect(JSON.stringify(said)).not.toContain('s3cret');
    expect(await client.call(M, 'add_monitor', { url: 'example.org/a', notifications: ['other'] })).toMatchObject({
      name: 'example.org/a',
      target: 'https://example.org/a',
      notifications: ['other'],
    });
    expect(kuma.server.violations).toEqual([]);
  });

  test('names that occur twice need an id, and near names are suggested', async () => {
    await using opening = await opened({});
    const { client, kuma } = opening;
    const [one, two] = [
      kuma.server.seed({ name: 'shop', url: 'https://a' }),
      kuma.server.seed({ name: 'shop', url: 'https://b' }),
    ];
    expect(await client.refused(M, 'get_monitor', { monitor: 'shop' })).toContain(
      `Use an id: ${one} (http), ${two} (http)`,
    );
    expect(await client.refused(M, 'get_monitor', { monitor: 'shopp' })).toContain('Did you mean "shop"?');
  });

  test('long lists have a cursor, and stay below 8 KB', async () => {
    await using opening = await opened({});
    const { client, kuma } = opening;
    for (let n = 0; n < 120; n += 1)
      kuma.server.seed(
        { name: `m-${String(n).padStart(3, '0')} ${'ü'.repeat(100)}`, url: `https://example.com/${'x'.repeat(300)}` },
        [past(1, 1, { msg: '200 - OK '.repeat(50), ping: 12 })],
      );
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Listed = await client.read(M, 'list_monitors', { ...(cursor !== undefined && { cursor }) });
      names.push(...page.monitors.map(({ name }) => name.slice(0, 5)));
      ({ cursor } = page);
    } while (cursor !== undefined);
    expect(names).toHaveLength(120);
    expect(new Set(names).size).toBe(120);
  });

  test.each(['2.5.3', '1.23.16'] as const)(
    '%s: outages of days, one that goes on, and certificates',
    async (version) => {
      await using opening = await opened({ version });
      const { client, kuma } = opening;
      const shop = kuma.server.seed({ name: 'shop', url: 'https://shop.example' }, [
        past(300, 1, { important: 1 }),
        past(200, 0, { important: 1, msg: 'connect ECONNREFUSED https://user:pa55@shop.example' }),
        past(199, 0),
        past(170, 1, { important: 1, msg: '200 - OK', ping: 40 }),
      ]);
      const bank = kuma.server.seed({ name: 'bank', url: 'https://bank.example' }, [
        past(60 * 24 * 40, 0, { important: 1, msg: 'timeout' }),
        past(1, 0, { msg: 'still timeout' }),
      ]);
      kuma.server.seedCertificate(shop, {
        valid: true,
        certInfo: { daysRemaining: 5, validTo: 'Dec 1 00:00:00 2026 GMT' },
      });
      const { incidents } = await client.read<{ incidents: Json[] }>(M, 'list_incidents', { days: 7 });
      expect(incidents).toMatchObject([
        { id: shop, minutes: 30, reason: 'connect ECONNREFUSED https://[redacted]@shop.example' },
        { id: bank, reason: 'timeout' },
      ]);
      expect(incidents[1]).not.toHaveProperty('to');
      expect(await client.read(M, 'get_summary')).toMatchObject({
        version,
        states: { up: 1, down: 1 },
        down: [{ id: bank, message: 'still timeout', since: expect.any(String) }],
        certificates: [{ id: shop, days: 5 }],
      });
      expect(await client.read(M, 'get_monitor', { monitor: 'shop' })).toMatchObject({
        certificate: { valid: true, days: 5 },
      });
      expect(await client.read(M, 'list_monitors', { status: 'down' })).toMatchObject({
        total: 1,
        monitors: [{ name: 'bank' }],
      });
      expect(kuma.server.violations).toEqual([]);
    },
  );

  test('replies stay below 8 KB, whatever the texts are', async () => {
    await using opening = await opened({});
    const { client, kuma } = opening;
    const long = '"監視"\n'.repeat(100);
    const beats = Array.from({ length: 100 }, (_, n) =>
      past(200 - n, n % 2, { important: 1, msg: long, ping: 1234.5 }),
    );
    const ids = Array.from({ length: 30 }, (_, n) =>
      kuma.server.seed(
        {
          name: `${n} ${long}`,
          url: `https://example.com/${long}`,
          description: long,
          headers: '{}',
          keyword: long,
          body: long,
        },
        [...beats, past(1, 0, { msg: long })],
      ),
    );
    for (const id of ids)
      kuma.server.seedCertificate(id, {
        valid: true,
        certInfo: { daysRemaining: 1, validTo: long, subject: { CN: long } },
      });
    const [monitor] = ids;
    expect(await client.read(M, 'get_summary')).toMatchObject({
      monitors: 30,
      more: expect.stringContaining('more are down'),
    });
    expect(await client.read(M, 'get_monitor', { monitor })).toMatchObject({ monitor: { id: monitor } });
    expect(await client.read(M, 'get_heartbeats', { monitor })).toMatchObject({ more_outages: expect.any(Number) });
    expect(await client.read(M, 'list_incidents')).toMatchObject({ cursor: expect.any(String) });
    await client.confirmed(M, 'add_status_page', { title: long.slice(0, 200).trim(), slug: 'a' });
    await client.confirmed(M, 'save_status_page', {
      slug: 'a',
      description: long,
      footer: long,
      groups: Array.from({ length: 20 }, () => ({ name: long.slice(0, 200).trim(), monitors: ids })),
    });
    expect(await client.read(M, 'get_status_page', { slug: 'a' })).toMatchObject({ next_skip: expect.any(Number) });
  });

  test('maintenance is shown with the monitors in reach', async () => {
    await using opening = await opened({}, { monitors: ['shop*'] });
    const { client, kuma } = opening;
    const [shop, bank] = [kuma.server.seed({ name: 'shop' }), kuma.server.seed({ name: 'bank' })];
    kuma.server.seedMaintenance('Upgrade', [shop, bank]);
    kuma.server.seedMaintenance('Secret', [bank]);
    const { maintenance } = await client.read<{ maintenance: Json[] }>(M, 'list_maintenance');
    expect(maintenance).toMatchObject([{ title: 'Upgrade', monitors: ['shop'] }]);
  });

  test('a group or page with monitors out of reach is left alone', async () => {
    await using opening = await opened({}, { monitors: ['shop*', 'public'] });
    const { client, kuma } = opening;
    const group = kuma.server.seed({ name: 'shop', type: 'group' });
    kuma.server.seed({ name: 'bank', parent: group });
    expect(await client.refused(M, 'pause_monitor', { monitor: 'shop' })).toContain('1 monitor out of reach');
    expect(await client.refused(M, 'delete_monitor', { monitor: 'shop' })).toContain('1 monitor out of reach');
    expect(kuma.server.monitor(group)).toMatchObject({ active: 1 });
  });

  test('a connection that is lost is replaced, and a write is not repeated', async () => {
    await using opening = await opened({});
    const { client, kuma } = opening;
    await client.read(M, 'get_summary');
    kuma.server.drop();
    expect(await client.read(M, 'get_summary')).toMatchObject({ monitors: 0 });
    let asked = 0;
    kuma.server.answers('add', () => {
      asked += 1;
      kuma.server.drop();
    });
    expect(await client.refused(M, 'add_monitor', { url: 'a.example' })).toContain('may or may not have taken effect');
    expect(asked).toBe(1);
    kuma.server.answers('add', undefined);
    expect(await client.call(M, 'add_monitor', { url: 'a.example' })).toMatchObject({ name: 'a.example' });
  });

  test('an answer that never comes, nonsense, and long texts', async () => {
    await using opening = await opened({}, { timeout: '1s' });
    const { client, kuma } = opening;
    const monitor = kuma.server.seed({ name: 'shop', url: 'https://shop.example' });
    kuma.server.answers('getMonitor', () => {});
    expect(await client.refused(M, 'get_monitor', { monitor })).toContain('took longer than 1 s');
    kuma.server.answers('getMonitor', (answer) => answer('nonsense'));
    expect(await client.refused(M, 'get_monitor', { monitor })).toContain('something else than Uptime Kuma does');
    kuma.server.answers('getMonitor', (answer) =>
      answer({ ok: true, monitor: { type: 'http', headers: 7, body: 'x'.repeat(50_000), url: 'y'.repeat(50_000) } }),
    );
    expect(await client.read(M, 'get_monitor', { monitor })).toMatchObject({ settings: { body: '[redacted]' } });
    kuma.server.answers('getMonitor', undefined);
    expect(await client.read(M, 'get_monitor', { monitor })).toMatchObject({ monitor: { name: 'shop' } });
  });

  test('50 MB are refused, and the next call works', async () => {
    await using opening = await opened({});
    const { client, kuma } = opening;
    const monitor = kuma.server.seed({ name: 'shop', url: 'https://shop.example' });
    kuma.server.answers('getMonitor', (answer) => answer({ ok: true, monitor: { body: 'x'.repeat(50_000_000) } }));
    expect(await client.refused(M, 'get_monitor', { monitor })).toContain('sent more than 16 MB at once');
    kuma.server.answers('getMonitor', undefined);
    expect(await client.read(M, 'get_monitor', { monitor })).toMatchObject({ monitor: { name: 'shop' } });
  });

  test('too many logins say when to try again, and the next call tries again', async () => {
    await using opening = await opened({ logins: 0 });
    const { client, kuma } = opening;
    expect(await client.refused(M, 'get_summary')).toMatch(/limits requests, and nothing was done\. Try again in 60 s/);
    await client.refused(M, 'get_summary');
    expect(kuma.server.logins).toBe(2);
  });

  test.each(['2.5.3', '1.23.16'] as const)('%s: logs in with a token, a code, or not at all', async (version) => {
    await using kuma = await testKuma({ version });
    const { url } = kuma.section;
    await using byToken = await moduleClient({ [M]: { url, token: kuma.server.token } });
    expect(await byToken.call(M, 'get_summary')).toMatchObject({ version });
    await using byOldToken = await moduleClient({ [M]: { url, token: 'an-old-token' } });
    expect(await byOldToken.refused(M, 'get_summary')).toContain('modules.uptimekuma.token');
    await using without = await moduleClient({ [M]: { url } });
    expect(await without.refused(M, 'get_summary')).toContain('wants a login. Set modules.uptimekuma.username');

    await using open = await testKuma({ version, open: true });
    await using free = await moduleClient({ [M]: { url: open.server.url } });
    expect(await free.call(M, 'get_summary')).toMatchObject({ version });
    await using freeWithPassword = await moduleClient({ [M]: { ...open.section, password: 'another' } });
    expect(await freeWithPassword.call(M, 'get_summary')).toMatchObject({ version });
    expect(open.server.logins).toBe(0);

    const totp = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    await using twice = await testKuma({ version, totp });
    await using noCode = await moduleClient({ [M]: twice.section });
    expect(await noCode.refused(M, 'get_summary')).toContain(
      'two-factor authentication is on. Set modules.uptimekuma.totp',
    );
    await using first = await moduleClient({ [M]: { ...twice.section, totp } });
    await using second = await moduleClient({ [M]: { ...twice.section, totp } });
    expect(await first.call(M, 'get_summary')).toMatchObject({ version });
    // The code was used already; the one of the next half minute is taken, too.
    expect(await second.call(M, 'get_summary')).toMatchObject({ version });
    await using wrong = await moduleClient({ [M]: { ...twice.section, totp: 'AAAAAAAAAAAAAAAA' } });
    expect(await wrong.refused(M, 'get_summary')).toContain('refuses the code');
    expect(twice.server.violations).toEqual([]);
  });

  test.each(['2.5.3', '1.23.16'] as const)('%s: says that it is not set up yet', async (version) => {
    await using opening = await opened({ version, fresh: true });
    expect(await opening.client.refused(M, 'get_summary')).toContain('is not set up yet');
  });

  test('may be below a path', async () => {
    await using opening = await opened({ path: '/kuma' });
    const { client } = opening;
    await client.confirmed(M, 'add_status_page', { title: 'A', slug: 'a' });
    expect(await client.read(M, 'list_status_pages')).toMatchObject({
      status_pages: [{ address: expect.stringMatching(/\/kuma\/status\/a$/) }],
    });
    expect(client.health(M)).toMatchObject({ state: 'ready' });
  });

  test.each([
    [404, 'does not open a WebSocket (HTTP 404)'],
    [302, 'redirects to another address'],
    [401, 'a proxy before it wants a login'],
    [502, 'answered with HTTP 502'],
    [200, 'does not open a WebSocket'],
  ])('an address that answers with %i', async (status, text) => {
    const server = createServer((_, response) => response.writeHead(status, { location: '/login' }).end('<html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await using client = await moduleClient({ [M]: { url, username: 'a', password: 'b' } });
    expect(await client.refused(M, 'get_summary')).toContain(text);
    server.closeAllConnections();
    server.close();
  });

  test('a section has one way to log in', async () => {
    await expect(moduleClient({ [M]: { token: 'x', username: 'a', password: 'b' } })).rejects.toThrow(
      /token .*is set together with username/,
    );
    await expect(moduleClient({ [M]: { username: 'a' } })).rejects.toThrow(/password is missing/);
    await expect(moduleClient({ [M]: { username: 'a', password: 'b', totp: '!' } })).rejects.toThrow(/base32/);
  });
});
