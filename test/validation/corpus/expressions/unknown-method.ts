import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'unknown-method';
const set = (value: string) =>
  flow(
    [
      node('Start', 'manualTrigger', 1),
      node('Keep', 'set', 3.4, {
        assignments: { assignments: [{ id: 'a', name: 'x', type: 'string', value }] },
        options: {},
      }),
    ],
    ['Start -> Keep'],
  );
const code = (jsCode: string, more = {}) =>
  flow([node('Start', 'manualTrigger', 1), node('Code', 'code', 2, { jsCode, ...more })], ['Start -> Code']);
const inSet = '/nodes/1/parameters/assignments/assignments/0/value';
const inCode = '/nodes/1/parameters/jsCode';
const [error, warning] = ['error', 'warning'] as const;

export const cases: Case[] = [
  ...[
    '$json.a.toUpperCase()',
    '$json.a.toTitleCase().removeTags()',
    '$json.list.first().name.extractEmail()',
    '$now.minus({ days: 1 }).toFormat("yyyy")',
    'DateTime.fromISO($json.a).diff($now, "days").toObject()',
    'Object.entries($json).map(([key, value]) => key + value).join()',
    '$json.a.toUppercase',
    '$json.a.toUppercase?.()',
    '({ shout: (text) => text.toUpperCase() }).shout($json.a)',
    'Math.round($json.a)',
    'new Intl.NumberFormat("de").format($json.a)',
    '$now.toISO() + $today.format("yyyy") + $now.isWeekend() + DateTime.now().startOf("week").toMillis()',
    '$now.toJSDate().toISOString()',
    'new Date($json.a).toISOString()',
    '$now.diff($today).toFormat("hh")',
    '$json.a.matchAll(/x/g).toArray().at(-1)',
  ].map((expression) => valid(`sound: ${expression}`, set(`={{ ${expression} }}`))),
  broken('other capitals', set('={{ $json.a.toUppercase() }}'), [
    {
      rule,
      path: inSet,
      severity: error,
      says: 'Did you mean .toUpperCase()?',
      fixed: set('={{ $json.a.toUpperCase() }}'),
    },
  ]),
  broken('a typo', set('=Hello {{ $json.a.extractEmial() }}'), [
    { rule, path: inSet, severity: error, says: '.extractEmail()', fixed: null },
  ]),
  broken('after ?., which returns nothing either way', set('={{ $json.a?.tolowercase() }}'), [
    { rule, path: inSet, severity: error },
  ]),
  broken('of a constructor', set('={{ JSON.stringfy($json) }}'), [{ rule, path: inSet, severity: error }]),
  broken('in a branch', set('={{ $json.a ? $json.a.toUppercase() : "" }}'), [{ rule, path: inSet, severity: warning }]),
  broken('in a function, which may not be called', set('={{ $json.list.map((one) => one.tolowerCase()) }}'), [
    { rule, path: inSet, severity: warning },
  ]),
  broken('a name unlike any method', set('={{ $json.a.capitalizeWords() }}'), [
    { rule, path: inSet, severity: warning, fixed: null },
  ]),

  broken('a method of Date that a Luxon date does not have', set('={{ $now.toISOString() }}'), [
    { rule, path: inSet, severity: error, says: '.toISO()', fixed: null },
  ]),
  broken('a method of Moment', set('={{ DateTime.fromISO($json.a).plus({ days: 1 }).subtract(1, "day") }}'), [
    { rule, path: inSet, severity: error, says: '.minus(' },
  ]),
  broken('an unknown method of $today', set('={{ $today.addDays(1) }}'), [
    { rule, path: inSet, severity: error, says: '.plus(' },
  ]),
  broken('a typo in a method of a date', set('={{ $now.toISODatee() }}'), [
    { rule, path: inSet, severity: error, says: '.toISODate()' },
  ]),
  broken('of a date, in a branch', set('={{ $json.a ? $now.getTime() : "" }}'), [
    { rule, path: inSet, severity: warning },
  ]),
  broken('of a date, in code', code('return [{ json: { a: $now.toISOString() } }];'), [
    { rule, path: inCode, severity: error, says: 'the node fails' },
  ]),
  broken(
    'after a try block',
    code('let a = {}; try { a = JSON.parse($json.a); } catch {}\nreturn [{ json: { a: $json.b.toUppercase() } }];'),
    [{ rule, path: inCode, severity: error }],
  ),

  valid('code with its own methods', code('const it = { toUppercase() {} }; it.toUppercase(); return [];')),
  valid('code in a try block', code('try { $json.a.toUppercase(); } catch {} return [];')),
  valid('an unknown object', code('return [{ json: { a: $json.client.fetchEverything() } }];')),
  valid('the helpers', code('return [{ json: await this.helpers.httpRequst({ url: "https://example.com" }) }];')),
  broken('in code', code('return [{ json: { a: $json.a.toUppercase() } }];'), [
    {
      rule,
      path: inCode,
      severity: error,
      says: 'the node fails',
      fixed: code('return [{ json: { a: $json.a.toUpperCase() } }];'),
    },
  ]),
  broken('for every item', code('return $input.all().map((item) => ({ json: { a: item.json.a.trimm() } }));'), [
    { rule, path: inCode, severity: error, says: '.trim()' },
  ]),
  broken('in code that may not be reached', code('if ($json.a) $json.a.toUppercase(); return [];'), [
    { rule, path: inCode, severity: warning },
  ]),
  broken('a method that exists only in expressions', code('return [{ json: { a: $json.a.toTitleCase() } }];'), [
    { rule, path: inCode, severity: error, says: 'only in expressions' },
  ]),
];
