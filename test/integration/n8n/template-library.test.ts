import { mkdir, mkdtempDisposable, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callTool } from '../../../src/kernel/call.ts';
import type { CallContext, Json } from '../../../src/kernel/source.ts';
import { templateLibrary } from '../../../src/n8n/templates/library.ts';
import { templatesSection } from '../../../src/n8n/templates/settings.ts';
import { libraryTools } from '../../../src/n8n/templates/library-tools.ts';
import type { N8nDeps } from '../../../src/n8n/tool.ts';
import { catalogueIsMissing, testCatalogues } from '../../support/catalogue.ts';
import { syntheticTemplates } from '../../support/synthetic-templates.ts';
import { startTemplateService, type TemplateService } from '../../support/template-service.ts';

const templates = syntheticTemplates(2000);

interface Listed {
  id: string;
  name: string;
  nodes: string[];
  library: string;
  fits?: boolean;
  missing_nodes?: string[];
  covered?: string[];
  not_covered?: string[];
  description?: string;
  paid?: boolean;
}
interface Page {
  templates: Listed[];
  total: number;
  as_of?: string;
  note?: string;
  cursor?: string;
  not_covered?: string[];
  skeleton?: { nodes: { type: string; position: number[] }[]; connections: Json };
}

/** The libraries with their tools, called as the gateway calls them, but without an n8n. */
async function opened(settings: Json, options: { cache?: string; catalogue?: boolean } = {}) {
  const place = options.cache === undefined ? await mkdtempDisposable(join(tmpdir(), 'sluice-templates-')) : undefined;
  const cache = options.cache ?? place?.path ?? '';
  let current = templatesSection.parse(settings);
  const reports: string[] = [];
  const library = templateLibrary({ cache, settings: () => current, report: (message) => void reports.push(message) });
  const deps = {
    instances: { names: () => (options.catalogue === false ? [] : ['default']) },
    catalogues: options.catalogue === false ? none : testCatalogues,
    templates: library,
  } as unknown as N8nDeps;
  async function call<T = Page>(name: string, args: Json = {}, signal = new AbortController().signal): Promise<T> {
    const tool = libraryTools.find((one) => one.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    const outcome = await callTool(tool, deps)({ name, arguments: args }, {
      signal,
    } as Partial<CallContext> as CallContext);
    if ('error' in outcome) throw new Error(outcome.error.message);
    expect(Buffer.byteLength(outcome.json ?? '')).toBeLessThanOrEqual(args.detail === 'full' ? 1_000_000 : 8 * 1024);
    return outcome.result.structuredContent as T;
  }
  return {
    cache,
    reports,
    library,
    call,
    search: (args: Json = {}) => call('n8n_search_templates', args),
    get: (id: string, args: Json = {}) => call<Json>('n8n_get_template', { id, ...args }),
    configure: (next: Json) => void (current = templatesSection.parse(next)),
    async [Symbol.asyncDispose]() {
      await library[Symbol.asyncDispose]();
      await place?.[Symbol.asyncDispose]();
    },
  };
}

const none = {
  get() {
    throw new Error('There is none.');
  },
  ready: () => Promise.reject(new Error('There is none.')),
};

const served = async (count = 200): Promise<TemplateService> => startTemplateService(templates.slice(0, count));
const names = ({ templates: found }: Page) => found.map(({ name }) => name);

describe('the public library', () => {
  test('is searched by words, and every entry says what it uses', async () => {
    await using service = await served();
    await using open = await opened({ url: service.url }, { catalogue: false });
    const found = await open.search({ query: 'weather slack' });
    expect(found.total).toBeGreaterThan(0);
    expect(found.templates[0]).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      name: expect.stringMatching(/weather reports to Slack/i),
      library: 'public',
      nodes: expect.arrayContaining(['slack']),
      views: expect.any(Number),
      created: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      description: expect.not.stringContaining('#'),
    });
    expect(found.as_of).toBeUndefined();
    expect(service.asked).toEqual([expect.stringContaining('search=weather+slack')]);
    expect(service.credentials).toEqual([]);
  });

  test('is asked in fewer words if it finds nothing for a whole sentence', async () => {
    await using service = await served(2000);
    await using open = await opened({ url: service.url }, { catalogue: false });
    const found = await open.search({
      query: 'How do I remind my customers of their unpaid invoices by email, please?',
    });
    expect(found.templates[0]?.name).toMatch(/^unpaid invoices/i);
    const asked = service.asked.map((path) => new URLSearchParams(path.split('?')[1]).get('search'));
    expect(asked[0]).toContain('How do I');
    expect(asked.length).toBeLessThanOrEqual(5);
    const other = await open.search({ query: 'xyzzy of the plugh' });
    expect(other).toMatchObject({ templates: [], total: 0 });
  });

  test('is asked once as long as its answer is current, and again after that', async () => {
    await using service = await served();
    await using open = await opened({ url: service.url }, { catalogue: false });
    await open.search({ query: 'invoices' });
    const again = await open.search({ query: 'invoices' });
    expect(service.asked).toHaveLength(1);
    expect(Date.parse(again.as_of ?? '')).toBeLessThanOrEqual(Date.now());
    open.configure({ url: service.url, refresh: '1ms' });
    await open.search({ query: 'invoices' });
    expect(service.asked).toHaveLength(2);
  });

  test('filters by nodes and category, with the names that people use', async () => {
    await using service = await served();
    await using open = await opened({ url: service.url });
    const sheets = await open.search({ nodes: ['Google Sheets'], limit: 100 });
    expect(sheets.templates.length).toBeGreaterThan(3);
    for (const { nodes } of sheets.templates) expect(nodes).toContain('googleSheets');
    expect(service.asked.at(-1)).toContain('nodes=n8n-nodes-base.googleSheets');
    const finance = await open.search({ category: 'finance', limit: 5 });
    expect(finance.templates.length).toBe(5);
    expect(service.asked.at(-1)).toContain('category=Finance');
    for (const { name } of finance.templates) expect(name).toMatch(/invoices|receipts/i);
    const unknown = await open.search({ category: 'Knitting' });
    expect(unknown).toMatchObject({ templates: [], note: expect.stringMatching(/no category Knitting.*Finance/) });
  });

  test('pages through everything it found, each once', async () => {
    await using service = await served();
    await using open = await opened({ url: service.url }, { catalogue: false });
    const ids: string[] = [];
    let cursor: string | undefined;
    let total: number;
    do {
      const page = await open.search({ query: 'slack', limit: 7, ...(cursor !== undefined && { cursor }) });
      ids.push(...page.templates.map(({ id }) => id));
      ({ cursor, total } = page);
    } while (cursor !== undefined);
    expect(ids).toHaveLength(total);
    expect(new Set(ids).size).toBe(total);
    await expect(open.search({ query: 'notion', cursor: 'bm9uc2Vuc2U' })).rejects.toThrow('does not belong');
  });

  test('shows a template: nodes, credentials, notes, and its workflow', async () => {
    await using service = await served();
    await using open = await opened({ url: service.url }, { catalogue: false });
    const [first] = templates;
    const summary = await open.get(String(first?.id));
    expect(summary).toMatchObject({
      name: first?.name,
      nodes_count: first?.workflow.nodes.length,
      author: first?.user.name,
      categories: first?.categories.map(({ name }) => name),
      notes: [expect.stringContaining('Connect your accounts')],
      credentials: expect.arrayContaining([expect.stringMatching(/Api|OAuth2|postgres|Token/)]),
    });
    expect(summary.read_at).toBeUndefined();
    const structure = await open.get(String(first?.id), { detail: 'structure' });
    expect(structure).toMatchObject({
      structure: expect.arrayContaining([expect.objectContaining({ to: expect.any(Array) })]),
    });
    expect(structure.read_at).toMatch(/^\d{4}-/);
    const full = await open.get(String(first?.id), { detail: 'full' });
    expect(full.workflow).toMatchObject({ nodes: first?.workflow.nodes, connections: first?.workflow.connections });
    const cut = await open.get(String(first?.id), { detail: 'full', max_bytes: 1000 });
    expect(cut).toMatchObject({ more: expect.stringContaining('max_bytes'), structure: expect.any(Array) });
    expect(service.asked).toEqual([`templates/workflows/${first?.id}`]);
    expect(await open.get(`000${first?.id}`)).toMatchObject({ id: String(first?.id) });
    expect(service.asked).toHaveLength(1);
    expect(await open.get(`https://n8n.io/workflows/${first?.id}-some-words/`)).toMatchObject({
      id: String(first?.id),
    });
  });

  test('reads the importable form if the entry has no workflow', async () => {
    await using service = await served(3);
    await using open = await opened({ url: service.url }, { catalogue: false });
    const { workflow: _, ...about } = templates[1] as (typeof templates)[number];
    service.replace(`templates/workflows/${about.id}`, { workflow: about });
    expect(await open.get(String(about.id))).toMatchObject({ nodes_count: templates[1]?.workflow.nodes.length });
    expect(service.asked.at(-1)).toBe(`workflows/templates/${about.id}`);
  });

  test.each([
    ['away', 'away', 'cannot be reached'],
    ['a web page', 'html', 'a web page instead of JSON'],
    ['endless', 'huge', 'has more than 8 MB'],
    ['redirected to another host', { to: 'http://10.0.0.1/api/' }, 'redirects to 10.0.0.1,'],
    ['redirected to another port', { to: 'http://127.0.0.1:1/api/' }, 'redirects to 127.0.0.1:1,'],
    ['redirected to a long name', { to: `http://${'a'.repeat(9000)}/` }, /^.{0,300}$/],
    ['redirected to a file', { to: 'file:///etc/passwd' }, 'redirects to an address that is none'],
    ['redirected to itself', { to: '/api/again' }, 'redirects in a circle'],
    ['busy', 429, 'Try again in 2s'],
    ['broken', 500, 'answered with status 500'],
  ] as const)('that is %s is a clear error without a cache', async (_, how, said) => {
    await using service = await served(3);
    service.behave(how);
    await using open = await opened({ url: service.url }, { catalogue: false });
    await expect(open.search({ query: 'slack' })).rejects.toThrow(said);
    // A template may be larger than a list.
    await expect(open.get('1000')).rejects.toThrow(how === 'huge' ? 'has more than 16 MB' : said);
  });

  test('credentials in a redirect are neither sent nor shown', async () => {
    await using service = await served(3);
    service.behave({ to: service.url.replace('//', '//user:hunter2@') });
    await using open = await opened({ url: service.url }, { catalogue: false });
    await expect(open.search({ query: 'slack' })).rejects.toThrow(/^(?!.*hunter2).*redirects in a circle/);
    expect(service.credentials).toEqual([]);
  });

  test('that sends more than it was asked for is cut', async () => {
    await using service = await served(0);
    const workflows = Array.from({ length: 50_000 }, (_, at) => ({ id: at + 1, name: `slack ${at}` }));
    service.replace('templates/search', { totalWorkflows: 50_000, workflows });
    await using open = await opened({ url: service.url }, { catalogue: false });
    expect((await open.search({ query: 'slack' })).total).toBe(100);
  });

  test('one template that cannot be read does not keep the others away', async () => {
    await using service = await served(5);
    service.replace('templates/workflows/1000', { workflow: { id: 1000, name: 'Broken' } });
    service.replace('workflows/templates/1000', { id: 1000 });
    service.replace('templates/workflows/1001', { workflow: { id: 1001, name: 'For sale', price: 5 } });
    service.replace('workflows/templates/1001', {});
    service.replace('templates/workflows/1002', []);
    await using open = await opened({ url: service.url }, { catalogue: false });
    await expect(open.get('1000')).rejects.toThrow(/no workflow for template 1000/);
    await expect(open.get('1001')).rejects.toThrow(/1001 has to be bought/);
    await expect(open.get('1002')).rejects.toThrow(/did not answer with a template/);
    expect(await open.get('1003')).toMatchObject({ id: '1003' });
    service.behave(500);
    await expect(open.get('1004')).rejects.toThrow('status 500');
    service.behave(undefined);
    expect(await open.get('1004')).toMatchObject({ id: '1004' });
  });

  test('a template that is nested too deep is refused', async () => {
    await using service = await served(1);
    const { workflow, ...about } = templates[0] as (typeof templates)[number];
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const text = JSON.stringify({ workflow: { ...about, workflow } });
    service.replace(
      'templates/workflows/1000',
      text.replace('"parameters":{', `"parameters":{"deep":${deep}},"more":{`),
    );
    service.replace('workflows/templates/1000', {});
    await using open = await opened({ url: service.url }, { catalogue: false });
    await expect(open.get('1000', { detail: 'full' })).rejects.toThrow(/no workflow for template 1000/);
  });

  test('searches at the same time find what each of them would alone', async () => {
    await using service = await served(2000);
    const queries = ['slack', 'notion', 'invoices', 'weather', 'gmail', 'telegram', 'server', 'support'];
    await using open = await opened({ url: service.url }, { catalogue: false });
    const found = await Promise.all(queries.map((query) => open.search({ query })));
    for (const { total } of found) expect(total).toBeGreaterThanOrEqual(100);
  });

  test('is searched without a cache, too, if that cannot be written', async () => {
    await using service = await served();
    await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-unwritable-'));
    await writeFile(join(place.path, 'templates'), 'a file in its place');
    await using open = await opened({ url: service.url }, { catalogue: false, cache: place.path });
    expect((await open.search({ query: 'weather slack' })).templates[0]?.name).toMatch(/weather reports to Slack/i);
    await expect(open.call('n8n_sync_templates', { limit: 100 })).rejects.toThrow(/cannot be written. Check/);
  });

  test('answers from the cache when it is away, whatever its age, and says so', async () => {
    await using service = await served();
    await using open = await opened({ url: service.url, refresh: '1ms' }, { catalogue: false });
    const before = await open.search({ query: 'job applications' });
    await open.get(before.templates[0]?.id ?? '');
    service.behave('away');
    const after = await open.search({ query: 'job applications' });
    expect(names(after)).toEqual(names(before));
    expect(after).toMatchObject({
      as_of: expect.any(String),
      note: expect.stringMatching(/cannot be reached.*This is from/),
    });
    const other = await open.search({ query: 'applications' });
    expect(other.templates.length).toBeGreaterThan(0);
    expect(other.note).toContain('Only what was read before');
    expect(Date.parse(other.as_of ?? '')).toBeLessThanOrEqual(Date.now());
    expect((await open.call('n8n_suggest_templates', { nodes: ['slack'] })).as_of).toBeDefined();
    expect(await open.get(before.templates[0]?.id ?? '')).toMatchObject({
      note: expect.stringContaining('This is from less than a minute ago'),
      read_at: expect.any(String),
    });
    await expect(open.get('999999')).rejects.toThrow('cannot be reached');
    // After one failure nobody waits for the service for a while.
    expect(service.asked.length).toBeLessThan(6);
  });

  test('a call that is cancelled ends, and leaves the service in peace', async () => {
    await using service = await served(3);
    service.behave('slow');
    await using open = await opened({ url: service.url }, { catalogue: false });
    const cancel = new AbortController();
    const asked = open.call('n8n_search_templates', { query: 'slack' }, cancel.signal);
    await expect.poll(() => service.asked.length).toBe(1);
    cancel.abort();
    await expect(asked).rejects.toThrow('cancelled');
  });

  test('an unknown template is not found, with the next step', async () => {
    await using service = await served(3);
    await using open = await opened({ url: service.url }, { catalogue: false });
    await expect(open.get('424242')).rejects.toThrow(/no template 424242.*n8n_search_templates/);
    await expect(open.get('no-number')).rejects.toThrow('is not the id of a template');
    await expect(open.get('team/x')).rejects.toThrow('no template library team');
    await expect(open.search({ library: 'team' })).rejects.toThrow('no template library team');
  });

  test('that is switched off is not asked', async () => {
    await using service = await served(3);
    await using open = await opened({ url: service.url, public: false }, { catalogue: false });
    expect(await open.search({ query: 'slack' })).toMatchObject({ templates: [], total: 0 });
    await expect(open.get('1000')).rejects.toThrow('templates.public is false');
    expect(service.asked).toEqual([]);
  });

  test('entries that are not as expected are left out, and hostile texts are cut', async () => {
    await using service = await served(0);
    const nodes = [{ name: 'n8n-nodes-base.slack' }, { name: 7 }, null, { name: 'x'.repeat(100_000) }];
    service.replace('templates/search', {
      totalWorkflows: 5,
      workflows: [
        {
          id: 1,
          name: `slack ${'A'.repeat(50_000)}`,
          description: `<b>${'*'.repeat(60_000)}</b>`,
          nodes,
          user: 'nobody',
          totalViews: 'many',
        },
        { id: 'one', name: 'slack without a number' },
        { id: 2 },
        null,
        { id: 3, name: 'slack\u202e\u0007 constructor', nodes: 'none', description: '[[[['.repeat(20_000) },
      ],
    });
    await using open = await opened({ url: service.url }, { catalogue: false });
    const found = await open.search({ query: 'slack', nodes: ['__proto__'] });
    expect(found.templates).toEqual([]);
    const all = await open.search({ query: 'slack' });
    expect(all.templates.map(({ id }) => id).sort()).toEqual(['1', '3']);
    expect(all.templates.find(({ id }) => id === '1')).toMatchObject({
      nodes: ['slack'],
      name: expect.stringMatching(/^slack A{100,200}…$/),
    });
    expect(all.templates.find(({ id }) => id === '3')?.name).toBe('slack constructor');
  });
});

