import { expect, it } from 'vitest';
import type { Principal } from '../../kernel/principal.ts';
import { transportFor } from './principal-template.ts';
import type { Transport } from '../transport.ts';

const ana: Principal = { id: 'k1', name: 'Ana', scopes: 'all', attributes: { email: 'ana@example.com' } };
const http = (headers: Record<string, string>): Transport => ({ kind: 'http', url: 'https://far.example', headers });

it('a transport without templates stays the same object', () => {
  const plain = http({ 'X-A': '${OTHER} $principal.id ${principal}' });
  expect(transportFor(plain, ana, false)).toBe(plain);
});

it.each([
  ['${principal.id}', 'k1'],
  ['Bearer ${principal.name}/${principal.attributes.email}', 'Bearer Ana/ana@example.com'],
  ['${principal.attributes.team:-none}', 'none'],
  ['${principal.attributes.team:-}', ''],
  ['${principal.attributes.constructor:-none}', 'none'],
])('%s becomes %s', (template, expected) => {
  expect(transportFor(http({ 'X-A': template }), ana, false)).toEqual(http({ 'X-A': expected }));
});

it('without a name, the id is used', () => {
  const nameless: Principal = { id: 'k2', scopes: 'all' };
  expect(transportFor(http({ a: '${principal.name}' }), nameless, false)).toEqual(http({ a: 'k2' }));
});

it('a missing value is an error for a caller, and empty for the owner', () => {
  const wanted = http({ a: '${principal.attributes.team}' });
  expect(() => transportFor(wanted, ana, false)).toThrow('principal.attributes.team');
  expect(transportFor(wanted, ana, true)).toEqual(http({ a: '' }));
});

it('a value is not expanded again, and cannot end a header or an argument', () => {
  const sly: Principal = { id: '${principal.name}\r\n\0', name: '${principal.id}\r\n', scopes: 'all' };
  expect(transportFor(http({ a: '${principal.id}' }), sly, false)).toEqual(http({ a: '${principal.name}%0D%0A%00' }));
  const stdio = (text: string): Transport => ({ kind: 'stdio', command: 'c', args: [text], env: { A: text } });
  expect(transportFor(stdio('${principal.name}'), sly, false)).toEqual(stdio('${principal.id}\r\n'));
  expect(() => transportFor(stdio('${principal.id}'), sly, false)).toThrow('zero byte');
});

it('two callers never look the same to a server', () => {
  const alike = [
    'ad\u00e1',
    'ad%C3%A1',
    'ad%25C3%25A1',
    ' ad\u00e1',
    'ad\u00e1 ',
    'ada',
    'ada ',
    '  ada',
    'ada\0',
    'ada%00',
  ];
  const told = alike.map((id) => {
    const transport = transportFor(http({ a: '${principal.id}' }), { id, scopes: 'all' }, false);
    return transport.kind === 'http' && transport.headers.a?.trim();
  });
  expect(new Set(told).size).toBe(alike.length);
});
