import { broken, type Case, valid } from '../../case.ts';
import { value, withValue } from '../../expression-flow.ts';

const rule = 'unknown-name';

export const cases: Case[] = [
  valid(
    'names of JavaScript and n8n',
    withValue(
      '={{ JSON.stringify($json) }} {{ Math.max(1, 2) }} {{ DateTime.now() }} {{ new Date() }} {{ undefined }} {{ Object.keys($json) }} {{ parseInt("1") }}',
    ),
  ),
  valid('names that the expression declares', withValue('={{ $json.list.filter(({ a }, index) => a > index) }}')),
  broken('a field without its $json', withValue('={{ name.toUpperCase() }}'), [
    { rule, path: value, severity: 'warning', says: '$json.name' },
  ]),
  broken('a name that exists only in code', withValue('={{ Buffer.from($json.a).toString("base64") }}'), [
    { rule, path: value, severity: 'warning', says: 'Code node' },
  ]),
];
