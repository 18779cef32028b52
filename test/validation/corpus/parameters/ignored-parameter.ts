import { broken, type Case, valid } from '../../case.ts';
import { at, one } from '../../one-node.ts';

const rule = 'ignored-parameter';
const post = (parameters: object) =>
  one('httpRequest', 4.2, { method: 'POST', url: 'https://example.com', ...parameters });

export const cases: Case[] = [
  valid('a body that is sent', post({ sendBody: true, specifyBody: 'json', jsonBody: '{"a":1}' })),
  broken('a body that is not sent', post({ jsonBody: '{"a":1}' }), [
    { rule, path: at('jsonBody'), severity: 'warning', says: 'sendBody is true' },
  ]),
  broken('headers that are not sent', post({ headerParameters: { parameters: [{ name: 'X-A', value: '1' }] } }), [
    { rule, path: at('headerParameters') },
  ]),
  valid('empty values that the editor leaves behind', post({ jsonBody: '', headerParameters: {} })),
];
