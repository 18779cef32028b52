/** The validation tools, and validation before every write, on a real n8n. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/kernel/source.ts';
import { n8nTools } from '../../../src/n8n/own-source.ts';
import { catalogueIsMissing } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { flow, node } from '../../validation/case.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

interface Judged extends Json {
  valid: boolean;
  counts: { error: number; warning: number; info: number };
  findings: { rule: string; severity: string; node?: string; path: string; message: string }[];
  cursor?: string;
}

interface Made extends Json {
  workflow: { id: string; active: boolean; version: string };
  validation?: { errors: number; warnings: number; findings: { rule: string; path: string; new?: boolean }[] };
}

const hook = (path: string) =>
  node('In', 'webhook', 2, { path, httpMethod: 'POST' }, { webhookId: crypto.randomUUID() });
const fetch = (parameters: Json = { url: 'https://example.com' }, more: Json = {}) =>
  node('Fetch', 'httpRequest', 4.2, parameters, more);

describe.skipIf(n8nIsMissing ?? catalogueIsMissing)('validation, on a real n8n', () => {
  let bench: Workbench;

  beforeAll(async () => {
    bench = await openWorkbench(n8nTools);
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose]());

  const rules = ({ findings }: Pick<Judged, 'findings'>) => findings.map(({ rule }) => rule);
  const judge = (args: Json, tool = 'n8n_validate_workflow') => bench.call<Judged>(tool, args);
  /** Creates a workflow without validation, so that there is something to find. */
  const put = async (name: string, nodes: ReturnType<typeof node>[], arrows: string[] = []) => {
    const { connections, nodes: placed } = flow(nodes, arrows);
    const made = await bench.client.workflows.create({
      name: bench.name(name),
      nodes: placed as never,
      connections,
      settings: { executionOrder: 'v1' },
    });
    return made.id;
  };

  describe('validating', () => {
    test('a valid workflow read from n8n has no findings, for every purpose', async () => {
      const id = await put('sound', [hook(bench.name('sound')), fetch()], ['In -> Fetch']);
      for (const purpose of ['save', 'run', 'publish']) {
        expect(await judge({ id, purpose })).toMatchObject({ valid: true, purpose });
        for (const tool of [
          'n8n_validate_workflow_structure',
          'n8n_validate_expressions',
          'n8n_validate_credentials',
        ]) {
          expect((await judge({ id, purpose }, tool)).findings).toEqual([]);
        }
      }
    });

    test('by id and as JSON the findings are the same', async () => {
      const nodes = [hook(bench.name('same')), fetch({ url: 'https://example.com', method: 'FETCH' })];
      const id = await put('same', nodes, ['In -> Fetch']);
      const byId = await judge({ id });
      expect(byId).toMatchObject({ valid: false, workflow: { id }, catalogue: { n8n: expect.any(String) } });
      expect(byId.findings).toContainEqual(
        expect.objectContaining({ rule: 'unknown-option', node: 'Fetch', path: '/nodes/1/parameters/method' }),
      );
      const workflow = { ...flow(nodes, ['In -> Fetch']), name: bench.name('same') };
      for (const given of [workflow, JSON.stringify(workflow), { workflow }]) {
        const errors = (await judge({ workflow: given })).findings.filter(({ severity }) => severity === 'error');
        expect(errors).toEqual(byId.findings.filter(({ severity }) => severity === 'error'));
      }
    });

    test('publishing reports the path of another live webhook as a clash', async () => {
      const path = bench.name('clash');
      const live = await put('first', [hook(path)]);
      await bench.call('n8n_publish_workflow', { id: live, validate: 'off' });
      const second = flow([hook(path)]);
      const { findings } = await judge({ workflow: second, purpose: 'publish' });
      expect(findings.find(({ path: place }) => place.startsWith('/nodes/0'))?.message).toContain(bench.name('first'));
      // It does not clash with itself.
      expect(rules(await judge({ id: live, purpose: 'publish' }))).toEqual([]);
      await bench.call('n8n_unpublish_workflow', { id: live });
    });

    test('a missing credential is reported', async () => {
      const credentials = { httpHeaderAuth: { id: 'nosuchcredential', name: 'Gone' } };
      const parameters = {
        url: 'https://example.com',
        authentication: 'genericCredentialType',
        genericAuthType: 'httpHeaderAuth',
      };
      const id = await put('gone', [hook(bench.name('gone')), fetch(parameters, { credentials })], ['In -> Fetch']);
      const { findings } = await judge({ id }, 'n8n_validate_credentials');
      expect(findings.map(({ node: name }) => name)).toEqual(['Fetch']);
    });

    test('references to missing workflows and data tables are reported', async () => {
      const draft = await put('draft', [node('In', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' })]);
      const by = (value: string) => ({ __rl: true, mode: 'id', value });
      const calls = (id: string) =>
        flow(
          [
            hook(bench.name('calls')),
            node('Call', 'executeWorkflow', 1.2, { workflowId: by(id) }),
            node('Rows', 'dataTable', 1, { operation: 'get', dataTableId: by('gone'), returnAll: true }),
          ],
          ['In -> Call', 'Call -> Rows'],
          { settings: { errorWorkflow: 'gone' } },
        );
      const found = async (id: string, purpose: string) =>
        (await judge({ workflow: calls(id), purpose })).findings
          .filter(({ rule }) => /workflow$|table$/.test(rule))
          .map(({ rule, severity }) => `${severity} ${rule}`);
      const [gone, later] = ['error unknown-data-table', 'warning unknown-error-workflow'];
      expect((await found('gone', 'run')).sort()).toEqual([gone, 'error unknown-sub-workflow', later]);
      expect((await found(draft, 'run')).sort()).toEqual([gone, later]);
      expect((await found(draft, 'publish')).sort()).toEqual([gone, 'error unpublished-sub-workflow', later]);
      const call = node('Call', 'executeWorkflow', 1.2, { workflowId: by(draft) });
      const id = await put('calls', [hook(bench.name('calls')), call], ['In -> Call']);
      await expect(bench.call('n8n_publish_workflow', { id })).rejects.toThrow(/which is not published/);
      await bench.call('n8n_publish_workflow', { id: draft });
      await bench.call('n8n_publish_workflow', { id });
      const all = await bench.call<{ workflows: { id: string }[] }>('n8n_validate_instance', {
        rule: 'unpublished-sub-workflow',
        limit: 200,
      });
      expect(all.workflows.map((one) => one.id)).not.toContain(id);
      await bench.call('n8n_unpublish_workflow', { id: draft });
      const now = await bench.call<{ workflows: { id: string }[] }>('n8n_validate_instance', {
        rule: 'unpublished-sub-workflow',
        limit: 200,
      });
      expect(now.workflows.map((one) => one.id)).toContain(id);
      await bench.call('n8n_unpublish_workflow', { id });
    });

    test('each tool applies only its own rules', async () => {
      const workflow = flow([hook('x'), fetch({ url: '={{ $json. }}', method: 'FETCH' })], ['In -> Fetch']);
      expect(rules(await judge({ workflow }, 'n8n_validate_workflow_structure'))).toContain('unknown-option');
      expect(rules(await judge({ workflow }, 'n8n_validate_expressions'))).not.toContain('unknown-option');
      for (const tool of ['n8n_lint_workflow', 'n8n_suggest_improvements']) {
        expect((await judge({ workflow }, tool)).counts.error).toBe(0);
      }
    });

    test('findings come page by page, each once, errors first', async () => {
      const nodes = Array.from({ length: 60 }, (_, index) => ({
        ...fetch({ url: 'https://example.com', method: 'FETCH', odd: 1 }),
        name: `Fetch ${index}`,
      }));
      const workflow = flow([hook('x'), ...nodes]);
      const seen: Judged['findings'] = [];
      let cursor: string | undefined;
      do {
        const page = await judge({ workflow, ...(cursor !== undefined && { cursor }) });
        expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(8192);
        seen.push(...page.findings);
        ({ cursor } = page);
      } while (cursor !== undefined);
      const { counts } = await judge({ workflow, limit: 1 });
      expect(seen).toHaveLength(counts.error + counts.warning + counts.info);
      expect(new Set(seen.map(({ rule, path }) => `${rule} ${path}`)).size).toBe(seen.length);
      const order = seen.map(({ severity }) => ['error', 'warning', 'info'].indexOf(severity));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      await expect(judge({ workflow: flow([]), cursor: 'x' })).rejects.toThrow(/cursor/);
    });

    test.each<[string, unknown]>([
      ['nothing', null],
      ['text', 'no JSON at all'],
      ['a list', [1, 2]],
      ['a number', 5],
      ['null nodes', { nodes: null, connections: null }],
      ['nodes that are null', { nodes: [null, 5, 'x', []], connections: { a: null } }],
      [
        'names like properties of Object',
        JSON.parse('{"nodes":[{"name":"__proto__","type":"constructor"}],"connections":{"__proto__":{}}}'),
      ],
    ])('%s gets an answer with findings', async (_, workflow) => {
      for (const { name } of n8nTools.filter(({ tags }) => tags?.includes('validation'))) {
        if (name === 'n8n_validate_instance') continue;
        const args = name === 'n8n_validate_node' ? { node: workflow } : { workflow };
        const { valid, findings, left } = (await bench.call(name, args)) as Judged & { left?: Judged['findings'] };
        if (/structure|workflow$/.test(name) && !/lint/.test(name)) {
          expect(valid).toBe(false);
          expect(findings ?? left).not.toEqual([]);
        }
      }
    });

    test.each<[string, Json, RegExp]>([
      ['n8n_validate_workflow', {}, /either the "id" of a workflow in n8n or the "workflow"/],
      ['n8n_validate_workflow', { id: 'x', workflow: {} }, /not both/],
      ['n8n_validate_workflow', { id: 'nosuchworkflow' }, /No workflow nosuchworkflow/],
      ['n8n_validate_workflow', { workflow: {}, purpose: 'fun' }, /purpose/],
      ['n8n_validate_workflow', { workflow: {}, instance: 'mars' }, /There is no n8n mars/],
      ['n8n_fix_workflow', { id: 'nosuchworkflow' }, /No workflow nosuchworkflow/],
      ['n8n_validate_instance', { instance: 'mars' }, /There is no n8n mars/],
    ])('%s %j says what to do', async (tool, args, words) => {
      await expect(bench.call(tool, args)).rejects.toThrow(words);
    });
  });

  test('a single node is validated alone; its references are assumed to exist', async () => {
    const parameters = { url: "={{ $('Somewhere else').item.json.url }}", method: 'FETCH' };
    const one = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters };
    const { findings, valid } = await judge({ node: one }, 'n8n_validate_node');
    expect(valid).toBe(false);
    expect(findings.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['unknown-option /parameters/method']);
    const sound = { ...one, parameters: { ...parameters, method: 'POST' } };
    expect(await judge({ node: JSON.stringify(sound) }, 'n8n_validate_node')).toMatchObject({
      valid: true,
      findings: [],
    });
    const unknown = await judge({ node: { type: 'n8n-nodes-base.httpRequst', parameters: {} } }, 'n8n_validate_node');
    expect(unknown.findings).toContainEqual(expect.objectContaining({ rule: 'unknown-node-type', path: '/type' }));
  });

  test('a whole n8n: counts per rule, and the worst workflows', async () => {
    const bad = await put('worst', [hook(bench.name('worst')), fetch({ url: 'https://example.com', method: 'FETCH' })]);
    const whole = await bench.call<{
      checked: number;
      valid: number;
      rules: { rule: string }[];
      workflows: { id: string }[];
    }>('n8n_validate_instance', { rule: 'unknown-option', limit: 200 });
    expect(whole.rules.map(({ rule }) => rule)).toEqual(['unknown-option']);
    expect(whole.workflows.map(({ id }) => id)).toContain(bad);
    expect(whole.checked).toBeGreaterThan(whole.valid);
  });

  describe('fixing', () => {
    test('a fix that changes behaviour is applied only if its rule is named', async () => {
      const workflow = flow(
        [hook('x'), fetch({ url: 'https://example.com', onError: 'stopWorkflow' })],
        ['In -> Fetch'],
      );
      const rule = 'misplaced-node-setting';
      const left = await bench.call('n8n_fix_workflow', { workflow });
      const changes = '"onError" takes effect.';
      const offered = expect.objectContaining({ rule, fix: expect.objectContaining({ safe: false, changes }) });
      expect(left).toMatchObject({ fixes: 0, left: expect.arrayContaining([offered]) });
      expect(await bench.call('n8n_fix_workflow', { workflow, also: [rule] })).toMatchObject({ fixes: 1, valid: true });
      await expect(bench.call('n8n_fix_workflow', { workflow, also: ['misplaced-node-seting'] })).rejects.toThrow(
        /Did you mean misplaced-node-setting\?/,
      );
    });

    const misplaced = () => fetch({ url: 'https://example.com', notes: 'lost' }, { notes: 'kept' });

    test('by id saves a draft after a backup, and shows what changed', async () => {
      const id = await put('fixable', [hook(bench.name('fixable')), misplaced()], ['In -> Fetch']);
      const before = await bench.client.workflows.get(id);
      const dry = await bench.call('n8n_fix_workflow', { id, dry_run: true });
      expect(dry).toMatchObject({
        valid: true,
        fixes: 1,
        changes: ['~ node "Fetch": parameters.notes removed (was "lost")'],
      });
      expect(await bench.client.workflows.get(id)).toEqual(before);
      const done = await bench.call('n8n_fix_workflow', { id });
      expect(done).toMatchObject({
        valid: true,
        fixes: 1,
        changes: dry.changes,
        outcome: { backup: expect.any(String) },
      });
      expect((await bench.client.workflows.get(id)).nodes[1]?.parameters).toEqual({ url: 'https://example.com' });
      expect(await bench.call('n8n_fix_workflow', { id })).toMatchObject({ fixes: 0, changes: [] });
    });

    test('as JSON returns the patch or the whole workflow', async () => {
      const workflow = flow([hook('x'), misplaced()], ['In -> Fetch']);
      const patch = [{ op: 'remove', path: '/nodes/1/parameters/notes' }];
      expect(await bench.call('n8n_fix_workflow', { workflow })).toMatchObject({ patch, fixes: 1 });
      const { workflow: fixed } = await bench.call<{ workflow: Json }>('n8n_fix_workflow', { workflow, full: true });
      expect(await judge({ workflow: fixed })).toMatchObject({ valid: true });
    });

    test('an outdated version is not fixed', async () => {
      const id = await put('other version', [hook(bench.name('other')), misplaced()]);
      const asked = { id, expected_version: crypto.randomUUID() };
      await expect(bench.call('n8n_fix_workflow', asked)).rejects.toThrow(/somebody changed it/);
    });
  });

  describe('before a write', () => {
    const faulty = (name: string) => [hook(bench.name(name)), fetch({ url: 'https://example.com', method: 'FETCH' })];

    /** Nodes in the form that the tools accept. */
    const create = (name: string, nodes: object[], more: Json = {}) =>
      bench.call<Made>('n8n_create_workflow', {
        name: bench.name(name),
        nodes,
        connections: { In: { main: [[{ node: 'Fetch', type: 'main', index: 0 }]] } },
        ...more,
      });
    const named = async (name: string) =>
      (await Array.fromAsync(bench.client.workflows.all({ name: bench.name(name) }))).length;

    test('a new workflow with an error is not created, unless the call allows it', async () => {
      await expect(create('refused', faulty('refused'), { publish: true })).rejects.toThrow(
        /unknown-option at \/nodes\/1\/parameters\/method.*"validate": "warn"/s,
      );
      expect(await named('refused')).toBe(0);
      const made = await create('allowed', faulty('allowed'), { publish: true, validate: 'warn' });
      expect(made.validation).toMatchObject({ errors: 1, findings: [{ rule: 'unknown-option' }] });
      expect((await create('unseen', faulty('unseen'), { validate: 'off' })).validation).toBeUndefined();
    });

    test('an already broken workflow can be edited, but a new error is refused', async () => {
      const id = await put('broken', faulty('broken'), ['In -> Fetch']);
      const edit = (operations: Json[], more: Json = {}) =>
        bench.call<{ edited: Made[] }>('n8n_edit_workflow', { id, operations, ...more });
      const { edited } = await edit([
        { op: 'rename_node', node: 'Fetch', to: 'Get' },
        { op: 'set_parameter', node: 'Get', path: 'url', value: 'https://example.org' },
      ]);
      expect(edited[0]?.validation?.findings.every((one) => one.new !== true)).toBe(true);
      const broken = [{ op: 'connect', from: 'Get', to: 'Get', output: 7 }];
      const before = await bench.client.workflows.get(id);
      await expect(edit(broken, { publish: true })).rejects.toThrow(/nothing was saved/);
      expect(await bench.client.workflows.get(id)).toEqual(before);
      const thought = await edit(broken, { publish: true, dry_run: true });
      expect(thought.edited[0]?.validation?.errors).toBeGreaterThan(0);
    });

    test('a broken workflow is not published, unless it is already live with the same errors', async () => {
      const id = await put('publish', faulty('publish'), ['In -> Fetch']);
      const activate = (more: Json = {}) => bench.call<Made>('n8n_publish_workflow', { id, ...more });
      await expect(activate()).rejects.toThrow(/nothing was published/);
      expect((await bench.client.workflows.get(id)).active).toBe(false);
      expect((await activate({ validate: 'warn' })).validation).toMatchObject({ errors: 1 });
      const again = await bench.call<Made>('n8n_update_workflow', { id, name: bench.name('renamed'), publish: true });
      expect(again.validation).toMatchObject({ errors: 1, findings: [{ rule: 'unknown-option' }] });
    });

    test('an update and a restore are validated too', async () => {
      const id = await put('restored', faulty('restored'), ['In -> Fetch']);
      const { nodes, connections } = flow([hook(bench.name('restored')), fetch()], ['In -> Fetch']);
      await bench.call('n8n_update_workflow', { id, nodes, connections });
      const worse = flow(faulty('restored'), ['In -> Fetch']);
      await expect(bench.call('n8n_update_workflow', { id, nodes: worse.nodes, publish: true })).rejects.toThrow(
        /nothing was saved/,
      );
      const restore = (more: Json) => bench.call<Made>('n8n_restore_workflow', { workflow: id, ...more });
      await expect(restore({ publish: true })).rejects.toThrow(/nothing was restored/);
      expect((await restore({ validate: 'warn' })).workflow.id).toBe(id);
    });
  });
});
