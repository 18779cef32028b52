import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/kernel/errors.ts';
import type { AnyTool } from '../../../src/kernel/tool.ts';
import { backupTools } from '../../../src/n8n/backups/tools.ts';
import type { N8nClient } from '../../../src/n8n/client/client.ts';
import type { Node } from '../../../src/n8n/client/shapes.ts';
import { runningTools } from '../../../src/n8n/running/tools.ts';
import type { ImportReport } from '../../../src/n8n/templates/import/report.ts';
import type { Template } from '../../../src/n8n/templates/template.ts';
import { templateTools } from '../../../src/n8n/templates/tools.ts';
import type { N8nDeps } from '../../../src/n8n/tool.ts';
import { workflowTools } from '../../../src/n8n/workflows/tools.ts';
import { limitedKey } from '../../support/limited-key.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { noTemplates, openWorkbench, type Reached, reachN8n, type Workbench } from '../../support/workbench.ts';

type Report = ImportReport & { workflow: { id: string } };

/** Templates in memory. */
const library = new Map<string, Template>();

const templates = {
  async get(id: string) {
    const found = library.get(id);
    if (!found) throw new AppError('not_found', `No template ${id}.`);
    return found;
  },
};

/** Called before each creation of a workflow; may throw. */
let beforeCreate: (name: string) => void = () => {};
let beforeDelete: () => void = () => {};
/** Called after each creation of a workflow, before the answer arrives. */
let afterCreate: () => void = () => {};

/** The tools with the templates above and a client that can be made to fail. */
const tools = templateTools.map((tool): AnyTool<N8nDeps> => {
  const { run } = tool as unknown as { run(given: unknown, deps: N8nDeps, ...more: unknown[]): Promise<unknown> };
  const get = (deps: N8nDeps, name: string | undefined): N8nClient => {
    const client = deps.instances.get(name);
    return {
      ...client,
      workflows: {
        ...client.workflows,
        async create(body, signal) {
          beforeCreate(body.name);
          const made = await client.workflows.create(body, signal);
          afterCreate();
          return made;
        },
        async delete(id, signal) {
          beforeDelete();
          return client.workflows.delete(id, signal);
        },
      },
    };
  };
  return {
    ...tool,
    run: (given: unknown, deps: N8nDeps, ...more: unknown[]) =>
      run(
        given,
        {
          ...deps,
          templates: { ...noTemplates, ...templates },
          instances: { ...deps.instances, get: (name) => get(deps, name) },
        },
        ...more,
      ),
  };
});

const node = (name: string, type: string, typeVersion: number, parameters = {}, more: Partial<Node> = {}): Node => ({
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion,
  position: [0, 0],
  parameters,
  ...more,
});

const line = (...names: string[]) =>
  Object.fromEntries(
    names.slice(1).map((to, index) => [names[index] as string, { main: [[{ node: to, type: 'main', index: 0 }]] }]),
  );

const call = (name: string, value: string) =>
  node(name, 'executeWorkflow', 1.2, {
    workflowId: { __rl: true, mode: 'list', value, cachedResultName: value },
    workflowInputs: { mappingMode: 'defineBelow', value: {} },
  });

