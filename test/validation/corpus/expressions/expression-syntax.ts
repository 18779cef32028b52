import { broken, type Case, flow, node, valid } from '../../case.ts';
import { value, withValue } from '../../expression-flow.ts';

const rule = 'expression-syntax';
const wrong = (name: string, text: string, says?: string) =>
  broken(name, withValue(text), [{ rule, path: value, severity: 'error', ...(says && { says }) }]);

export const cases: Case[] = [
  valid('a value from the data', withValue('={{ $json.name }}')),
  valid('text around two expressions', withValue('=Dear {{ $json.name }}, it is {{ $now.toISO() }}.')),
  valid('an object with a space between its braces', withValue('={{ {a: {b: 1} } }}')),
  valid('a function with a body', withValue('={{ $json.list.map((one) => { return one.name; }).join() }}')),
  valid('a function that is called right away', withValue('={{ (() => { const a = 1; return a; })() }}')),
  valid('optional members and defaults', withValue('={{ $json?.a?.[0]?.b ?? "none" }}')),
  valid('a string in backticks', withValue('={{ `Hello ${$json.name}` }}')),
  valid('a regular expression', withValue('={{ /^a{2}$/.test($json.name) }}')),
  valid('a comment', withValue('={{ /* the name */ $json.name }}')),
  valid('an expression of several lines', withValue('={{\n  $json.a\n    ? "yes"\n    : "no"\n}}')),
  valid('a semicolon at the end', withValue('={{ $json.a; }}')),
  valid('braces without meaning', withValue('=\\{{ not code }} and { "a": 1 }')),
  valid('an "=" and no expression', withValue('=just text')),
  wrong('an operator without its second half', '={{ $json.a + }}', 'ends too early'),
  wrong('a quote that is not closed', "={{ $json['a }}"),
  wrong('a quote inside quotes', "={{ $('Doesn't matter').item.json.a }}", 'column 13'),
  wrong('quotes of a word processor', '={{ $json[“a”] }}', 'straight quotes'),
  wrong('a bracket that is not closed', '={{ $json.a.slice(0, 3 }}'),
  wrong('two values in a row', '={{ $json.a $json.b }}'),
  wrong('braces that end it too early', '={{ {a: {b: 1}} }}', 'space between'),
  wrong('braces in quotes that end it too early', '={{ "}}" + $json.a }}'),
  wrong('braces inside braces', '={{ {{ $json.a }} }}', 'inside'),
  wrong('an assignment', '={{ const a = 1; a }}', 'statement'),
  wrong('a condition as a statement', '={{ if ($json.a) { 1 } }}', 'statement'),
  wrong('a return', '={{ return $json.a }}'),
  wrong('a fault in the second line', '=Hello\n{{ $json.a..b }}', 'line 2, column 12'),
  broken('extreme nesting', withValue(`={{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`), [
    { rule, path: value, severity: 'warning', says: 'too deeply' },
  ]),
  broken('two statements', withValue('={{ $json.a; $json.b }}'), [{ rule, path: value, severity: 'warning' }]),
  broken(
    'an error in a query, where "=" is not needed',
    flow(
      [
        node('Start', 'manualTrigger', 1),
        node('Query', 'postgres', 2.6, { operation: 'executeQuery', query: 'SELECT {{ $now.toISO( }}', options: {} }),
      ],
      ['Start -> Query'],
    ),
    [{ rule, path: '/nodes/1/parameters/query' }],
    { groups: ['expressions'] },
  ),
  valid(
    'an error in a hidden field',
    flow(
      [
        node('Start', 'manualTrigger', 1),
        node('Fetch', 'httpRequest', 4.2, { url: 'https://example.com', sendBody: false, jsonBody: '={{ 1 + }}' }),
      ],
      ['Start -> Fetch'],
    ),
    { groups: ['expressions'], warnings: ['ignored-parameter'] },
  ),
  valid(
    'an error in a disabled node',
    flow(
      [node('Start', 'manualTrigger', 1), node('Fetch', 'httpRequest', 4.2, { url: '={{ 1 + }}' }, { disabled: true })],
      ['Start -> Fetch'],
    ),
  ),
];
