import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { callTool, connectV1, connectV2, type Json } from '../harness.ts';
import { chat, hook, line, node, set } from '../../support/workflows.ts';
import { executionOf, openRunBench, type RunBench, textOf } from '../../support/run-bench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

const called = (parameters: Json = {}) => node('In', 'executeWorkflowTrigger', 1.1, parameters);
const anything = called({ inputSource: 'passthrough' });
const typed = (...values: Json[]) => called({ inputSource: 'workflowInputs', workflowInputs: { values } });
const code = (jsCode: string) => node('Out', 'code', 2, { jsCode });
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Concurrent, because they mostly wait for n8n to publish. */
describe.skipIf(missing).concurrent('workflows as tools', { timeout: 60_000 }, () => {
  let bench: RunBench;
  let greet: string;

  beforeAll(async () => {
    bench = await openRunBench();
    ({ id: greet } = await bench.workflow(
      'greet',
      line(
        typed({ name: 'person' }, { name: 'times', type: 'number' }, { name: 'extra', type: 'any' }),
        set('Out', '({ said: "hi " + $json.person, times: $json.times })'),
      ),
    ));
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose]());

  describe('that begin with "When Executed by Another Workflow"', () => {
    test('take the inputs that their trigger declares, and return the output of their last node', async () => {
      const tool = await bench.listed(bench.tool('greet'));
      expect(tool).toMatchObject({
        title: bench.name('greet'),
        description: `Runs the n8n workflow "${bench.name('greet')}" and returns its result.`,
        inputSchema: {
          type: 'object',
          properties: { person: { type: 'string' }, times: { type: 'number' }, extra: {} },
          required: ['person', 'times'],
          additionalProperties: false,
        },
      });
      const result = await bench.call('greet', { person: 'Ann', times: 2 });
      expect(result).toMatchObject({ structuredContent: { said: 'hi Ann', times: 2 } });
      expect(JSON.parse(textOf(result))).toEqual({ said: 'hi Ann', times: 2 });
      const execution = executionOf(result);
      expect((await bench.n8n.client.executions.get(execution, false)).workflowId).toBe(greet);
    });

    test('accept a number for a text and a text for a number', async () => {
      const result = await bench.call('greet', { person: 5, times: '2' });
      expect(result).toMatchObject({ structuredContent: { said: 'hi 5', times: 2 } });
    });

    test('do not run with invalid arguments', async () => {
      const result = await bench.call('greet', { times: 'many', more: 1 });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/was not called: person is missing; times: .*number.*more/);
    });

    test('fail with the reason and the execution', async () => {
      await bench.workflow('failing', line(anything, code('throw new Error("no stock left")')));
      const result = await bench.call('failing');
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain('no stock left');
      expect(textOf(result)).toMatch(/n8n_get_execution { "id": "\d+" }/);
    });

    test('an error item is a failure', async () => {
      await bench.workflow('error item', line(anything, code('return [{ json: { error: "card refused" } }]')));
      expect(await bench.call('error item')).toMatchObject({ isError: true });
    });

    test('several items are a list; no items are reported as nothing', async () => {
      await bench.workflow(
        'many',
        line(
          typed({ name: 'n', type: 'number' }),
          code('return Array.from({ length: $json.n }, (_, i) => ({ json: { i } }))'),
        ),
      );
      expect((await bench.call('many', { n: 3 })).structuredContent).toEqual({ items: [{ i: 0 }, { i: 1 }, { i: 2 }] });
      expect(textOf(await bench.call('many', { n: 0 }))).toBe('The workflow ran and returned nothing.');
    });

    test('a JSON example defines their inputs', async () => {
      const example = JSON.stringify({ name: 'Ann', tags: ['a'], address: { zip: 1 }, note: null });
      await bench.workflow(
        'example',
        line(called({ inputSource: 'jsonExample', jsonExample: example }), set('Out', '$json')),
      );
      expect((await bench.listed(bench.tool('example')))?.inputSchema).toEqual({
        type: 'object',
        properties: {
          name: { type: 'string' },
          tags: { type: 'array', items: { type: 'string' } },
          address: { type: 'object', properties: { zip: { type: 'number' } } },
          note: {},
        },
        required: ['name', 'tags', 'address'],
        additionalProperties: false,
      });
      const args = { name: 'Bo', tags: [], address: { zip: 2 } };
      expect((await bench.call('example', args)).structuredContent).toMatchObject(args);
    });

    test('one that accepts anything accepts files and returns files', async () => {
      const pass = node('Out', 'set', 3.3, {
        mode: 'raw',
        jsonOutput: '={{ JSON.stringify({ got: $json.a, files: Object.keys($binary).sort() }) }}',
        options: { includeBinary: true },
      });
      await bench.workflow('files', line(anything, pass));
      const files = [
        { name: 'a.txt', mimeType: 'text/plain', data: Buffer.from('hello').toString('base64') },
        { name: 'dot.png', mimeType: 'image/png', data: png },
      ];
      const result = await bench.call('files', { a: { b: 1 }, files });
      expect(result.structuredContent).toEqual({ got: { b: 1 }, files: ['file_0', 'file_1'] });
      // n8n reads the parts of a form in parallel, so their order is random.
      const back = result.content.slice(1).toSorted((a, b) => String(b.type).localeCompare(String(a.type)));
      expect(back).toEqual([
        {
          type: 'resource',
          resource: {
            uri: expect.stringMatching(/^n8n:\/\/default\/workflows\/\w+\/a\.txt$/),
            mimeType: 'text/plain',
            blob: files[0]?.data,
          },
        },
        { type: 'image', data: png, mimeType: 'image/png' },
      ]);
      expect(textOf(await bench.call('files', { files: [{ name: 'x', data: '***' }] }))).toContain('not base64');
    });
  });

  describe('that begin with a webhook', () => {
    test('take the body, and return their answer', async () => {
      await bench.workflow(
        'orders',
        line(hook(bench.name('orders')), set('Out', '({ got: $json.body, trace: $json.headers.traceparent })')),
      );
      const result = await bench.call('orders', { order: 42, lines: [{ sku: 'x' }] });
      expect(result.structuredContent).toMatchObject({ got: { order: 42, lines: [{ sku: 'x' }] } });
      expect(result.structuredContent?.trace).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-0\d$/);
    });

    test('with GET take a query, and require the parameters of their path', async () => {
      const trigger = hook(`${bench.name('u')}/:user/orders/:order`, { httpMethod: 'GET' });
      await bench.workflow('path', line(trigger, set('Out', '({ params: $json.params, query: $json.query })')));
      expect((await bench.listed(bench.tool('path')))?.inputSchema).toMatchObject({ required: ['user', 'order'] });
      const result = await bench.call('path', { user: 'Zoë b', order: '7', page: 2 });
      expect(result.structuredContent).toEqual({ params: { user: 'Zoë b', order: '7' }, query: { page: '2' } });
      expect(textOf(await bench.call('path', { user: 'a/b', order: '7' }))).toContain('cannot contain "/"');
      expect(textOf(await bench.call('path', { user: 'a' }))).toContain('order is missing');
    });

    test('that answer immediately are followed to their end', async () => {
      await bench.workflow(
        'later',
        line(
          hook(bench.name('later'), { responseMode: 'onReceived' }),
          code('return [{ json: { done: $json.body.n } }]'),
        ),
      );
      const result = await bench.call('later', { n: 5 });
      expect(result.structuredContent).toEqual({ done: 5 });
      expect(result._meta).toHaveProperty(['sluice/execution', 'id']);
    });

    test('failing ones name the execution', async () => {
      await bench.workflow('hook fails', line(hook(bench.name('hf')), code('throw new Error("boom")')));
      const result = await bench.call('hook fails');
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/status 500: Error in workflow\nn8n_get_execution { "id": "\d+" }/);
    });

    test('HTML is text, an image is an image, any other file is a resource', async () => {
      const respond = (parameters: Json) => node('Say', 'respondToWebhook', 1.1, { options: {}, ...parameters });
      const answering = (path: string) => hook(bench.name(path), { responseMode: 'responseNode' });
      await bench.workflow(
        'page',
        line(answering('page'), respond({ respondWith: 'text', responseBody: '<h1>hi</h1>' })),
      );
      const binary = (mimeType: string) =>
        code(
          `return [{ json: {}, binary: { data: await this.helpers.prepareBinaryData(Buffer.from('${png}', 'base64'), 'x.bin', '${mimeType}') } }]`,
        );
      await bench.workflow('picture', line(answering('pic'), binary('image/png'), respond({ respondWith: 'binary' })));
      await bench.workflow(
        'zip',
        line(answering('zip'), binary('application/zip'), respond({ respondWith: 'binary' })),
      );
      expect((await bench.call('page')).content).toEqual([{ type: 'text', text: '<h1>hi</h1>' }]);
      expect((await bench.call('picture')).content).toEqual([{ type: 'image', data: png, mimeType: 'image/png' }]);
      expect((await bench.call('zip')).content).toMatchObject([
        { type: 'resource', resource: { mimeType: 'application/zip', blob: png } },
      ]);
    });

    test('receive files as files', async () => {
      await bench.workflow(
        'upload',
        line(
          hook(bench.name('up')),
          set('Out', '({ body: $json.body, files: Object.keys($binary), name: $binary.file_0?.fileName })'),
        ),
      );
      const result = await bench.call('upload', { note: 'x', files: [{ name: 'a.txt', data: 'aGk=' }] });
      expect(result.structuredContent).toEqual({ body: { note: 'x' }, files: ['file_0'], name: 'a.txt' });
    });
  });

  test('a form takes its fields, and returns the result of the run', async () => {
    const form = node(
      'Form',
      'formTrigger',
      2.2,
      {
        formTitle: 'Order',
        formFields: {
          values: [
            { fieldLabel: 'Your name', requiredField: true },
            { fieldLabel: 'Age', fieldType: 'number' },
            {
              fieldLabel: '颜色',
              fieldType: 'dropdown',
              fieldOptions: { values: [{ option: 'red' }, { option: 'blue' }] },
            },
            {
              fieldLabel: 'Extras',
              fieldType: 'dropdown',
              multiselect: true,
              fieldOptions: { values: [{ option: 'a' }, { option: 'b' }] },
            },
            { fieldLabel: 'Size', fieldType: 'radio', fieldOptions: { values: [{ option: 'S' }, { option: 'L' }] } },
            { fieldLabel: 'Doc', fieldType: 'file', multipleFiles: false },
          ],
        },
        options: {},
      },
      { webhookId: crypto.randomUUID() },
    );
    await bench.workflow(
      'form',
      line(form, code('return [{ json: { ...$json, submittedAt: undefined, formQueryParameters: undefined } }]')),
    );
    const tool = await bench.listed(bench.tool('form'));
    expect(tool?.inputSchema).toMatchObject({
      properties: {
        your_name: { title: 'Your name', type: 'string' },
        Age: { type: 'number' },
        field_3: { title: '颜色', enum: ['red', 'blue'] },
        Extras: { type: 'array', items: { enum: ['a', 'b'] } },
        Size: { enum: ['S', 'L'] },
        Doc: { required: ['name', 'data'] },
      },
      required: ['your_name'],
    });
    const args = {
      your_name: 'Ann',
      Age: 33,
      field_3: 'red',
      Extras: ['a', 'b'],
      Size: 'L',
      Doc: { name: 'd.txt', data: 'aGk=' },
    };
    const result = await bench.call('form', args);
    expect(result.structuredContent).toMatchObject({
      'Your name': 'Ann',
      Age: 33,
      颜色: 'red',
      Extras: ['a', 'b'],
      Size: 'L',
      Doc: { filename: 'd.txt' },
    });
    expect(result._meta).toHaveProperty(['sluice/execution', 'id']);
    expect(textOf(await bench.call('form', { your_name: 'Ann', field_3: 'green' }))).toContain('field_3');
  });

  test('a form whose items a filter discards returns nothing, and hidden fields are sent along', async () => {
    const values = [
      { fieldLabel: 'Age', fieldType: 'number' },
      { fieldType: 'hiddenField', fieldName: 'source', fieldValue: 'shop' },
      { fieldType: 'html', html: '<b>hi</b>' },
    ];
    const form = node(
      'Form',
      'formTrigger',
      2.2,
      { formTitle: 'F', formFields: { values }, options: {} },
      { webhookId: crypto.randomUUID() },
    );
    const adults = {
      options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
      conditions: [
        { id: 'a', leftValue: '={{ $json.Age }}', rightValue: 17, operator: { type: 'number', operation: 'gt' } },
      ],
      combinator: 'and',
    };
    await bench.workflow('adults', line(form, node('Filter', 'filter', 2.2, { conditions: adults, options: {} })));
    const { submittedAt, ...kept } = (await bench.call('adults', { Age: 18 })).structuredContent as Json;
    expect(typeof submittedAt).toBe('string');
    expect(kept).toEqual({ Age: 18, source: 'shop', formMode: 'production' });
    expect(textOf(await bench.call('adults', { Age: 3 }))).toContain('returned nothing');
  });

  test('a chat takes a message and replies, and a session continues', async () => {
    await bench.workflow('chat', line(chat({}), set('Out', '({ output: $json.sessionId + ": " + $json.chatInput })')));
    expect((await bench.call('chat', { message: 'hi', session_id: 's1' })).structuredContent).toEqual({
      output: 's1: hi',
    });
    expect(textOf(await bench.call('chat', { message: 'hi' }))).toMatch(/"output":"[\da-f-]{36}: hi"/);
    expect(textOf(await bench.call('chat', {}))).toContain('message is missing');
    await bench.workflow(
      'streaming',
      line(chat({ responseMode: 'streaming' }), set('Out', '({ output: "you said " + $json.chatInput })')),
    );
    expect(textOf(await bench.call('streaming', { message: 'hi' }))).toContain('you said hi');
  });

  test('a workflow receives only its arguments and the trace headers', async () => {
    await bench.workflow('bare hook', line(hook(bench.name('bare')), set('Out', '$json')));
    const hooked = (await bench.call('bare hook', { a: 1 })).structuredContent as { headers: Json };
    expect(hooked).toMatchObject({ body: { a: 1 }, query: {} });
    expect(Object.keys(hooked.headers).filter((name) => name.startsWith('x-'))).toEqual([]);
    expect(hooked.headers).toHaveProperty('traceparent');

    await bench.workflow('bare chat', line(chat(), set('Out', '$json')));
    expect((await bench.call('bare chat', { message: 'hi', session_id: 's' })).structuredContent).toEqual({
      action: 'sendMessage',
      chatInput: 'hi',
      sessionId: 's',
    });

    const fields = { values: [{ fieldLabel: 'A' }] };
    const form = node(
      'Form',
      'formTrigger',
      2.2,
      { formTitle: 'F', formFields: fields, options: {} },
      { webhookId: crypto.randomUUID() },
    );
    await bench.workflow('bare form', line(form, set('Out', '$json')));
    const filled = await bench.call('bare form', { A: 'x' });
    expect(filled.structuredContent).toMatchObject({ A: 'x' });
    expect(textOf(filled)).not.toContain('sluice');
  });

  test('clients of both eras and over SSE can call them', async () => {
    const clients = [
      await connectV1(bench.gateway),
      await connectV1(bench.gateway, { transport: 'sse' }),
      await connectV2(bench.gateway, { era: 'legacy' }),
      await connectV2(bench.gateway, { era: 'modern' }),
    ];
    for (const client of clients) {
      const result = await callTool(client, bench.tool('greet'), { person: 'Kim', times: 1 });
      expect(result.structuredContent).toEqual({ said: 'hi Kim', times: 1 });
      await client[Symbol.asyncDispose]();
    }
  });

  test('a call is recorded with its execution', async () => {
    const result = await bench.call('greet', { person: 'Eve', times: 1 });
    const id = executionOf(result);
    const { events } = await bench.gateway.stored({ type: 'tool.call_completed', limit: 50 });
    expect(events.map(({ data }) => data.execution)).toContain(id);
  });
});
