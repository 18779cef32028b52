import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callTool } from '../../../src/kernel/call.ts';
import type { CallContext, Json } from '../../../src/kernel/source.ts';
import { ownerOf } from '../../../src/n8n/generate/owner.ts';
import { GENERATED_TAG, markOf } from '../../../src/n8n/generated.ts';
import { executionTools } from '../../../src/n8n/executions/tools.ts';
import { runningTools } from '../../../src/n8n/running/tools.ts';
import { createInstances } from '../../../src/n8n/instances.ts';
import { testCatalogues } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { chat, hook, line, make, node, picky, set } from '../../support/workflows.ts';
import { noTemplates, openWorkbench, type Reached, reachN8n, type Workbench } from '../../support/workbench.ts';

interface Ran {
  execution?: string;
  status: string;
  way: string;
  ran: string;
  trigger: string;
  last_node?: string;
  items?: number;
  data?: unknown[];
  error?: Json;
  note?: string;
  answer?: { status: number; body?: unknown; content_type?: string; bytes?: number; sha256?: string; file?: string };
}

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('running workflows', () => {
  let reached: Reached;
  let bench: Workbench;
  let nobody: Workbench;

  beforeAll(async () => {
    reached = await reachN8n();
    bench = await openWorkbench([...runningTools, ...executionTools], reached);
    nobody = await openWorkbench([...runningTools, ...executionTools], { url: reached.url, apiKey: reached.apiKey });
  }, N8N_START_MS);

  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
    await nobody[Symbol.asyncDispose]();
  });

  const run = (args: Json, by: Workbench = bench) => by.call<Ran>('n8n_execute_workflow', args);

  describe('by webhook', () => {
    test('a run returns the output of the last node, and its execution', async () => {
      const { id } = await make(bench, 'hooked', line(hook(bench.name('hooked')), picky()));
      const ran = await run({ id, data: { order: 42 } });
      expect(ran).toMatchObject({ way: 'webhook', ran: 'published', status: 'success', last_node: 'Check', items: 1 });
      expect(ran.data).toEqual([{ passed: { order: 42 } }]);
      expect(ran.answer).toMatchObject({ status: 200, body: { passed: { order: 42 } } });
      const found = await bench.client.executions.get(ran.execution as string, false);
      expect(found.workflowId).toBe(id);
    });

    test('a run that fails names the node, the reason and its input', async () => {
      const { id } = await make(bench, 'failing', line(hook(bench.name('failing')), picky()));
      const ran = await run({ id, data: { fail: 'no stock' } });
      expect(ran).toMatchObject({ status: 'error', last_node: 'Check' });
      expect(ran.error).toMatchObject({
        node: 'Check',
        type: 'n8n-nodes-base.code',
        message: expect.stringContaining('refused: no stock') as string,
        from: 'Hook',
        input: { body: { fail: 'no stock' } },
      });
    });

    test('a workflow gets only its data, plus the trace headers of the request', async () => {
      const names = set('End', '{ names: Object.keys($json.headers).filter((one) => /^x-|^trace/.test(one)) }');
      const { id } = await make(bench, 'bare', line(hook(bench.name('bare')), names));
      expect((await run({ id, data: {} })).data).toEqual([{ names: ['traceparent'] }]);
    });

    test('concurrent runs of one workflow each return their own execution', async () => {
      const { id } = await make(bench, 'busy', line(hook(bench.name('busy')), picky()));
      const runs = await Promise.all([1, 2, 3, 4].map((order) => run({ id, data: { order } })));
      expect(runs.map(({ data }) => data)).toEqual([1, 2, 3, 4].map((order) => [{ passed: { order } }]));
      expect(new Set(runs.map(({ execution }) => execution)).size).toBe(4);
    });

    test('a run whose webhook answers immediately is followed to its end', async () => {
      const slow = node('Pause', 'wait', 1.1, { amount: 1, unit: 'seconds' });
      const body = line(hook(bench.name('later'), { responseMode: 'onReceived' }), slow, set('End', '{ done: true }'));
      const { id } = await make(bench, 'later', body);
      const ran = await run({ id, data: {} });
      expect(ran).toMatchObject({ status: 'success', last_node: 'End', data: [{ done: true }] });
    });

    test('when the wait ends before the workflow, the answer says it is still running, and you can wait on', async () => {
      const slow = node('Pause', 'wait', 1.1, { amount: 6, unit: 'seconds' });
      const { id } = await make(bench, 'slow', line(hook(bench.name('slow')), slow, set('End', '{ done: true }')));
      const ran = await run({ id, data: {}, wait_seconds: 1 });
      expect(ran.status).toBe('running');
      expect(ran.note).toContain(`n8n_get_execution { id: "${ran.execution}", wait_seconds: 60 }`);
      const ended = await bench.call<Ran>('n8n_get_execution', { id: ran.execution as string, wait_seconds: 60 });
      expect(ended).toMatchObject({ status: 'success', data: [{ done: true }] });
    });

    test('a GET webhook gets the data as its query', async () => {
      const body = line(hook(bench.name('get'), { httpMethod: 'GET' }), set('End', '$json.query'));
      const { id } = await make(bench, 'get', body);
      expect((await run({ id, data: { a: 'b', n: 1 } })).data).toEqual([{ a: 'b', n: '1' }]);
    });

    test('a workflow that saves no executions still returns its answer', async () => {
      const body = line(hook(bench.name('unkept')), set('End', '{ done: true }'));
      const { id } = await make(bench, 'unkept', body, { settings: { saveDataSuccessExecution: 'none' } });
      const ran = await run({ id, data: {} });
      expect(ran).toMatchObject({ status: 'success', answer: { status: 200, body: { done: true } } });
      expect(ran.execution).toBeUndefined();
      expect(ran.note).toContain('kept no execution');
    });

    test('large data is shortened, with a hint how to get the rest', async () => {
      const big = node('Big', 'code', 2, {
        jsCode: 'return Array.from({length: 200}, (_, i) => ({json: {i, text: "x".repeat(500)}}));',
      });
      const { id } = await make(bench, 'big', line(hook(bench.name('big'), { responseMode: 'onReceived' }), big));
      const ran = await run({ id, data: {} });
      expect(ran.items).toBe(200);
      expect(ran.note).toContain('n8n_get_execution');
      expect(JSON.stringify(ran).length).toBeLessThan(4000);
    });
  });

  test('a chat trigger gets a text, and its answer is returned', async () => {
    const { id } = await make(bench, 'chat', line(chat(), set('Reply', '{ output: "you said " + $json.chatInput }')));
    const ran = await run({ id, data: 'hello there' });
    expect(ran).toMatchObject({ way: 'chat', status: 'success', data: [{ output: 'you said hello there' }] });
    expect(ran.answer?.body).toEqual({ output: 'you said hello there' });
    await expect(run({ id, data: { text: 'x' } })).rejects.toThrow('A chat takes a text');
  });

  describe('a form', () => {
    const options = (...all: string[]) => ({ fieldOptions: { values: all.map((option) => ({ option })) } });
    const form = (typeVersion: number, values: Json[], more: Json = {}) =>
      node(
        'Form',
        'formTrigger',
        typeVersion,
        { formTitle: 'T', formFields: { values }, options: {}, ...more },
        { webhookId: crypto.randomUUID() },
      );
    const seen = (args: Json) => run(args).then(({ data }) => data?.[0] as Json);

    test.each([2.1, 2.6])('of version %s is called at its real address, despite stray paths', async (v) => {
      const path = (where: string) => bench.name(`${where}${v}`);
      const stray = { path: path('own'), options: { path: path('in-options') } };
      const { id } = await make(
        bench,
        `addressed${v}`,
        line(form(v, [{ fieldLabel: 'Name' }], stray), set('End', '$json')),
      );
      expect(await seen({ id, data: { Name: 'Ann' } })).toMatchObject({ Name: 'Ann' });
    });

    test('is filled in by field labels, each value in the format n8n expects', async () => {
      const values = [
        { fieldLabel: 'Name', requiredField: true },
        { fieldLabel: 'Age', fieldType: 'number' },
        { fieldLabel: 'Boxes', fieldType: 'checkbox', ...options('x', 'y') },
        { fieldLabel: 'Size', fieldType: 'radio', ...options('S', 'L') },
        { fieldLabel: 'Colour', fieldType: 'dropdown', ...options('red', 'blue') },
        { fieldLabel: 'Extras', fieldType: 'dropdown', multiselect: true, ...options('a', 'b') },
        { fieldLabel: 'Day', fieldType: 'date' },
        { fieldType: 'hiddenField', fieldName: 'source', fieldValue: 'shop' },
        { fieldType: 'html', elementName: 'note', html: '<b>hi</b>' },
        { fieldType: 'html', html: '<i>only shown</i>' },
        { fieldLabel: 'Agree', fieldType: 'checkbox', ...options('I agree') },
        { fieldLabel: 'Text', fieldType: 'textarea', defaultValue: 'as usual' },
      ];
      const { id } = await make(bench, 'form', line(form(2.2, values), set('End', '$json')));
      const ran = await run({
        id,
        data: {
          Name: ' Ann ',
          Age: '33',
          Boxes: 'x',
          Size: 'L',
          Colour: 'blue',
          Extras: ['a', 'b'],
          Day: '2026-11-30T10:00:00Z',
          Agree: true,
        },
      });
      expect(ran).toMatchObject({ way: 'form', status: 'success' });
      const { submittedAt, formMode, ...data } = (ran.data as Json[])[0] as Json;
      expect([typeof submittedAt, formMode]).toEqual(['string', 'production']);
      const filled = {
        Name: 'Ann',
        Age: 33,
        Boxes: ['x'],
        Size: 'L',
        Colour: 'blue',
        Extras: ['a', 'b'],
        Day: '2026-11-30',
        source: 'shop',
        note: '<b>hi</b>',
        Agree: ['I agree'],
        Text: 'as usual',
      };
      expect(data).toEqual(filled);

      const bare = await seen({ id, data: { Name: 'Bo', source: 'mail' } });
      expect(bare).toMatchObject({ Age: null, Boxes: [], Extras: [], source: 'mail', Agree: [], Colour: '', Day: '' });

      const again = { ...filled, submittedAt, formMode: 'production' };
      const draft = await seen({ id, way: 'draft', data: again });
      expect(draft).toMatchObject({ ...filled, formMode: 'test' });

      for (const [wrong, words] of [
        [{ Age: 1 }, 'The form requires Name'],
        [{ Name: 'A', Shape: 'red' }, 'has no Shape'],
        [{ Name: 'A', Size: 'M' }, '"M" is not an option of Size. Its options: S, L.'],
        [{ Name: 'A', Size: ['S', 'L'] }, 'takes one of: S, L'],
        [{ Name: 'A', Boxes: ['x', 'z'] }, '"z" is not an option of Boxes. Its options: x, y.'],
        [{ Name: 'A', Colour: 'green' }, 'Its options: red, blue.'],
        [{ Name: 'A', Age: 'old' }, 'takes a number'],
        [{ Name: 'A', Day: 'tomorrow' }, 'a date such as 2026-11-30'],
      ] as const) {
        await expect(run({ id, data: wrong })).rejects.toThrow(words);
        await expect(run({ id, data: wrong, way: 'draft' })).rejects.toThrow(words);
      }
    });

    test('of a later version accepts field names too, and has no multi-select dropdowns', async () => {
      const values = [
        { fieldLabel: 'Your name', fieldName: 'person' },
        { fieldLabel: 'Size', fieldType: 'radio', ...options('S', 'L'), defaultValue: 'S' },
        { fieldLabel: 'One', fieldType: 'dropdown', multiselect: true, ...options('a', 'b') },
        {
          fieldLabel: 'Two',
          fieldType: 'checkbox',
          limitSelection: 'exact',
          numberOfSelections: 2,
          ...options('x', 'y', 'z'),
        },
      ];
      const { id } = await make(bench, 'form-names', line(form(2.6, values), set('End', '$json')));
      expect(await seen({ id, data: { 'Your name': 'Ann', One: 'a', Two: ['x', 'z'] } })).toMatchObject({
        person: 'Ann',
        Size: 'S',
        One: 'a',
        Two: ['x', 'z'],
      });
      expect(await seen({ id, data: { person: 'Bo', Size: 'L' } })).toMatchObject({ person: 'Bo', Size: 'L', Two: [] });
      await expect(run({ id, data: { Two: ['x'] } })).rejects.toThrow('takes exactly 2 of: x, y, z');
      await expect(run({ id, data: { One: ['a', 'b'] } })).rejects.toThrow('takes one of: a, b');
    });

    test('of the first version has another address', async () => {
      const values = [{ fieldLabel: 'Name' }];
      const first = form(1, values, { path: bench.name('form-first') });
      const { id } = await make(bench, 'form-first', line(first, set('End', '$json')));
      expect(await seen({ id, data: { Name: 'Ann' } })).toMatchObject({ Name: 'Ann' });
    });
  });

  describe('a sub-workflow', () => {
    const called = () =>
      line(
        node('When called', 'executeWorkflowTrigger', 1.1, {
          workflowInputs: { values: [{ name: 'person' }, { name: 'fail' }] },
        }),
        picky(),
      );

    test('runs as a draft with a login, and nothing is written to n8n', async () => {
      const { id } = await make(bench, 'called', called());
      const ran = await run({ id, data: { person: 'Kim' }, way: 'draft' });
      expect(ran).toMatchObject({ way: 'draft', ran: 'draft', status: 'success' });
      expect(ran.data).toEqual([{ passed: expect.objectContaining({ person: 'Kim' }) as unknown }]);
    });

    test('without a login needs the runner, which is created only on request and then reused', async () => {
      const { id, name } = await make(bench, 'runner', called());
      const owner = await ownerOf(nobody.records);
      const runners = async () =>
        (await Array.fromAsync(nobody.client.workflows.all())).filter((one) => markOf(one)?.owner === owner);
      await expect(run({ id, data: {} }, nobody)).rejects.toThrow('create_runner: true');
      expect(await runners()).toHaveLength(0);

      const ran = await run({ id, data: { person: 'Kim' }, create_runner: true }, nobody);
      expect(ran).toMatchObject({ way: 'sub-workflow', ran: 'published', status: 'success', last_node: 'Check' });
      expect(ran.data).toEqual([{ passed: expect.objectContaining({ person: 'Kim' }) as unknown }]);
      const execution = await nobody.client.executions.get(ran.execution as string, true);
      expect(execution).toMatchObject({ workflowId: id, mode: 'integrated', workflowData: { name } });
      expect((await runners())[0]?.tags?.map((tag) => tag.name)).toEqual([GENERATED_TAG]);

      const asItems = await run({ id, data: [{ json: { person: 'Lou' } }] }, nobody);
      expect(asItems.data).toEqual([{ passed: expect.objectContaining({ person: 'Lou' }) as unknown }]);
      await expect(run({ id, data: [{ person: 'Kim' }, { person: 'Lou' }] }, nobody)).rejects.toThrow(
        'one item at a time',
      );

      const again = await run({ id, data: { fail: 'no' } }, nobody);
      expect(again).toMatchObject({
        way: 'sub-workflow',
        status: 'error',
        error: { node: 'Check', message: expect.stringContaining('refused: no') as string },
      });
      await expect(run({ id, data: [{}, {}] }, nobody)).rejects.toThrow('one item at a time');
      const made = await runners();
      expect(made).toHaveLength(1);
      // The runner saves no executions: they would contain its secret header.
      const { items } = await nobody.client.executions.page({ workflowId: made[0]?.id ?? '', limit: 10 });
      expect(items).toEqual([]);

      const bare = await fetch(
        `${bench.url}/webhook/${String(made[0]?.nodes.find((one) => one.name === 'Call')?.parameters.path)}`,
        { method: 'POST' },
      );
      expect(bare.status).toBe(403);
    });

    test('by the runner: one that outlasts the wait, and one that saves no executions', async () => {
      const nap = node('Nap', 'wait', 1.1, { amount: 50, unit: 'seconds' });
      const trigger = () => node('In', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
      const slow = await make(bench, 'runner-slow', line(trigger(), nap));
      const going = await run({ id: slow.id, data: {}, create_runner: true, wait_seconds: 8 }, nobody);
      expect(going).toMatchObject({ status: 'running', execution: expect.any(String) as string });
      await bench.call('n8n_stop_execution', { id: going.execution });
      const settings = { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' };
      const quiet = await make(bench, 'runner-quiet', called(), { settings });
      expect(await run({ id: quiet.id, data: { person: 'Kim' } }, nobody)).toMatchObject({ status: 'success' });
      expect(await run({ id: quiet.id, data: { fail: 'no' } }, nobody)).toMatchObject({
        status: 'error',
        note: expect.stringContaining('refused: no') as string,
      });
    });
  });

  describe('a draft', () => {
    const manual = () => line(node('Go', 'manualTrigger', 1), picky());

    test('runs with a login, even from a manual trigger', async () => {
      const { id } = await make(bench, 'manual', manual(), { publish: false });
      expect(await run({ id, data: { a: 1 } })).toMatchObject({
        way: 'draft',
        ran: 'draft',
        trigger: 'Go',
        status: 'success',
        data: [{ passed: { a: 1 } }],
      });
    });

    test('without a login is refused; the error says what is missing and what works instead', async () => {
      const { id } = await make(bench, 'manual-nobody', manual(), { publish: false });
      await expect(run({ id }, nobody)).rejects.toThrow(/login.*Or give it a trigger that can be called from outside/s);
      const hooked = await make(bench, 'hook-nobody', line(hook(bench.name('hook-nobody')), picky()), {
        publish: false,
      });
      await expect(run({ id: hooked.id }, nobody)).rejects.toThrow('n8n_publish_workflow makes its trigger answer');
    });

    test('of a published workflow runs the saved version; its webhook runs the published one', async () => {
      const path = bench.name('both');
      const before = await make(bench, 'both', line(hook(path), set('End', '{ version: "live" }')));
      await bench.client.workflows.update(
        before.id,
        { name: before.name, ...line(before.nodes[0] as never, set('End', '{ version: "draft" }')), settings: {} },
        false,
      );
      expect(await run({ id: before.id, data: {} })).toMatchObject({ ran: 'published', data: [{ version: 'live' }] });
      expect(await run({ id: before.id, data: {}, way: 'draft' })).toMatchObject({
        ran: 'draft',
        data: [{ version: 'draft' }],
      });
    });
  });

  test('a caller gets progress on request, and cancelling the call leaves the workflow running', async () => {
    const slow = node('Pause', 'wait', 1.1, { amount: 20, unit: 'seconds' });
    const { id } = await make(bench, 'told', line(hook(bench.name('told')), slow));
    const { url, apiKey } = reached;
    const instances = createInstances({ default: { url, apiKey, timeoutMs: 30_000 } });
    const tool = runningTools.find((one) => one.name === 'n8n_execute_workflow') as (typeof runningTools)[number];
    const told: Json[] = [];
    const cancel = new AbortController();
    const context = {
      signal: cancel.signal,
      notify(_: string, params: Json) {
        told.push(params);
        if (told.length === 2) cancel.abort();
      },
    } as Partial<CallContext> as CallContext;
    const call = callTool(tool, {
      instances,
      backups: bench.backups,
      records: bench.records,
      promotions: bench.promotions,
      catalogues: testCatalogues,
      templates: noTemplates,
    });
    await expect(
      call({ name: tool.name, arguments: { id, data: {} }, _meta: { progressToken: 7 } }, context),
    ).rejects.toThrow('cancelled');
    expect(told[0]).toMatchObject({
      progressToken: 7,
      progress: 1,
      total: expect.closeTo(60, -1),
      message: expect.stringContaining('told') as string,
    });
    const { items } = await bench.client.executions.page({ workflowId: id, status: 'running' });
    expect(items).toHaveLength(1);
    await bench.call('n8n_stop_execution', { id: items[0]?.id as string });
  });

  test('an unknown workflow is an error that names the nearest', async () => {
    const { id } = await make(bench, 'nearest', line(node('Go', 'manualTrigger', 1)), { publish: false });
    await expect(run({ id: bench.name('nearst') })).rejects.toThrow(id);
    await expect(run({ id, trigger: 'Goo' })).rejects.toThrow('Did you mean Go?');
    await expect(run({ id, extra: 1 })).rejects.toThrow('extra');
  });
});
