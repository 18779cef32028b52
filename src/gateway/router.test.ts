import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileName, hostileObject } from '../../test/support/hostile.ts';
import type { Registered, Registry } from './registry.ts';
import { createRouter } from './router.ts';
import type { RouteRule } from './settings.ts';

const tool = (source: string, name: string) =>
  ({ name: `${source}__${name}`, source, entry: { tool: name } }) as unknown as Registered;
const [eu, us, other] = [tool('eu', 'query'), tool('us', 'query'), tool('us', 'other')] as [
  Registered,
  Registered,
  Registered,
];
const registry = { all: () => [eu, us, other] } as unknown as Registry;
const routed = (rules: RouteRule[], args?: object) =>
  createRouter(registry, () => rules)(eu, args as Record<string, unknown>);

test.each<[string, RouteRule[], object | undefined, Registered]>([
  ['no rule', [], { region: 'us' }, eu],
  ['a rule whose argument fits', [{ tool: 'eu__query', when: { region: 'us' }, to: 'us' }], { region: 'us' }, us],
  [
    'a glob over the name and the value',
    [{ tool: 'eu__*', when: { region: 'us-*' }, to: 'us' }],
    { region: 'us-west1' },
    us,
  ],
  ['a nested argument', [{ tool: 'eu__query', when: { 'target.dry': true }, to: 'us' }], { target: { dry: true } }, us],
  ['a rule without conditions', [{ tool: 'eu__query', when: {}, to: 'us' }], undefined, us],
  [
    'only one of two conditions met',
    [{ tool: 'eu__query', when: { region: 'us', n: 1 }, to: 'us' }],
    { region: 'us', n: 2 },
    eu,
  ],
  ['a number as text', [{ tool: 'eu__query', when: { n: 1 }, to: 'us' }], { n: '1' }, eu],
  ['null, which is not absence', [{ tool: 'eu__query', when: { n: null }, to: 'us' }], {}, eu],
  ['another tool', [{ tool: 'us__query', when: {}, to: 'us' }], {}, eu],
  ['a server that does not have the tool', [{ tool: 'eu__query', when: {}, to: 'nowhere' }], {}, eu],
  ['arguments absent', [{ tool: 'eu__query', when: { region: '*' }, to: 'us' }], undefined, eu],
])('%s', (_, rules, args, expected) => {
  expect(routed(rules, args)).toBe(expected);
});

test('the first rule that matches wins', () => {
  const rules = [
    { tool: 'eu__query', when: { region: 'eu' }, to: 'eu' },
    { tool: 'eu__query', when: { region: '*' }, to: 'us' },
  ];
  expect([routed(rules, { region: 'eu' }), routed(rules, { region: 'asia' })]).toEqual([eu, us]);
});

test('inherited properties are not arguments', () => {
  const rules = [{ tool: '*', when: { 'constructor.name': 'Object', toString: '*' }, to: 'us' }];
  expect(routed(rules, {})).toBe(eu);
});

test('a string that is too long to match is refused: padding must not decide where a call goes', () => {
  const rules = [{ tool: 'eu__query', when: { region: '*us*' }, to: 'us' }];
  expect(routed(rules, { region: `${'x'.repeat(65_534)}us` })).toBe(us);
  const refused = routed(rules, { region: `${'x'.repeat(65_535)}us` });
  expect(refused).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('65537 characters') });
});

test('whatever the arguments, a rule leads only to its server', () => {
  fc.assert(
    fc.property(hostileObject, hostileName, fc.oneof(hostileName, fc.constant('*?*')), (args, path, glob) => {
      const found = routed([{ tool: '*', when: { [path]: glob }, to: 'us' }], args);
      expect([eu, us]).toContain(found);
    }),
  );
});
