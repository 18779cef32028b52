import { broken, type Case, valid } from '../../case.ts';
import { at, one } from '../../one-node.ts';

const rule = 'parameter-type';
const limit = (maxItems: unknown) => one('limit', 1, { maxItems });
const request = (sendBody: unknown) =>
  one('httpRequest', 4.2, { url: 'https://example.com', method: 'POST', sendBody });

export const cases: Case[] = [
  valid('a number', limit(5)),
  valid('a number from an expression', limit('={{ $json.count }}')),
  broken('a number as a string', limit('5'), [{ rule, path: at('maxItems'), severity: 'warning', fixed: limit(5) }]),
  broken('a string for a number', limit('many'), [{ rule, path: at('maxItems'), severity: 'error' }]),
  broken('a list for a number', limit([5]), [{ rule, path: at('maxItems'), severity: 'error' }]),
  broken('true as a string', request('true'), [
    { rule, path: at('sendBody'), severity: 'warning', fixed: request(true) },
  ]),
  broken('false as a string, which counts as true', request('false'), [
    { rule, path: at('sendBody'), severity: 'warning', says: 'counts as true' },
  ]),
  broken('a word for a boolean', request('yes'), [{ rule, path: at('sendBody'), severity: 'error' }]),
  broken('an object for a string', one('httpRequest', 4.2, { url: { href: 'https://example.com' } }), [
    { rule, path: at('url'), severity: 'error' },
  ]),
];
