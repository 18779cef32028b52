import { broken, type Case, valid } from '../../case.ts';
import { value, withValue } from '../../expression-flow.ts';

const rule = 'expression-refused';

export const cases: Case[] = [
  valid('the word in a string', withValue('={{ "the constructor" }}')),
  broken('the constructor of something', withValue('={{ $json.constructor.name }}'), [
    { rule, path: value, severity: 'error' },
  ]),
  broken('$ without a call', withValue('={{ $.name }}'), [{ rule, path: value, severity: 'error', says: '$json' }]),
];
