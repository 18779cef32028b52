import { broken, type Case, valid } from '../../case.ts';
import { value, withValue } from '../../expression-flow.ts';

const rule = 'unknown-name';

export const cases: Case[] = [
  valid(
    'what JavaScript and n8n have',
    withValue(
      '={{ JSON.stringify($json) }} {{ Math.max(1, 2) }} {{ DateTime.now() }} {{ new Date() }} {{ undefined }} {{ Object.keys($json) }} {{ parseInt("1") }}',
    ),
  ),
  valid('what it declares itself', withValue('={{ $json.list.filter(({ a }, index) => a > index) }}')),
  broken('a field without its $json', withValue('={{ name.toUpperCase() }}'), [
    { rule, path: value, severity: 'warning', says: '$json.name' },
  ]),
  broken('what only code has', withValue('={{ Buffer.from($json.a).toString("base64") }}'), [
    { rule, path: value, severity: 'warning', says: 'Code node' },
  ]),
];