const sub = () => node('When called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
const manual = () => node('Start', 'manualTrigger', 1);
const answering = (value: string) =>
  node('Answer', 'set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ answer: value }) });

describe.skipIf(n8nIsMissing)('importing templates, on a real n8n', () => {
  let bench: Workbench;
  let reached: Reached;
  const credentials: string[] = [];

  beforeAll(async () => {
    reached = await reachN8n();
    bench = await openWorkbench([...tools, ...workflowTools, ...backupTools, ...runningTools], reached);
  }, N8N_START_MS);

  afterAll(async () => {
    for (const id of credentials) await bench.client.credentials.delete(id);
    await bench[Symbol.asyncDispose]();
  });

  function add(
    path: string,
    nodes: readonly Node[],
    connections = {},
    more: Partial<Template['workflow']> = {},
  ): string {
    const [name = ''] = path.split('/').slice(-1);
    const id = `ours/${bench.name(path)}`;
    library.set(id, {
      id,
      name: bench.name(name),
      library: 'ours',
      nodes: nodes.map(({ type }) => type),
      workflow: { nodes, connections, ...more },
    });
    return id;
  }

  const importing = (args: Record<string, unknown>) => bench.call<Report>('n8n_import_template', args);

  async function credential(name: string, type = 'httpHeaderAuth'): Promise<string> {
    const data = type === 'httpHeaderAuth' ? { name: 'X-Test', value: 'x' } : { user: 'u', password: 'p' };
    const { id } = await bench.client.credentials.create({ name: bench.name(name), type, data });
    credentials.push(id);
    return id;
  }

  async function workflows(): Promise<string[]> {
    return (await Array.fromAsync(bench.client.workflows.all()))
      .filter(({ name }) => name.startsWith(bench.name('')))
      .map(({ id }) => id);
  }

  /** The refusal of a call that must change nothing. */
  async function refused(args: Record<string, unknown>): Promise<string> {
    const before = await workflows();
    const error = await importing(args).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(await workflows()).toEqual(before);
    if (!error) throw new Error('It was imported.');
    return error.message;
  }

  it('imports a webhook with its sub-workflow, and both run', async () => {
    const inner = bench.name('Charge card');
    add('Charge card', [sub(), answering('charged')], line('When called', 'Answer'));
    const id = add(
      'Shop',
      [
        node('Hook', 'webhook', 2, { path: 'shop', responseMode: 'lastNode' }, { id: 'a', webhookId: 'shop-hook' }),
        call('Charge', inner),
      ],
      line('Hook', 'Charge'),
      { pinData: { Hook: [{ json: { private: true } }] }, settings: { timezone: 'Europe/Berlin', nonsense: 1 } },
    );
    const report = await importing({ id });
    expect(report).toMatchObject({
      workflow: { name: bench.name('Shop'), active: false, nodes: 2 },
      also: [{ name: inner }],
      dropped: ['settings.nonsense', 'pinned data of a node'],
      note: expect.stringContaining('publish them first'),
    });
    expect(report.to_fill).toBeUndefined();
    const made = await bench.client.workflows.get(report.workflow.id);
    const [hook, charge] = made.nodes;
    expect(hook?.parameters.path).toMatch(/^shop-[0-9a-f]{8}$/);
    expect([hook?.id, hook?.webhookId]).not.toContain('a');
    expect(hook?.webhookId).not.toBe('shop-hook');
    expect(charge?.parameters.workflowId).toMatchObject({ value: report.also?.[0]?.id, cachedResultName: inner });
    expect(made.settings).toMatchObject({ timezone: 'Europe/Berlin' });
    expect(made.pinData ?? {}).toEqual({});
    const { backups } = await bench.call<{ backups: { id: string }[] }>('n8n_list_backups', { workflow: made.id });
    expect(backups.map((one) => one.id)).toEqual([report.backup]);

    await bench.call('n8n_publish_workflow', { id: report.also?.[0]?.id });
    await bench.call('n8n_publish_workflow', { id: made.id });
    const run = await bench.call<{ status: string; output?: unknown }>('n8n_execute_workflow', { id: made.id });
    expect(JSON.stringify(run)).toContain('charged');
    expect(run.status).toBe('success');
  }, 60_000);

  it('connects workflows that call each other in a circle, and themselves', async () => {
    const [ping, pong] = [bench.name('Ping'), bench.name('Pong')];
    const id = add('Ping', [sub(), call('To pong', pong), call('To myself', ping)]);
    add('pong.json', [sub(), call('To ping', ping)], {}, { settings: { errorWorkflow: ping } });
    // The file has another name than the workflow: it is found by its slug.
    const file = library.get(`ours/${bench.name('pong.json')}`) as Template;
    library.delete(file.id);
    library.set(`ours/${pong.toLowerCase()}.json`, { ...file, id: `ours/${pong.toLowerCase()}.json`, name: pong });
    const { workflow, also } = await importing({ id });
    const [main, other] = await Promise.all(
      [workflow.id, also?.[0]?.id ?? ''].map((one) => bench.client.workflows.get(one)),
    );
    const called = (nodes: Node[] = []) =>
      nodes.slice(1).map(({ parameters }) => (parameters.workflowId as { value: string }).value);
    expect(also).toHaveLength(1);
    expect(called(main?.nodes)).toEqual([other?.id, main?.id]);
    expect(called(other?.nodes)).toEqual([main?.id]);
    expect(other?.settings?.errorWorkflow).toBe(main?.id);
  });

  it('uses workflows and data tables of the same name, and lists what is missing', async () => {
    const here = await bench.client.workflows.create({
      name: bench.name('Existing'),
      nodes: [sub()],
      connections: {},
      settings: {},
    });
    const { workflow, to_fill, note } = await importing({
      workflow: {
        name: bench.name('Caller'),
        nodes: [
          manual(),
          call('By name', here.name),
          call('Unknown', 'nobody-knows-it'),
          node('Rows', 'dataTable', 1, {
            dataTableId: { __rl: true, mode: 'list', value: 'dt1', cachedResultName: 'No such table' },
          }),
          node('Set', 'set', 3.4, { mode: 'raw', jsonOutput: '={{ $vars.greeting }}' }),
        ],
        connections: {},
        settings: { errorWorkflow: 'foreign-id' },
      },
    });
    const made = await bench.client.workflows.get(workflow.id);
    expect(made.nodes[1]?.parameters.workflowId).toMatchObject({ value: here.id });
    expect(made.nodes[2]?.parameters.workflowId).toMatchObject({ value: '' });
    expect(made.nodes[3]?.parameters.dataTableId).toMatchObject({ value: '' });
    expect(made.settings?.errorWorkflow ?? 'DEFAULT').toBe('DEFAULT');
    expect(to_fill?.map(({ what, node: at, name }) => [what, at, name])).toEqual([
      ['error workflow', undefined, 'foreign-id'],
      ['sub-workflow', 'Unknown', 'nobody-knows-it'],
      ['data table', 'Rows', 'No such table'],
      ['variable', 'Set', 'greeting'],
    ]);
    expect(note).toContain('variables');
    const mapped = await importing({
      workflow: { name: bench.name('Mapped'), nodes: [sub(), call('Unknown', 'nobody-knows-it')], connections: {} },
      sub_workflows: { 'nobody-knows-it': here.id },
    });
    expect((await bench.client.workflows.get(mapped.workflow.id)).nodes[1]?.parameters.workflowId).toMatchObject({
      value: here.id,
      cachedResultName: here.name,
    });
  });

  it('connects credentials: as told, by type and name, as the only one, or not at all', async () => {
    const bot = await credential('Bot');
    const other = await credential('Other');
    const basic = await credential('Only basic', 'httpBasicAuth');
    const http = (name: string, auth: string, given?: string): Node =>
      node(
        name,
        'httpRequest',
        4.2,
        { url: 'https://api.acme.com', authentication: 'genericCredentialType', genericAuthType: auth },
        given === undefined ? {} : { credentials: { [auth]: { id: 'foreign', name: given } } },
      );
    const nodes = [
      manual(),
      http('Same name', 'httpHeaderAuth', bench.name('Bot')),
      http('Unknown', 'httpHeaderAuth', 'Somebody else'),
      http('None given', 'httpHeaderAuth'),
      http('Only', 'httpBasicAuth', 'Their login'),
    ];
    const workflow = { name: bench.name('Auth'), nodes, connections: {} };
    const used = async (report: Report) =>
      (await bench.client.workflows.get(report.workflow.id)).nodes
        .slice(1)
        .map(({ credentials: held = {} }) => Object.values(held).map(({ id }) => id ?? null));

    const plain = await importing({ workflow });
    // Even if it is the only one: the template says where an HTTP request goes.
    expect(await used(plain)).toEqual([[bot], [null], [], [null]]);
    expect(plain.credentials?.[0]).toEqual({
      node: 'Same name',
      type: 'httpHeaderAuth',
      used: { id: bot, name: bench.name('Bot') },
      why: 'same type and name',
    });
    expect(plain.to_fill?.slice(0, 2)).toMatchObject([
      { what: 'credential', node: 'Unknown', type: 'httpHeaderAuth', name: 'Somebody else' },
      { what: 'credential', node: 'None given', type: 'httpHeaderAuth' },
    ]);
    expect(plain.to_fill?.[0]?.candidates?.length).toBeGreaterThan(1);

    const told = await importing({
      workflow,
      credentials: {
        httpHeaderAuth: other,
        'httpHeaderAuth/Somebody else': bench.name('Bot'),
        httpBasicAuth: bench.name('Only basic'),
      },
    });
    expect(await used(told)).toEqual([[other], [bot], [other], [basic]]);
    expect(told.to_fill).toBeUndefined();

    const wrong = (mapping: Record<string, string>) => refused({ workflow, credentials: mapping });
    expect(await wrong({ httpHeaderAuth: basic })).toContain('has the type httpBasicAuth');
    expect(await wrong({ httpHeaderAuth: bench.name('Bott') })).toContain(`Did you mean "${bench.name('Bot')}"`);
    expect(await wrong({ slackApi: bot })).toContain('the template has no "slackApi"');
    await credential('Bot');
    expect(await wrong({ httpHeaderAuth: bench.name('Bot') })).toContain('2 credentials');
  });

  it('asks a key that may not list credentials to fill them', async () => {
    const { apiKey } = await limitedKey(reached, ['workflow:create', 'workflow:read', 'workflow:list', 'tag:list']);
    await using limited = await openWorkbench(tools, { ...reached, apiKey }, {}, bench);
    const nodes = [
      manual(),
      node('Call', 'httpRequest', 4.2, {
        url: 'https://api.acme.com',
        authentication: 'genericCredentialType',
        genericAuthType: 'httpDigestAuth',
      }),
    ];
    const report = await limited.call<Report>('n8n_import_template', {
      workflow: { name: bench.name('Limited'), description: 'What it is for', nodes, connections: {} },
    });
    expect(report.to_fill).toMatchObject([{ what: 'credential', node: 'Call', type: 'httpDigestAuth' }]);
    // n8n takes a description only in an update.
    expect(report.note).toContain('without its description');
  });

  it('refuses nodes and versions that are not here, unless told otherwise', async () => {
    const workflow = {
      name: bench.name('Foreign'),
      nodes: [
        manual(),
        { ...node('Scrape', 'x', 1), type: '@acme/n8n-nodes-scraper.scraper' },
        node('Typo', 'httpRequst', 4.2),
        node('Future', 'httpRequest', 99, { url: 'https://api.acme.com' }),
        node('Old start', 'start', 1),
      ],
      connections: {},
    };
    const message = await refused({ workflow });
    expect(message).toContain('Install the community package @acme/n8n-nodes-scraper');
    expect(message).toContain('n8n-nodes-base.httpRequest');
    expect(message).toMatch(/"Future" is version 99 .* this n8n goes up to/);
    expect(message).not.toContain('Old start');

    const before = await workflows();
    const dry = await importing({ workflow, dry_run: true });
    expect(await workflows()).toEqual(before);
    expect(dry.workflow.id).toBeUndefined();
    expect(dry).toMatchObject({
      missing_nodes: [
        { type: '@acme/n8n-nodes-scraper.scraper', nodes: ['Scrape'], package: '@acme/n8n-nodes-scraper' },
        { type: 'n8n-nodes-base.httpRequst', nodes: ['Typo'] },
      ],
      unknown_versions: [{ node: 'Future', version: 99 }],
      versions: [{ node: 'Old start', was: 'n8n-nodes-base.start', from: 1, to: 1 }],
      note: expect.stringContaining('would be refused'),
    });

    const { workflow: made } = await importing({ workflow, missing_nodes: 'import' });
    const { nodes } = await bench.client.workflows.get(made.id);
    expect(nodes.map(({ type, typeVersion }) => [type, typeVersion])).toEqual([
      ['n8n-nodes-base.manualTrigger', 1],
      ['@acme/n8n-nodes-scraper.scraper', 1],
      ['n8n-nodes-base.httpRequst', 4.2],
      ['n8n-nodes-base.httpRequest', 99],
      ['n8n-nodes-base.manualTrigger', 1],
    ]);
  });

  it('raises a version that never existed only if the validator agrees', async () => {
    const url = 'https://api.acme.com';
    const fits = {
      name: bench.name('Raised'),
      nodes: [manual(), node('Fits', 'httpRequest', 4.05, { url })],
      connections: {},
    };
    const report = await importing({ workflow: fits });
    expect(report.versions).toEqual([{ node: 'Fits', from: 4.05, to: 4.1 }]);
    const doubtful = node('Doubtful', 'httpRequest', 4.05, { url, noSuchParameter: 1 });
    expect(await refused({ workflow: { ...fits, nodes: [manual(), doubtful] } })).toContain(
      'does not fit the next one',
    );
  });

  it('refuses validation errors, but not values that are left to fill in', async () => {
    const http = (url: string) => ({
      name: bench.name('Open'),
      nodes: [manual(), node('Call', 'httpRequest', 4.2, { url })],
      connections: line('Start', 'Call'),
    });
    expect((await importing({ workflow: http('https://<your host>/api') })).to_fill).toEqual([
      { what: 'value', node: 'Call', name: 'url', how: expect.stringContaining('placeholder') },
    ]);
    const broken = http('nonsense');
    expect(await refused({ workflow: broken })).toContain('invalid-url');
    expect((await importing({ workflow: broken, validate: 'warn' })).validation?.errors).toBe(1);
  });

  it('leaves out connections that lead nowhere, and names notes', async () => {
    const note = { type: 'n8n-nodes-base.stickyNote', typeVersion: 1, position: [0, 0], parameters: { content: 'Hi' } };
    const { workflow, dropped } = await importing({
      workflow: JSON.stringify({
        name: bench.name('Loose'),
        nodes: [manual(), answering('x'), note, note],
        connections: { ...line('Start', 'Gone'), ...line('Ghost', 'Answer') },
      }),
    });
    const { nodes } = await bench.client.workflows.get(workflow.id);
    expect(nodes.map(({ name }) => name)).toEqual(['Start', 'Answer', 'Sticky Note1', 'Sticky Note2']);
    expect(dropped).toEqual([
      'connection of "Start" to "Gone", which the template lacks',
      'connections of "Ghost", which the template lacks',
    ]);
  });

  it('leaves nothing behind if something fails in the middle', async () => {
    const inner = bench.name('Inner');
    add('Inner', [sub()]);
    const id = add('Outer', [manual(), call('Call', inner)], line('Start', 'Call'));
    const before = await workflows();
    const failing = (message: string) => {
      let count = 0;
      beforeCreate = () => {
        if (++count === 2) throw new AppError('forbidden', message);
      };
    };
    try {
      failing('n8n is full.');
      const message = await refused({ id });
      expect(message).toContain(`stopped at "${bench.name('Outer')}", 1 of 2 workflows were created: n8n is full.`);
      expect(message).toContain('Nothing is left of it.');

      failing('n8n is full.');
      beforeDelete = () => {
        throw new AppError('forbidden', 'No.');
      };
      const error = await importing({ id }).catch((thrown: Error) => thrown.message);
      const left = (await workflows()).filter((one) => !before.includes(one));
      expect(left).toHaveLength(1);
      expect(error).toContain(`(${left[0]})`);
    } finally {
      beforeCreate = () => {};
      beforeDelete = () => {};
    }
    afterCreate = () => {
      afterCreate = () => {};
      throw new AppError('timeout', 'n8n did not answer.');
    };
    const { workflow, also } = await importing({ id });
    expect((await workflows()).filter((one) => !before.includes(one))).toEqual(
      expect.arrayContaining([workflow.id, also?.[0]?.id]),
    );
    bench.failing = true;
    try {
      expect(await refused({ id })).toContain('disk is full');
    } finally {
      bench.failing = false;
    }
    const stop = new AbortController();
    beforeCreate = () => stop.abort();
    try {
      const now = await workflows();
      await expect(bench.call('n8n_import_template', { id }, stop.signal)).rejects.toThrow('cancelled');
      expect(await workflows()).toEqual(now);
    } finally {
      beforeCreate = () => {};
    }
  });

  it('refuses bad input and changes nothing', async () => {
    expect(await refused({})).toContain('one of them');
    expect(await refused({ id: '1', workflow: { nodes: [], connections: {} } })).toContain('one of them');
    expect(await refused({ id: 'ours/none' })).toContain('No template ours/none');
    expect(await refused({ workflow: 'not json' })).toContain('not a workflow that n8n can save');
    expect(await refused({ workflow: { nodes: [{ type: 'n8n-nodes-base.set' }], connections: {} } })).toContain(
      'nodes.0.name',
    );
    const nodes = [manual(), manual()];
    expect(await refused({ workflow: { name: 'x', nodes, connections: {} } })).toContain(
      'Two nodes are called "Start"',
    );
    expect(await refused({ workflow: { name: 'x', nodes: [manual()] }, tags: ['no-such-tag'] })).toContain('No tag');
    expect(await refused({ workflow: { name: 'x', nodes: [manual()] }, sub_workflows: { a: 'b' } })).toContain(
      'No workflow b',
    );
    const many = Array.from({ length: 25 }, (_, index) => {
      add(`Many ${index}`, [sub(), call('Next', bench.name(`Many ${index + 1}`))]);
      return `ours/${bench.name(`Many ${index}`)}`;
    });
    expect(await refused({ id: many[0] })).toContain('more than 19 workflows');
    const outside = { ...call('Out', '../../etc/passwd') };
    const id = add('Out', [manual(), outside]);
    expect((await importing({ id })).to_fill).toMatchObject([{ what: 'sub-workflow', name: '../../etc/passwd' }]);
  });

  it('keeps a long report within a reply, and says so when names repeat', async () => {
    const nodes = Array.from({ length: 300 }, (_, index) =>
      node(`Send a message to the team number ${index}`, 'slack', 2.3, { select: 'channel', text: 'Hi' }),
    );
    const workflow = { name: bench.name('Large'), nodes: [manual(), ...nodes], connections: {} };
    const report = await importing({ workflow, pin_data: true });
    expect(JSON.stringify(report).length).toBeLessThan(4100);
    expect(report.note).toMatch(/Not shown: \d+ of 300 to_fill/);
    expect((await importing({ workflow: { ...workflow, nodes: [manual()] } })).note).toContain(
      'another workflow called',
    );
  });
});
