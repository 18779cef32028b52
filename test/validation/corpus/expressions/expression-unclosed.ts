import { broken, type Case } from '../../case.ts';
import { value, withValue } from '../../expression-flow.ts';

const rule = 'expression-unclosed';

export const cases: Case[] = [
  broken('no end', withValue('={{ $json.a'), [
    { rule, path: value, severity: 'error', fixed: withValue('={{ $json.a }}') },
  ]),
  broken('one brace instead of two', withValue('={{ $json.a }'), [
    { rule, path: value, severity: 'error', fixed: withValue('={{ $json.a }}') },
  ]),
  broken('no end before more text', withValue('=Hello {{ $json.a and welcome'), [
    { rule, path: value, severity: 'error', fixed: null, says: 'column 7' },
  ]),
];