test('replies stay short however long the texts are', async () => {
  await using service = await served(0);
  const [first] = templates as [(typeof templates)[number]];
  const sticky = (at: number) => ({
    name: `Note ${at}`,
    type: 'n8n-nodes-base.stickyNote',
    typeVersion: 1,
    position: [at, 0],
    parameters: { content: '漢字'.repeat(5000) },
  });
  const nodes = Array.from({ length: 300 }, (_, at) => ({
    name: `Step ${at} ${'漢'.repeat(300)}`,
    type: `n8n-nodes-${'long'.repeat(30)}${at}.step`,
    typeVersion: at + 1,
    position: [at, 0],
    parameters: {},
    credentials: { [`type${at}${'x'.repeat(200)}`]: { name: 'a', id: '1' } },
  }));
  const workflow = { ...first.workflow, nodes: [...nodes, ...Array.from({ length: 20 }, (_, at) => sticky(at))] };
  service.templates = Array.from({ length: 30 }, (_, at) => ({
    ...first,
    id: at + 1,
    name: `漢字 ${at} ${'名'.repeat(500)}`,
    description: '説明'.repeat(5000),
    nodes: nodes.map(({ type }, id) => ({ id, name: type, displayName: type, icon: '', typeVersion: 1 })),
    workflow,
  }));
  await using open = await opened({ url: service.url });
  // Each call checks the size of its reply.
  expect((await open.search({ query: '漢字', limit: 100 })).templates.length).toBeGreaterThan(1);
  for (const detail of ['summary', 'structure']) expect((await open.get('1', { detail })).more).toBeDefined();
  const long = Array.from({ length: 20 }, (_, at) => `${at}${'長い名前'.repeat(40)}`);
  expect((await open.call('n8n_suggest_templates', { nodes: ['step', ...long.slice(1)] })).templates).toHaveLength(1);
});

