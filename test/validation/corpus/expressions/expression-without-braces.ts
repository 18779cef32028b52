import { broken, type Case, valid } from '../../case.ts';
import { value, withValue } from '../../expression-flow.ts';

const rule = 'expression-without-braces';
const right = withValue('={{ $json.user.name }}');

export const cases: Case[] = [
  valid('an expression', right),
  valid('a price', withValue('$100')),
  valid('text about it', withValue('Write $json.name there')),
  broken('nothing but the name', withValue('$json.user.name'), [
    { rule, path: value, severity: 'error', fixed: right },
  ]),
  broken('only an equals sign', withValue('=$json.user.name'), [{ rule, path: value, fixed: right }]),
  broken('single braces', withValue('={ $json.user.name }'), [{ rule, path: value, fixed: right }]),
  broken('another node', withValue("=$('Fetch').item.json.a"), [
    { rule, path: value, fixed: withValue("={{ $('Fetch').item.json.a }}") },
  ]),
];
