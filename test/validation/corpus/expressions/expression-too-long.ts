import { broken, type Case } from '../../case.ts';
import { code, value, withCode, withValue } from '../../expression-flow.ts';

const rule = 'expression-too-long';

export const cases: Case[] = [
  broken('a very long expression', withValue(`={{ 1${' + 1'.repeat(20_000)} }}`), [
    { rule, path: value, severity: 'info' },
  ]),
  broken('very long code', withCode(`${'x();\n'.repeat(120_000)}return [];`), [{ rule, path: code, severity: 'info' }]),
];
