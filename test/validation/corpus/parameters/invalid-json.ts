import { broken, type Case, valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'invalid-json';
const post = (jsonBody: unknown) =>
  one('httpRequest', 4.2, {
    method: 'POST',
    url: 'https://example.com',
    sendBody: true,
    specifyBody: 'json',
    jsonBody,
  });
const set = (jsonOutput: unknown) => one('set', 3.4, { mode: 'raw', jsonOutput });

export const cases: Case[] = [
  valid('JSON', post('{ "a": [1, true, null] }')),
  valid('one expression for all of it', post('={{ JSON.stringify($json) }}')),
  valid(
    'expressions inside, in quotes and without',
    post('={ "a": "{{ $json.a }}", "b": {{ $json.b }}, "c": [{{ $json.c }}] }'),
  ),
  valid('an expression with its own braces', post('={ "a": {{ JSON.stringify({ b: { c: 1 } }) }} }')),
  valid('an expression that returns names and commas', post('={ "a": 1 {{ $json.more ? ", \\"b\\": 2" : "" }} }')),
  valid('data instead of a string, which this field accepts', post({ a: 1 })),
  broken('data instead of a string, which fails', set({ a: 1 }), [
    { rule, path: at('jsonOutput'), severity: 'error', says: 'an object', fixed: set('{\n  "a": 1\n}') },
  ]),
  broken('a list instead of a string', set([{ a: 1 }]), [{ rule, path: at('jsonOutput'), severity: 'error' }]),
  broken(
    'data instead of a query string',
    one('httpRequest', 4.2, { url: 'https://example.com', sendQuery: true, specifyQuery: 'json', jsonQuery: { a: 1 } }),
    [{ rule, path: at('jsonQuery'), severity: 'error' }],
  ),
  broken('an extra comma', post('{ "a": 1, }'), [{ rule, path: at('jsonBody'), severity: 'error' }]),
  broken('names without quotes', post('{ a: 1 }'), [
    { rule, path: at('jsonBody'), severity: 'error', says: 'JavaScript' },
  ]),
  broken('no end', post('{ "a": 1'), [{ rule, path: at('jsonBody'), severity: 'error' }]),
  broken('no comma between expressions', post('={ "a": {{ $json.a }} "b": 1, "c": 2 }'), [
    { rule, path: at('jsonBody'), severity: 'error' },
  ]),
  broken('an extra comma after an expression', post('={ "a": "{{ $json.a }}", }'), [
    { rule, path: at('jsonBody'), severity: 'error' },
  ]),
  broken('fixed text that is marked as an expression', post('={ "a": 1 "b": 2 }'), [
    { rule, path: at('jsonBody'), severity: 'error' },
  ]),
  broken('names without quotes, which n8n repairs', set('{ a: 1 }'), [
    { rule, path: at('jsonOutput'), severity: 'info' },
  ]),
  broken('an extra comma around expressions, which n8n repairs', set('={ a: {{ $json.a }}, }'), [
    { rule, path: at('jsonOutput'), severity: 'info' },
  ]),
  broken('text around expressions that n8n can only guess', set('={ "a": {{ $json.a }} "b" : : 1 }'), [
    { rule, path: at('jsonOutput'), severity: 'warning' },
  ]),
  valid('braces in quotes that are not an expression', set('{ "a": "{{ name }}" }')),
  broken('expressions without the "=" of the whole', post('{ "a": {{ $json.a }} }'), [
    { rule, path: at('jsonBody'), severity: 'error', says: '"="', fixed: post('={ "a": {{ $json.a }} }') },
  ]),
  broken('the same in fields set as JSON', set('{ "a": {{ $json.a }}, "b": "{{ $json.b }}" }'), [
    { rule, path: at('jsonOutput'), severity: 'error', says: '"="' },
  ]),
  broken(
    'the same in an answer',
    one('respondToWebhook', 1.1, { respondWith: 'json', responseBody: '{{ $json }}' }),
    [{ rule, path: at('responseBody'), severity: 'error', says: '"="' }],
    { groups: ['parameters', 'expressions'] },
  ),
  broken('the same in quotes, where n8n parses it', set('{ "a": "{{ $json.a }}" }'), [
    { rule: 'expression-missing-equals', path: at('jsonOutput'), severity: 'warning' },
  ]),
  broken('text that n8n cannot repair', set('{ a: '), [{ rule, path: at('jsonOutput'), severity: 'error' }]),
  broken(
    'an example for a parser',
    one('ai:outputParserStructured', 1.2, { jsonSchemaExample: '{ "a": ' }),
    [{ rule, path: at('jsonSchemaExample') }],
    alone,
  ),
];
