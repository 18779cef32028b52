import { broken, type Case, valid } from '../../case.ts';
import { at, one } from '../../one-node.ts';

const rule = 'fixed-collection-shape';
const header = { name: 'X-A', value: '1' };
const request = (headerParameters: unknown) =>
  one('httpRequest', 4.2, { url: 'https://example.com', sendHeaders: true, headerParameters });
const right = request({ parameters: [header] });

export const cases: Case[] = [
  valid('a list in its group', right),
  valid('nothing in it', request({})),
  broken(
    'values instead of a group',
    one('httpRequest', 4.2, {
      url: 'https://example.com',
      sendHeaders: true,
      headerParameters: { Accept: 'text/csv' },
    }),
    [{ rule: 'fixed-collection-shape', path: at('headerParameters', 'Accept'), severity: 'error', says: 'parameters' }],
  ),
  broken('the list without its group', request([header]), [
    { rule, path: at('headerParameters'), severity: 'error', fixed: right },
  ]),
  broken('a group that does not exist', request({ parameter: [header] }), [
    { rule, path: at('headerParameters', 'parameter'), says: '"parameters"', fixed: right },
  ]),
  broken('one object instead of a list', request({ parameters: header }), [
    { rule, path: at('headerParameters', 'parameters'), severity: 'error', fixed: right },
  ]),
  broken('a string in the list', request({ parameters: ['X-A: 1'] }), [
    { rule, path: at('headerParameters', 'parameters', 0) },
  ]),
  broken('a string instead of the object', request('X-A: 1'), [{ rule, path: at('headerParameters') }]),
  broken(
    'a string instead of the object of an option: the node runs without it',
    one('httpRequest', 4.2, { url: 'https://example.com', options: { response: { response: 'file' } } }),
    [{ rule, path: at('options', 'response', 'response'), severity: 'warning' }],
  ),
  broken(
    'a list instead of one object',
    one('httpRequest', 4.2, {
      url: 'https://example.com',
      options: { response: { response: [{ neverError: true }] } },
    }),
    [
      {
        rule,
        path: at('options', 'response', 'response'),
        fixed: one('httpRequest', 4.2, {
          url: 'https://example.com',
          options: { response: { response: { neverError: true } } },
        }),
      },
    ],
  ),
];