describe('a synced library', () => {
  test('is searched on this machine, also offline; a sync continues where it stopped', async () => {
    await using service = await served(450);
    await using open = await opened({ url: service.url }, { catalogue: false });
    const first = await open.call<Json>('n8n_sync_templates', { limit: 200 });
    expect(first).toEqual({ templates: 200, total: 450, pages: { read: 2, current: 0 } });
    const second = await open.call<Json>('n8n_sync_templates', { limit: 1000 });
    expect(second).toEqual({ templates: 450, total: 450, pages: { read: 3, current: 2 } });
    const asked = service.asked.length;
    service.behave('away');
    const found = await open.search({ query: 'gmail reminders for unpaid invoices' });
    expect(found.templates[0]?.name).toMatch(/invoices to Gmail/i);
    expect(found.as_of).toBeDefined();
    expect(found.note).toBeUndefined();
    expect(service.asked.length).toBe(asked);
    const most = await open.search({ limit: 3 });
    expect(most.templates.map(({ id }) => id)).toEqual(['1000', '1001', '1002']);
  });

  test('a sync that fails in the middle says how far it came, and a service that cannot sort is read anyway', async () => {
    await using service = await served(250);
    await using open = await opened({ url: service.url, refresh: '1ms' }, { catalogue: false });
    const sync = open.library.sync(250, new AbortController().signal, (done) => {
      if (done >= 100) service.behave(500);
    });
    await expect(sync).rejects.toThrow(/status 500. 100 templates are here; repeat the sync/);
    service.behave(undefined);
    expect(await open.call('n8n_sync_templates', { limit: 250 })).toMatchObject({ templates: 250 });
  });

  test('a sync that is cancelled says so, and keeps what it has', async () => {
    await using service = await served(250);
    await using open = await opened({ url: service.url }, { catalogue: false });
    const cancel = new AbortController();
    const sync = open.library.sync(250, cancel.signal, () => cancel.abort());
    await expect(sync).rejects.toMatchObject({ code: 'cancelled' });
    expect(await open.call('n8n_sync_templates', { limit: 250 })).toMatchObject({ pages: { read: 2, current: 1 } });
  });

  test('a service that repeats a page is asked no further', async () => {
    await using service = await served(100);
    const workflows = service.templates.map(({ workflow: _, ...entry }) => entry);
    service.replace('templates/search', { totalWorkflows: 1_000_000, workflows: [...workflows, ...workflows] });
    await using open = await opened({ url: service.url }, { catalogue: false });
    expect(await open.call('n8n_sync_templates', { limit: 5000 })).toMatchObject({
      templates: 100,
      pages: { read: 2 },
    });
  });

  test('a sync that waits for another one can be cancelled', async () => {
    await using service = await served(100);
    await using open = await opened({ url: service.url }, { catalogue: false });
    service.behave('slow');
    const first = new AbortController();
    const second = new AbortController();
    const both = [first, second].map(({ signal }) => open.library.sync(100, signal, () => {}));
    await expect.poll(() => service.asked.length).toBe(1);
    second.abort();
    await expect(both[1]).rejects.toMatchObject({ code: 'cancelled' });
    first.abort();
    await expect(both[0]).rejects.toMatchObject({ code: 'cancelled' });
    expect(service.asked.length).toBe(1);
  });

  test('a damaged cache is read again', async () => {
    await using service = await served(150);
    await using open = await opened({ url: service.url }, { catalogue: false });
    await open.call('n8n_sync_templates', { limit: 150 });
    await open.get('1000');
    const [folder = ''] = await readdir(join(open.cache, 'templates'));
    const at = join(open.cache, 'templates', folder);
    const [one = '', two = ''] = await readdir(join(at, 'pages'));
    await truncate(join(at, 'pages', one), 2000);
    await writeFile(join(at, 'pages', two), 'no json at all');
    await writeFile(join(at, 'templates', '1000.json'), '{"at":1}\n{"workflow":{"nodes":"none"}}');
    await using second = await opened({ url: service.url }, { cache: open.cache, catalogue: false });
    const asked = service.asked.length;
    expect(await second.get('1000')).toMatchObject({ id: '1000' });
    expect(await second.call('n8n_sync_templates', { limit: 150 })).toMatchObject({
      templates: 150,
      pages: { read: 2 },
    });
    expect(service.asked.length).toBe(asked + 3);
    expect((await second.search({ query: 'invoices' })).templates.length).toBeGreaterThan(0);
  });

  test.each(['1e300', '99999999999999'])('a cache from the future (%s) is read again', async (time) => {
    await using service = await served(5);
    await using open = await opened({ url: service.url }, { catalogue: false });
    await open.search({ query: 'to' });
    await open.get('1000');
    const [folder = ''] = await readdir(join(open.cache, 'templates'));
    const files = await readdir(join(open.cache, 'templates', folder), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.json'))) {
      const path = join(open.cache, 'templates', folder, file);
      await writeFile(path, (await readFile(path, 'utf8')).replace(/"at":\d+/, `"at":${time}`));
    }
    await using second = await opened({ url: service.url }, { cache: open.cache, catalogue: false });
    expect((await second.search({ query: 'to' })).total).toBeGreaterThan(0);
    expect(await second.get('1000')).toMatchObject({ id: '1000' });
    expect(service.asked).toHaveLength(4);
  });
});

