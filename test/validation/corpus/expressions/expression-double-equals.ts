import { broken, type Case, valid } from '../../case.ts';
import { value, withValue } from '../../expression-flow.ts';

const rule = 'expression-double-equals';

export const cases: Case[] = [
  valid('one', withValue('={{ $json.a }}')),
  valid('a formula with an expression in it', withValue('==SUM(A1:A{{ $json.rows }})')),
  valid('a comparison', withValue('={{ $json.a == 1 }}')),
  broken('two', withValue('=={{ $json.a }}'), [
    { rule, path: value, severity: 'warning', fixed: withValue('={{ $json.a }}') },
  ]),
  broken('two, and a space', withValue('== {{ $json.a }} and more'), [{ rule, path: value }]),
];
