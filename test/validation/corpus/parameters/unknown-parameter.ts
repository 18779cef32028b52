import { broken, type Case, valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'unknown-parameter';
const url = 'https://example.com';

export const cases: Case[] = [
  valid('parameters that exist', one('httpRequest', 4.2, { url, method: 'POST', options: { timeout: 1000 } })),
  broken('a typo in a name', one('httpRequest', 4.2, { url, methd: 'POST' }), [
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
  broken('a typo in the name of a required parameter', one('httpRequest', 4.2, { urll: url }), [
    { rule: 'required-parameter', path: at('url') },
    { rule, path: at('urll'), severity: 'error', fixed: one('httpRequest', 4.2, { url }) },
  ]),
  broken('an older name of an option field', one('httpRequest', 4.2, { url, requestMethod: 'POST' }), [
    {
      rule,
      path: at('requestMethod'),
      severity: 'error',
      says: '"method"',
      fixed: one('httpRequest', 4.2, { url, method: 'POST' }),
    },
  ]),
  broken(
    'a part of the name, with a value that is not an option',
    one('httpRequest', 4.2, { url, requestMethod: 'SHOUT' }),
    [{ rule, path: at('requestMethod'), severity: 'warning' }],
  ),
  broken(
    'only parameters of an older version',
    one('set', 3.4, { values: { string: [{ name: 'a', value: 'b' }] }, options: {} }),
    [{ rule, path: at('values'), severity: 'error', says: 'assignments' }],
  ),
  broken('a name unlike any parameter', one('httpRequest', 4.2, { url, colourOfTheSky: 'blue' }), [
    { rule, path: at('colourOfTheSky'), severity: 'warning' },
  ]),
  broken('a typo of a parameter that is already set', one('httpRequest', 4.2, { url, method: 'GET', methd: 'POST' }), [
    { rule, path: at('methd'), severity: 'warning' },
  ]),
  broken('a typo in the options', one('httpRequest', 4.2, { url, options: { timeuot: 1000 } }), [
    {
      rule,
      path: at('options', 'timeuot'),
      severity: 'error',
      fixed: one('httpRequest', 4.2, { url, options: { timeout: 1000 } }),
    },
  ]),
  broken(
    'a typo in a group',
    one('httpRequest', 4.2, { url, sendHeaders: true, headerParameters: { parameters: [{ nam: 'X-A', value: '1' }] } }),
    [{ rule, path: at('headerParameters', 'parameters', 0, 'nam'), says: '"name"' }],
  ),
  valid('the polling times that n8n adds', one('gmailTrigger', 1.2, { pollTimes: { item: [{ mode: 'everyHour' }] } }), {
    ...alone,
    warnings: ['missing-credential', 'wrong-input-kind'],
  }),
  valid(
    'names such as constructor as fields',
    one('set', 3.4, {
      assignments: { assignments: [{ id: '1', name: 'constructor', type: 'string', value: 'a' }] },
    }),
  ),
  broken('a parameter called constructor', one('httpRequest', 4.2, { url, constructor: 'x' }), [
    { rule, path: at('constructor'), severity: 'warning' },
  ]),
  broken('a typo next to the intended parameter', one('httpRequest', 4.2, { url, method: 'GET', methd: 'POST' }), [
    { rule, path: at('methd'), severity: 'warning', says: '"method"' },
  ]),
];