describe('a library of one’s own', () => {
  const workflow = (name: string, more: Json = {}) =>
    JSON.stringify({
      name,
      nodes: [
        { name: 'Go', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
        { name: 'Tell', type: 'n8n-nodes-base.slack', typeVersion: 2.2, position: [200, 0], parameters: {} },
        {
          name: 'Note',
          type: 'n8n-nodes-base.stickyNote',
          typeVersion: 1,
          position: [0, 0],
          parameters: { content: '## Tells the *team* about lunch' },
        },
      ],
      connections: { Go: { main: [[{ node: 'Tell', type: 'main', index: 0 }]] } },
      ...more,
    });

  async function withFolder() {
    const place = await mkdtempDisposable(join(tmpdir(), 'sluice-own-'));
    const folder = join(place.path, 'flows');
    await mkdir(join(folder, 'deep', 'er'), { recursive: true });
    const open = await opened({ public: false, libraries: { team: folder } }, { catalogue: false });
    return {
      folder,
      open,
      put: (path: string, text: string) => writeFile(join(folder, path), text),
      async [Symbol.asyncDispose]() {
        await open[Symbol.asyncDispose]();
        await place[Symbol.asyncDispose]();
      },
    };
  }

  test('is read with its folders: exports, wrappers, and a description from where there is one', async () => {
    await using own = await withFolder();
    await own.put('lunch.json', workflow('Lunch'));
    await own.put(
      'deep/er/Über uns.json',
      workflow('Greeting', { description: 'Greets new colleagues', tags: [{ id: '1', name: 'HR' }] }),
    );
    await own.put(
      'deep/wrapped.json',
      JSON.stringify({ id: 7, name: 'Wrapped', workflow: JSON.parse(workflow('Inner')) as Json }),
    );
    await own.put('deep/listed.json', `[${workflow('Listed', { meta: { description: 'From a list' } })}]`);
    await own.put('package.json', '{"name":"checkout"}');
    const { open } = own;
    const all = await open.search({ library: 'team', limit: 50 });
    expect(all.templates.map(({ id }) => id).sort()).toEqual([
      'team/deep/er/Über uns',
      'team/deep/listed',
      'team/deep/wrapped',
      'team/lunch',
    ]);
    expect(all.templates.find(({ id }) => id === 'team/lunch')).toMatchObject({
      nodes: ['manualTrigger', 'slack'],
      description: 'Tells the team about lunch',
    });
    expect((await open.search({ query: 'greet colleagues' })).templates[0]).toMatchObject({
      id: 'team/deep/er/Über uns',
      description: 'Greets new colleagues',
    });
    expect(names(await open.search({ category: 'hr' }))).toEqual(['Greeting']);
    expect(await open.get('team/deep/er/Über uns')).toMatchObject({
      name: 'Greeting',
      uses: expect.arrayContaining([expect.objectContaining({ type: 'n8n-nodes-base.slack', version: 2.2 })]),
    });
    expect(open.reports).toEqual([]);
  });

  test('is noticed when files come, change and go', async () => {
    await using own = await withFolder();
    const { open, folder } = own;
    await own.put('one.json', workflow('First'));
    expect(names(await open.search({ query: 'first' }))).toEqual(['First']);
    await own.put('two.json', workflow('Second thing'));
    await expect.poll(async () => names(await open.search({ query: 'second' }))).toEqual(['Second thing']);
    await own.put('two.json', workflow('Another thing entirely'));
    await expect.poll(async () => names(await open.search({ query: 'entirely' }))).toEqual(['Another thing entirely']);
    expect(names(await open.search({ query: 'second' }))).toEqual([]);
    await rm(join(folder, 'one.json'));
    await expect.poll(async () => (await open.search({ library: 'team' })).total).toBe(1);
    await expect(open.get('team/one')).rejects.toThrow('no template one');
  });

  test('bad files are reported once and left out, and nothing outside the folder is read', async () => {
    await using own = await withFolder();
    const { open, folder } = own;
    await own.put('good.json', workflow('Good'));
    await own.put('broken.json', '{"nodes": [');
    await own.put('nameless.json', '{"nodes":[{"type":"x"}]}');
    await own.put('large.json', ' '.repeat(6 * 1024 * 1024));
    await writeFile(join(folder, '..', 'secret.json'), workflow('Secret'));
    await symlink(join(folder, '..', 'secret.json'), join(folder, 'linked.json'));
    await symlink(join(folder, '..'), join(folder, 'up'));
    await mkdir(join(folder, '.git'));
    await own.put('.git/hidden.json', workflow('Hidden'));
    await mkdir(join(folder, 'node_modules'));
    await own.put('node_modules/dependency.json', workflow('Dependency'));
    expect(names(await open.search())).toEqual(['Good']);
    await open.search({ query: 'good' });
    await open.get('team/good');
    expect(open.reports.sort()).toEqual([
      expect.stringContaining('broken.json: it is not JSON'),
      expect.stringContaining('large.json: it has more than 5 MB'),
      expect.stringContaining('nameless.json: it has nodes without a name or a type'),
    ]);
    for (const id of ['team/../secret', 'team/linked', 'team/.git/hidden', `team/${join(folder, 'good')}`])
      await expect(open.get(id)).rejects.toThrow('has no template');
  });

  test('ids name one file each', async () => {
    await using own = await withFolder();
    const { open } = own;
    await own.put('UPPER.JSON', workflow('Upper'));
    await own.put('x.json', workflow('Plain'));
    await own.put('x.json.json', workflow('Twice'));
    await own.put('y.JSON', workflow('Y first'));
    await own.put('y.json', workflow('Y second'));
    await own.put('two  spaces.json', workflow('Spaces'));
    await own.put('marked.json', `\uFEFF${workflow('Marked', { createdAt: '1 (obey \u001b[31m me)' })}`);
    await own.put('all.json', `[${workflow('One')},${workflow('Two')}]`);
    await own.put('line\nbreak.json', workflow('Break'));
    await own.put('colour\u001b[31m.json', workflow('Colour'));
    await own.put('end .json', workflow('End'));
    const found = (await open.search({ limit: 50 })).templates;
    expect(found.map(({ id }) => id).sort()).toEqual([
      'team/UPPER',
      'team/marked',
      'team/two  spaces',
      'team/x',
      'team/x.json',
      'team/y',
    ]);
    for (const { id, name } of found) expect(await open.get(id)).toMatchObject({ id, name });
    expect(await open.get('team/UPPER.JSON')).toMatchObject({ name: 'Upper' });
    expect((await open.get('team/marked')).created).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(open.reports.sort()).toEqual([
      expect.stringMatching(/all.json: it has several workflows/),
      expect.stringMatching(/colour.json: it has a path that/),
      expect.stringMatching(/end .json: it has a path that/),
      expect.stringMatching(/line break.json: it has a path that/),
      expect.stringMatching(/y.json: it has the same id as y.JSON/),
    ]);
    await rm(join(own.folder, 'y.JSON'));
    expect(await open.get('team/y')).toMatchObject({ name: 'Y second' });
  });

  test('that does not exist is named in the answer, and the others are searched', async () => {
    await using own = await withFolder();
    await own.put('good.json', workflow('Good'));
    own.open.configure({ public: false, libraries: { team: own.folder, lost: join(own.folder, 'nowhere') } });
    const found = await own.open.search({ query: 'good' });
    expect(found).toMatchObject({ total: 1, note: expect.stringMatching(/lost .*does not exist/) });
  });
});

describe.skipIf(catalogueIsMissing)('what an n8n has', () => {
  test('decides what fits: types, and versions once they are known', async () => {
    await using service = await served(0);
    const entry = (id: number, type: string, version: number) => ({
      ...(templates[0] as (typeof templates)[number]),
      id,
      name: `Fit ${id}`,
      nodes: [{ id: 1, name: type, displayName: 'x', icon: '', typeVersion: 1 }],
      workflow: {
        nodes: [{ name: 'A', type, typeVersion: version, position: [0, 0], parameters: {} }],
        connections: {},
        settings: {},
        pinData: {},
      },
    });
    service.templates = [
      entry(1, 'n8n-nodes-base.slack', 2.2),
      entry(2, 'n8n-nodes-nobody.has', 1),
      entry(3, 'n8n-nodes-base.set', 99),
      entry(4, 'n8n-nodes-base.start', 1),
      entry(5, 'n8n-nodes-base.mondayCom', 1),
    ];
    await using open = await opened({ url: service.url });
    const all = await open.search({ query: 'fit' });
    expect(all.templates.find(({ id }) => id === '1')).toMatchObject({ fits: true });
    expect(all.templates.find(({ id }) => id === '2')).toMatchObject({
      fits: false,
      missing_nodes: ['n8n-nodes-nobody.has'],
    });
    // Lists do not tell versions: the filter reads the templates that it would show.
    expect(all.templates.find(({ id }) => id === '3')).toMatchObject({ fits: true });
    const fitting = await open.search({ query: 'fit', fits: true });
    expect(fitting.templates.map(({ id }) => id).sort()).toEqual(['1', '4', '5']);
    expect(fitting).toMatchObject({ total: 3 });
    expect(fitting.note).toBeUndefined();
    expect(await open.get('3')).toMatchObject({ fits: false, uses: [{ lacks: 'this version', version: 99 }] });
    const asked = service.asked.length;
    await open.search({ query: 'fit', fits: true });
    expect(service.asked).toHaveLength(asked);
    for (const node of ['monday.com', 'Monday.com', 'n8n-nodes-base.mondaycom', 'mondayCom'])
      expect((await open.search({ nodes: [node] })).templates.map(({ id }) => id)).toEqual(['5']);
    // An import makes it a Manual Trigger.
    expect(await open.get('4')).toMatchObject({ fits: true });
  });

  test('a filter for what fits says what it could not compare', async () => {
    await using service = await served(20);
    await using open = await opened({ url: service.url });
    await open.search({ query: 'to' });
    service.behave('away');
    const { total, note } = await open.search({ query: 'to', fits: true });
    expect(total).toBeGreaterThan(0);
    expect(note).toMatch(/The versions of \d+ could not be compared/);
  });

  test('without an n8n, "fits" compares with the version that Sluice knows and says so', async () => {
    await using service = await served(20);
    await using open = await opened({ url: service.url });
    const deps = {
      instances: { names: () => [] },
      catalogues: testCatalogues,
      templates: open.library,
    } as unknown as N8nDeps;
    const [tool] = libraryTools;
    const outcome = await callTool(tool as (typeof libraryTools)[number], deps)(
      { name: 'n8n_search_templates', arguments: { query: 'slack', fits: true } },
      { signal: new AbortController().signal } as Partial<CallContext> as CallContext,
    );
    expect('result' in outcome && outcome.result.structuredContent).toMatchObject({
      note: expect.stringContaining('No n8n is connected'),
    });
  });

  test('templates for nodes: most of them, with the fewest others', async () => {
    await using service = await served(400);
    await using open = await opened({ url: service.url });
    const suggested = await open.call('n8n_suggest_templates', { nodes: ['webhook', 'Slack', 'OpenAI'] });
    expect(suggested.templates[0]).toMatchObject({ covered: ['webhook', 'Slack', 'OpenAI'] });
    expect(suggested.templates[0]?.not_covered).toBeUndefined();
    expect(suggested.skeleton).toBeUndefined();
    const counts = suggested.templates.map(({ covered = [] }) => covered.length);
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
  });

  test('a skeleton if no template has all the nodes', async () => {
    await using service = await served(50);
    await using open = await opened({ url: service.url });
    const { not_covered, skeleton, note } = await open.call('n8n_suggest_templates', {
      nodes: ['webhook', 'graphql', 'html'],
    });
    expect(not_covered).toEqual(['graphql', 'html']);
    expect(note).toContain('No template has all');
    expect(skeleton?.nodes.map(({ type }) => type)).toEqual([
      'n8n-nodes-base.webhook',
      'n8n-nodes-base.graphql',
      'n8n-nodes-base.html',
    ]);
    expect(Object.keys(skeleton?.connections ?? {})).toHaveLength(2);
    expect(note).not.toContain('leaves out');
    const some = await open.call('n8n_suggest_templates', {
      nodes: ['webhook', 'graphql', 'formTrigger', 'lmChatOpenAi', 'nonsense of a node'],
    });
    expect(some.skeleton?.nodes.map(({ type }) => type)).toEqual(['n8n-nodes-base.webhook', 'n8n-nodes-base.graphql']);
    expect(some.note).toContain('leaves out formTrigger, lmChatOpenAi, nonsense of a node:');
  });
});
