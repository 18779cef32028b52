import { broken, type Case, valid } from '../../case.ts';
import { code, withCode } from '../../expression-flow.ts';

const rule = 'expression-in-code';

export const cases: Case[] = [
  valid("somebody else's template", withCode("return [{ json: { text: 'Dear {{ name }}' } }];")),
  valid('a comment about it', withCode('// like {{ $json.a }}\nreturn $input.all();')),
  broken('a string that n8n does not evaluate', withCode('return [{ json: { text: "Hello {{ $json.name }}" } }];'), [
    { rule, path: code, severity: 'warning' },
  ]),
];
