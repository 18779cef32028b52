import { broken, type Case, valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'unknown-parameter';
const url = 'https://example.com';

export const cases: Case[] = [
  valid('parameters that there are', one('httpRequest', 4.2, { url, method: 'POST', options: { timeout: 1000 } })),
  broken('a slip in a name', one('httpRequest', 4.2, { url, methd: 'POST' }), [
    {
      rule,
      path: at('methd'),
      severity: 'error',
      says: '"method"',
      fixed: one('httpRequest', 4.2, { url, method: 'POST' }),
    },
  ]),
  broken('a name in another case', one('httpRequest', 4.2, { url, Method: 'POST' }), [
    { rule, path: at('Method'), severity: 'error', fixed: one('httpRequest', 4.2, { url, method: 'POST' }) },
  ]),
  broken('a slip in the name of what is required', one('httpRequest', 4.2, { urll: url }), [
    { rule: 'required-parameter', path: at('url') },
    { rule, path: at('urll'), severity: 'error', fixed: one('httpRequest', 4.2, { url }) },
  ]),
  broken('an older name of a choice', one('httpRequest', 4.2, { url, requestMethod: 'POST' }), [
    {
      rule,
      path: at('requestMethod'),
      severity: 'error',
      says: '"method"',
      fixed: one('httpRequest', 4.2, { url, method: 'POST' }),
    },
  ]),
  broken('a part of the name, and no choice of it', one('httpRequest', 4.2, { url, requestMethod: 'SHOUT' }), [
    { rule, path: at('requestMethod'), severity: 'warning' },
  ]),
  broken(
    'nothing but the parameters of an older version',
    one('set', 3.4, { values: { string: [{ name: 'a', value: 'b' }] }, options: {} }),
    [{ rule, path: at('values'), severity: 'error', says: 'assignments' }],
  ),
  broken('a name that is near to none', one('httpRequest', 4.2, { url, colourOfTheSky: 'blue' }), [
    { rule, path: at('colourOfTheSky'), severity: 'warning' },
  ]),
  broken('a name whose right one is set already', one('httpRequest', 4.2, { url, method: 'GET', methd: 'POST' }), [
    { rule, path: at('methd'), severity: 'warning' },
  ]),
  broken('a slip among the options', one('httpRequest', 4.2, { url, options: { timeuot: 1000 } }), [
    {
      rule,
      path: at('options', 'timeuot'),
      severity: 'error',
      fixed: one('httpRequest', 4.2, { url, options: { timeout: 1000 } }),
    },
  ]),
  broken(
    'a slip in a group',
    one('httpRequest', 4.2, { url, sendHeaders: true, headerParameters: { parameters: [{ nam: 'X-A', value: '1' }] } }),
    [{ rule, path: at('headerParameters', 'parameters', 0, 'nam'), says: '"name"' }],
  ),
  valid('the polling times that n8n adds', one('gmailTrigger', 1.2, { pollTimes: { item: [{ mode: 'everyHour' }] } }), {
    ...alone,
    warnings: ['missing-credential', 'wrong-input-kind'],
  }),
  valid(
    'names like those that every object has are harmless when they are fields',
    one('set', 3.4, {
      assignments: { assignments: [{ id: '1', name: 'constructor', type: 'string', value: 'a' }] },
    }),
  ),
  broken('a parameter called constructor', one('httpRequest', 4.2, { url, constructor: 'x' }), [
    { rule, path: at('constructor'), severity: 'warning' },
  ]),
  broken('a slip beside the one that was meant', one('httpRequest', 4.2, { url, method: 'GET', methd: 'POST' }), [
    { rule, path: at('methd'), severity: 'warning', says: '"method"' },
  ]),
];
