/** Steps that run workflows and call webhooks of a real n8n. */
import { stringify } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BlueprintCalls, blueprintCalls } from '../../support/blueprints.ts';
import { withoutCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { openWorkbench, reachN8n, type Workbench } from '../../support/workbench.ts';
import { chat, hook, line, make, node, picky, set } from '../../support/workflows.ts';
import { startGateway } from '../harness.ts';

interface Run {
  run: string;
  state: string;
  error?: string;
  outputs?: { result?: unknown };
  steps: { step: string; state: string; note?: string; error?: string; attempts?: number }[];
}

const called = (parameters: Record<string, unknown> = { inputSource: 'passthrough' }) =>
  node('Called', 'executeWorkflowTrigger', 1.1, parameters);
const code = (jsCode: string) => node('Code', 'code', 2, { jsCode });

describe.skipIf(n8nIsMissing)('steps in n8n', () => {
  const stack = new AsyncDisposableStack();
  let bench: Workbench;
  let blueprints: BlueprintCalls;
  let count = 0;

  beforeAll(async () => {
    const reached = await reachN8n();
    bench = stack.use(await openWorkbench([], reached));
    const { url, apiKey, owner } = reached;
    const gateway = stack.use(
      await startGateway({
        n8n: { default: { url, apiKey, ...(owner && { login: owner }) } },
        nodes: withoutCatalogue,
        bridge: { workflows: { tag: '', availableInMCP: false }, poll: '1h' },
      }),
    );
    blueprints = stack.use(await blueprintCalls(gateway));
    // The runner that steps create for sub-workflows.
    stack.defer(async () => void (await blueprints.confirmed('bridge_cleanup')));
  }, N8N_START_MS);
  afterAll(() => stack.disposeAsync(), 60_000);

  /** Deploys a blueprint of one step, whose result is its output. */
  async function ran(step: object): Promise<Run> {
    const name = `steps-${++count}`;
    const text = stringify({
      name,
      steps: [{ id: 'work', ...step }],
      outputs: { result: '${steps.work.result}' },
      on_failure: 'keep',
    });
    await blueprints.call('blueprint_save', { text });
    const { run } = await blueprints.confirmed<Run>('blueprint_deploy', { name, wait_seconds: 60 });
    return blueprints.call<Run>('blueprint_status', { run });
  }

  async function result(step: object): Promise<unknown> {
    const run = await ran(step);
    expect(run, JSON.stringify(run)).toMatchObject({ state: 'succeeded' });
    return run.outputs?.result;
  }

  const key = () => expect.stringMatching(/^steps-\d+-[0-9a-f]+:work$/) as unknown;

  describe('a workflow', () => {
    test('with a webhook is run by its name, and sees the key', async () => {
      await make(bench, 'by name', line(hook(bench.name('by-name')), set('End', '$json.body')));
      expect(await result({ workflow: bench.name('by name'), input: { order: 42 } })).toEqual({
        order: 42,
        idempotency_key: key(),
      });
    });

    test('is run by its id', async () => {
      const { id } = await make(bench, 'by id', line(hook(bench.name('by-id')), set('End', '$json.body.order')));
      const run = await ran({ workflow: id, input: { order: { size: 1 } } });
      expect(run).toMatchObject({ state: 'succeeded', outputs: { result: { size: 1 } } });
    });

    test('with a sub-workflow trigger is run through the runner', async () => {
      const { id } = await make(bench, 'called', line(called(), set('End', '$json')));
      expect(await result({ workflow: id, input: { a: [1] } })).toEqual({ a: [1], idempotency_key: key() });
    });

    test('with declared inputs gets those', async () => {
      const trigger = called({ workflowInputs: { values: [{ name: 'a', type: 'number' }] } });
      const { id } = await make(bench, 'declared', line(trigger, set('End', '$json')));
      expect(await result({ workflow: id, input: { a: 1 } })).toMatchObject({ a: 1 });
    });

    test('with a form is filled in, without a key that it has no field for', async () => {
      const form = node(
        'Form',
        'formTrigger',
        2.2,
        { formTitle: 'T', formFields: { values: [{ fieldLabel: 'Name' }] }, options: {} },
        { webhookId: crypto.randomUUID() },
      );
      const { id } = await make(bench, 'form', line(form, set('End', '({ name: $json.Name })')));
      expect(await result({ workflow: id, input: { Name: 'Ann' } })).toEqual({ name: 'Ann' });
      expect((await ran({ workflow: id, input: { Nme: 'Ann' } })).error).toContain('The form has no Nme');
    });

    test('with a chat gets the message', async () => {
      const { id } = await make(bench, 'chat', line(chat(), set('End', '({ said: $json.chatInput })')));
      expect(await result({ workflow: id, input: { chatInput: 'Hi' } })).toEqual({ said: 'Hi' });
    });

    test('that is a draft with a manual trigger is run as it is saved', async () => {
      const manual = node('Manual', 'manualTrigger', 1);
      const { id } = await make(bench, 'manual', line(manual, set('End', '({ done: true })')), { publish: false });
      expect(await result({ workflow: id, input: {} })).toEqual({ done: true });
    });

    test('that fails names the node and the reason', async () => {
      const { id } = await make(bench, 'fails', line(hook(bench.name('fails')), picky()));
      const run = await ran({ workflow: id, input: { fail: 'no money' } });
      expect(run.state).toBe('failed');
      expect(run.error).toMatch(/ended with error \(execution \d+\) at "Check": .*refused: no money/);
    });

    test('that fails in a sub-workflow does so, too', async () => {
      const { id } = await make(bench, 'fails below', line(called(), picky()));
      const run = await ran({ workflow: id, input: { fail: 'no money' } });
      expect(run.state).toBe('failed');
      expect(run.error).toContain('refused: no money');
    });

    test.each(['onReceived', 'lastNode'])('that takes longer than the step says so (%s)', async (responseMode) => {
      const wait = node('Wait', 'wait', 1.1, { amount: 20 }, { webhookId: crypto.randomUUID() });
      const trigger = hook(bench.name(`slow-${responseMode}`), { responseMode });
      const { id } = await make(bench, `slow ${responseMode}`, line(trigger, wait, set('End', '1')));
      const run = await ran({ workflow: id, input: {}, timeout: '3s' });
      expect(run.state).toBe('failed');
      expect(run.error).toMatch(/has not (ended|answered) in time\. It continues in n8n\./);
    });

    test('whose name two have is refused with their ids', async () => {
      const body = line(called(), set('End', '1'));
      const [one, two] = [await make(bench, 'twice', body), await make(bench, 'twice', body)];
      const run = await ran({ workflow: bench.name('twice'), input: {} });
      expect(run.state).toBe('failed');
      for (const { id } of [one, two]) expect(run.error).toContain(id);
    });

    test('that does not exist is named', async () => {
      expect((await ran({ workflow: bench.name('nowhere'), input: {} })).error).toContain(bench.name('nowhere'));
    });

    test('returns a list of several items', async () => {
      const items = code('return Array.from({ length: 60 }, (_, n) => ({ json: { n } }));');
      const many = await make(bench, 'many', line(called(), items));
      expect(await result({ workflow: many.id, input: {} })).toEqual(Array.from({ length: 60 }, (_, n) => ({ n })));
    });

    test('returns the items of the output that it took', async () => {
      const branch = node('Branch', 'if', 2.2, {
        conditions: {
          options: { caseSensitive: true, typeValidation: 'loose', version: 2 },
          conditions: [
            { id: 'a', leftValue: '={{ 1 }}', rightValue: 2, operator: { type: 'number', operation: 'equals' } },
          ],
          combinator: 'and',
        },
        options: {},
      });
      const { id } = await make(bench, 'branch', line(hook(bench.name('branch')), branch));
      expect(await result({ workflow: id, input: { a: 1 } })).toMatchObject({ body: { a: 1 } });
    });

    test('returns 300 KB whole, and of more only that it is too large', async () => {
      const text = code('return [{ json: { text: "x".repeat($json.size) } }];');
      const { id } = await make(bench, 'large', line(called(), text));
      const run = await ran({ workflow: id, input: { size: 300_000 } });
      expect(run).toMatchObject({ state: 'succeeded' });
      expect(JSON.stringify(run)).not.toContain('too_large');
      expect(await result({ workflow: id, input: { size: 2_000_000 } })).toEqual({
        too_large: true,
        items: 1,
        execution: expect.any(String) as string,
      });
    });

    test('whose executions are not kept returns the answer of its webhook', async () => {
      const { id } = await make(bench, 'unkept', line(hook(bench.name('unkept')), set('End', '({ a: 1 })')), {
        settings: { saveDataSuccessExecution: 'none' },
      });
      expect(await result({ workflow: id, input: {} })).toEqual({ a: 1 });
    });
  });

  describe('a webhook', () => {
    test('is called by its path, with the key in a header', async () => {
      const path = bench.name('hooked');
      const seen = set(
        'End',
        '({ key: $json.headers["idempotency-key"], team: $json.headers["x-team"], ...$json.body })',
      );
      await make(bench, 'hooked', line(hook(path), seen));
      expect(await result({ webhook: `/${path}`, headers: { 'X-Team': 'Ops' }, body: { a: 1 } })).toEqual({
        key: key(),
        team: 'Ops',
        a: 1,
      });
    });

    test('that answers with an error fails the step', async () => {
      const path = bench.name('broken');
      await make(bench, 'broken', line(hook(path), picky()));
      const run = await ran({ webhook: `/${path}`, body: { fail: 'no' } });
      expect(run.state).toBe('failed');
      expect(run.error).toContain('It answered with status 500');
    });

    test('that is not there fails the step', async () => {
      const run = await ran({ webhook: `/${bench.name('absent')}`, body: {} });
      expect(run.state).toBe('failed');
      expect(run.error).toContain('is not registered');
    });

    test('whose answer is long gives only its size', async () => {
      const path = bench.name('long');
      await make(bench, 'long', line(hook(path), set('End', '({ text: "x".repeat(10000) })')));
      expect(await result({ webhook: `/${path}`, body: {} })).toEqual({ too_large: true, bytes: expect.any(Number) });
    });
  });
});
