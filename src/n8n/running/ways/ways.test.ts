import { describe, expect, test } from 'vitest';
import type { Json } from '../../../kernel/source.ts';
import type { Node } from '../../client/shapes.ts';
import { propertyKeys } from '../arguments/property-keys.ts';
import type { ToolCall, Unfit, Way } from '../way.ts';
import { chat as chatWay } from './chat.ts';
import { form as formWay } from './form.ts';
import { subWorkflow } from './sub-workflow.ts';
import { webhook } from './webhook.ts';

const node = (type: string, parameters: Json, more: Partial<Node> = {}): Node => ({
  name: 'In',
  type,
  typeVersion: 2,
  parameters,
  webhookId: 'hook-id',
  ...more,
});
const runner = () => ({ workflow: 'r', path: 'sluice-x', headers: { 'x-sluice-bridge': 's' } });
const target = { workflow: { id: 'w1', name: 'Orders' }, runner };

function toolOf({ outside }: Way, trigger: { node: Node; example?: unknown }): ToolCall | Unfit {
  return outside ? outside.tool(trigger, target) : { reason: 'It cannot be called.' };
}

const sub = (parameters: Json, example?: unknown, typeVersion = 1.1) =>
  toolOf(subWorkflow, { node: node('executeWorkflowTrigger', parameters, { typeVersion }), example });
const hook = (parameters: Json, example?: unknown) => toolOf(webhook, { node: node('webhook', parameters), example });

function fit(call: ToolCall | Unfit): ToolCall {
  if ('reason' in call) throw new Error(call.reason);
  return call;
}
const reason = (call: ToolCall | Unfit) => ('reason' in call ? call.reason : undefined);

describe('a sub-workflow', () => {
  test('requires what it declares, except what may be anything', () => {
    const values = [{ name: 'a' }, { name: 'b', type: 'object' }, { name: 'c', type: 'any' }, { name: '' }];
    const { schema, request } = fit(sub({ workflowInputs: { values } }));
    expect(schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'object' }, c: {} },
      required: ['a', 'b'],
      additionalProperties: false,
    });
    expect(request({ a: 'x', b: {} })).toEqual({
      method: 'POST',
      path: '/webhook/sluice-x',
      headers: { 'x-sluice-bridge': 's' },
      body: { workflowId: 'w1', inputs: { a: 'x', b: {} } },
    });
  });

  test('gets its inputs under their own names, even if models know them under others', () => {
    const { schema, request } = fit(
      sub({ workflowInputs: { values: [{ name: 'Order number' }, { name: '数量', type: 'number' }] } }),
    );
    expect(schema.properties).toEqual({
      order_number: { title: 'Order number', type: 'string' },
      field_2: { title: '数量', type: 'number' },
    });
    expect(request({ order_number: '7', field_2: 2 }).body).toMatchObject({
      inputs: { 'Order number': '7', 数量: 2 },
    });
  });

  test('of the first version, or that passes everything through, takes anything; pinned data show what it expects', () => {
    expect(fit(sub({}, undefined, 1)).schema).toMatchObject({ additionalProperties: true, properties: { files: {} } });
    const { schema } = fit(sub({ inputSource: 'passthrough' }, { city: 'Ulm', days: 3 }));
    expect(schema).toMatchObject({
      properties: { city: { type: 'string' }, days: { type: 'number' }, files: { type: 'array' } },
      additionalProperties: true,
    });
    expect(schema).not.toHaveProperty('required');
  });

  test('whose own input is called files keeps it', () => {
    const { schema, request } = fit(sub({ inputSource: 'passthrough' }, { files: ['a.txt'] }));
    expect(schema.properties).toEqual({ files: { type: 'array', items: { type: 'string' } } });
    expect(request({ files: ['b.txt'] }).body).toMatchObject({ inputs: { files: ['b.txt'] } });
  });

  test('with an example that cannot be read is not a tool', () => {
    expect(reason(sub({ inputSource: 'jsonExample', jsonExample: '{ "a": ' }))).toContain('cannot be read');
    expect(reason(sub({ inputSource: 'jsonExample', jsonExample: '[1]' }))).toContain('not an object');
  });

  test('may have inputs called __proto__ and constructor', () => {
    const { schema, request } = fit(
      sub({ workflowInputs: { values: [{ name: '__proto__' }, { name: 'constructor' }] } }),
    );
    expect(Object.keys(schema.properties as Json)).toEqual(['__proto__', 'constructor']);
    const args = JSON.parse('{"__proto__":"x","constructor":"y"}') as Json;
    expect(JSON.stringify(request(args).body)).toContain('"__proto__":"x"');
  });
});

