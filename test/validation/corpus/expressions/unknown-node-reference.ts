import { broken, type Case, valid } from '../../case.ts';
import { code, value, withCode, withValue } from '../../expression-flow.ts';

const rule = 'unknown-node-reference';

export const cases: Case[] = [
  valid(
    'nodes that exist',
    withValue('={{ $("Fetch").item.json.a }} {{ $node["Start"].json.b }} {{ $node.Fetch.json.c }}'),
  ),
  valid('the node before, without a name', withValue("={{ $('').first().json.a }}")),
  valid('a name that is known only at run time', withValue('={{ $($json.node).first().json.a }}')),
  valid(
    'an HTML parser called $',
    withCode(
      "const load = (page) => (name) => ({ text: () => page + name });\nconst $ = load($input.first().json.page);\nreturn [{ json: { title: $('h1').text() } }];",
    ),
  ),
  broken('a node that is gone', withValue("={{ $('Webhook').item.json.a }}"), [
    { rule, path: value, severity: 'error', says: 'Webhook', fixed: null },
  ]),
  broken('other capitals', withValue("={{ $('fetch').item.json.a }}"), [
    { rule, path: value, says: '"Fetch"', fixed: withValue('={{ $("Fetch").item.json.a }}') },
  ]),
  broken('a typo', withValue('=x {{ $node["Fetsh"].json.a }} y'), [
    { rule, path: value, says: '"Fetch"', fixed: withValue('=x {{ $node["Fetch"].json.a }} y') },
  ]),
  broken('a typo without quotes', withValue('={{ $node.Fetsh.json.a }}'), [
    { rule, path: value, fixed: withValue('={{ $node["Fetch"].json.a }}') },
  ]),
  broken('$node', withValue("={{ $items('Gone elsewhere')[0].json.a }}"), [{ rule, path: value }]),
  broken('in an object', withValue('={{ { a: $("Gone elsewhere").first().json.a } }}'), [
    { rule, path: value, says: 'column 11' },
  ]),
  broken('in code', withCode("return $('Gone elsewhere').all();"), [{ rule, path: code, severity: 'error' }]),
  broken('in code that catches it', withCode("try { return $('Gone elsewhere').all(); } catch { return []; }"), [
    { rule, path: code, severity: 'warning' },
  ]),
  broken(
    'in Python',
    withCode('', { language: 'python', pythonCode: 'return _("Gone elsewhere").all()' }),
    [{ rule, path: '/nodes/1/parameters/pythonCode' }],
    { groups: ['expressions'] },
  ),
];
