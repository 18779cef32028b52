import { broken, type Case, valid } from '../../case.ts';
import { code, value, withCode, withValue } from '../../expression-flow.ts';

const rule = 'unknown-member';

export const cases: Case[] = [
  valid(
    'members that exist',
    withValue("={{ $('Fetch').item.json.a + $('Fetch').first().json.a + $('Fetch').all()[0].json.a }}"),
  ),
  valid('whether it has run', withValue("={{ $('Fetch').isExecuted ? $input.first().json.a : $input.params.b }}")),
  valid('its own $', withCode("const $ = (name) => ({ text: name });\nreturn [{ json: { a: $('h1').text } }];")),
  valid('an error that is caught', withCode('try { return $input.items; } catch { return []; }')),
  valid('text about it', withCode('// $input.changes is not used\nreturn $input.all();')),
  broken("a node's data at once", withValue("={{ $('Fetch').json.a }}"), [
    { rule, path: value, severity: 'error', says: '.item.json' },
  ]),
  broken('a function that is not called', withValue("={{ $('Fetch').first.json.a }}"), [
    { rule, path: value, says: '.first()' },
  ]),
  broken('a call of a member that is not a function', withValue("={{ $('Fetch').item().json.a }}"), [
    { rule, path: value, says: 'without brackets' },
  ]),
  broken('$input.json', withValue('={{ $input.json.a }}'), [{ rule, path: value, says: '$input.item.json' }]),
  broken('items in code', withCode('return $input.items;'), [{ rule, path: code, says: '"items"' }]),
];