describe('a webhook', () => {
  test('with POST takes a body', () => {
    const { schema, request, answering } = fit(hook({ path: 'a b', httpMethod: 'POST', responseMode: 'lastNode' }));
    expect(schema).toMatchObject({ additionalProperties: true });
    expect(answering).toBe('answer');
    expect(request({ a: 1 })).toEqual({
      method: 'POST',
      path: '/webhook/a%20b',
      body: { a: 1 },
    });
  });

  test('with GET takes a query', () => {
    const { request, schema } = fit(hook({ path: 'p' }, { query: { q: 'x' }, headers: { authorization: 'secret' } }));
    expect(schema.properties).toEqual({ q: { type: 'string' } });
    expect(request({ q: 'é', n: { a: 1 } })).toMatchObject({ method: 'GET', query: { q: 'é', n: '{"a":1}' } });
  });

  test('with several methods is called with one that has a body', () => {
    expect(fit(hook({ path: 'p', multipleMethods: true, httpMethod: ['GET', 'PUT'] })).request({}).method).toBe('PUT');
  });

  test('requires the parameters of its path, which cannot lead elsewhere', () => {
    const { schema, request } = fit(hook({ path: 'u/:user', httpMethod: 'DELETE' }));
    expect(schema.required).toEqual(['user']);
    expect(request({ user: 'a b' }).path).toBe('/webhook/hook-id/u/a%20b');
    for (const user of ['../x', '..', 'a/b']) expect(() => request({ user })).toThrow('part of the address');
  });

  test('says why it is not a tool if it requires a login or has no fixed path', () => {
    expect(reason(hook({ path: 'p', authentication: 'headerAuth' }))).toContain('requires headerAuth');
    expect(reason(hook({ path: '={{ $env.P }}' }))).toContain('expression');
  });

  test('that answers at once has its result in the execution, one that streams in its lines', () => {
    expect(fit(hook({ path: 'p' })).answering).toBe('execution');
    expect(fit(hook({ path: 'p', responseMode: 'streaming' })).answering).toBe('stream');
  });
});

describe('a form', () => {
  const form = (values: Json[], more: Json = {}) =>
    toolOf(formWay, { node: node('formTrigger', { formFields: { values }, ...more }) });

  test('numbers its fields as n8n does, including those it only displays', () => {
    const way = fit(
      form([
        { fieldType: 'html', html: '<b>' },
        { fieldLabel: 'Mail', fieldType: 'email', requiredField: true },
      ]),
    );
    expect(way.schema).toMatchObject({ properties: { Mail: { type: 'string', format: 'email' } }, required: ['Mail'] });
    const { body, query, path } = way.request({ Mail: 'a@b.c' });
    expect([...(body as FormData)]).toEqual([
      ['field-0', '<b>'],
      ['field-1', 'a@b.c'],
    ]);
    expect({ query, path }).toEqual({ query: undefined, path: '/form/hook-id' });
  });

  test('keeps two fields with the same name apart', () => {
    const { schema, request } = fit(form([{ fieldLabel: 'A' }, { fieldLabel: 'A' }]));
    const keys = Object.keys(schema.properties as Json);
    expect(keys).toHaveLength(2);
    expect([...(request({ [keys[1] as string]: 'x' }).body as FormData)]).toEqual([
      ['field-0', ''],
      ['field-1', 'x'],
    ]);
  });

  test('that requires a login is not a tool', () => {
    expect(reason(form([], { authentication: 'basicAuth' }))).toContain('requires basicAuth');
  });
});

describe('a chat', () => {
  const chat = (parameters: Json) => toolOf(chatWay, { node: node('chatTrigger', parameters) });

  test('is a tool only if it is public and answers once', () => {
    expect(reason(chat({}))).toContain('Make Chat Publicly Available');
    expect(reason(chat({ public: true, authentication: 'basicAuth' }))).toContain('requires basicAuth');
    expect(reason(chat({ public: true, options: { responseMode: 'responseNodes' } }))).toContain('several messages');
  });

  test('without a text says what it takes', () => {
    const open = node('chatTrigger', { public: true });
    for (const data of [undefined, {}, { chatInput: 1 }]) {
      expect(() => chatWay.outside?.request(open, data, target)).toThrow('A chat takes a text');
      expect(() => chatWay.items?.(open, data)).toThrow('A chat takes a text');
    }
  });

  test('takes files if it allows them', () => {
    expect(fit(chat({ public: true })).schema.properties).not.toHaveProperty('files');
    const { request, schema } = fit(chat({ public: true, options: { allowFileUploads: true } }));
    expect(schema.properties).toHaveProperty('files');
    const form = request({ message: 'hi', files: [{ name: 'a.txt', data: 'aGk=' }] }).body as FormData;
    expect(form.get('chatInput')).toBe('hi');
    expect((form.get('files') as File).name).toBe('a.txt');
  });
});

test('keys are legal and distinct, and legal names stay as they are', () => {
  const keys = propertyKeys(['a', 'A b', 'a_b', 'ü', '🌤', '🌧', 'x'.repeat(80), 'a b', 'a']);
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) expect(key).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
  expect(keys[0]).toBe('a');
  expect(keys[2]).toBe('a_b');
});
