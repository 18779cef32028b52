import { broken, type Case, valid } from '../../case.ts';
import { value, withValue } from '../../expression-flow.ts';

const rule = 'expression-stray-braces';

export const cases: Case[] = [
  valid('two expressions', withValue('={{ $json.a }}{{ $json.b }}')),
  valid('JSON around expressions', withValue('={"a": {"b": {{ $json.a }}}}')),
  valid('CSS', withValue('=@media print { p { color: {{ $json.a }} }}')),
  valid('braces behind a backslash within one', withValue('={{ "a\\}}" + $json.a }} b')),
  broken('too many closing braces', withValue('={{ $json.a }} }}'), [
    { rule, path: value, severity: 'error', says: 'column 15' },
  ]),
  broken('closing braces before the first', withValue('=Hello }} {{ $json.a }}'), [{ rule, path: value }]),
  broken('closing and opening ones', withValue('={{ $json.a }} }}{{'), [{ rule, path: value }]),
  broken('opening braces at the very end', withValue('={{ $json.a }} {{'), [{ rule, path: value, says: '{{' }]),
  broken('an expression that ends too early, with its rest', withValue('={{ {a: {b: 1}} }}'), [
    { rule: 'expression-syntax', path: value },
  ]),
];
