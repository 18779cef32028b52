import { broken, type Case } from '../../case.ts';
import { code, value, withCode, withValue } from '../../expression-flow.ts';

const rule = 'expression-too-long';

export const cases: Case[] = [
  broken('an expression that nobody reads', withValue(`={{ 1${' + 1'.repeat(20_000)} }}`), [
    { rule, path: value, severity: 'info' },
  ]),
  broken('code that nobody reads', withCode(`${'x();\n'.repeat(120_000)}return [];`), [
    { rule, path: code, severity: 'info' },
  ]),
];
