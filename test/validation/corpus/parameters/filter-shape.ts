import { broken, type Case, valid } from '../../case.ts';
import { at, one } from '../../one-node.ts';

const rule = 'filter-shape';
const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
const condition = (operator: unknown, more: object = {}) => ({
  id: '1',
  leftValue: '={{ $json.a }}',
  rightValue: 'x',
  operator,
  ...more,
});
const equals = { type: 'string', operation: 'equals' };
const branch = (conditions: unknown) => one('if', 2.2, { conditions });
const of = (operator: unknown) => branch({ options, combinator: 'and', conditions: [condition(operator)] });
const place = (...names: string[]) => at('conditions', 'conditions', 0, 'operator', ...names);

export const cases: Case[] = [
  valid('a condition', of(equals)),
  valid('a condition without the keys that n8n adds', branch({ conditions: [condition(equals)] })),
  valid(
    'a condition that takes one value',
    branch({
      options,
      combinator: 'or',
      conditions: [condition({ type: 'boolean', operation: 'true', singleValue: true }, { rightValue: '' })],
    }),
  ),
  valid(
    'a rule of a switch',
    one('switch', 3.2, {
      rules: { values: [{ conditions: { options, combinator: 'and', conditions: [condition(equals)] } }] },
    }),
  ),
  broken('the format of the first version', branch({ string: [{ value1: '={{ $json.a }}', value2: 'x' }] }), [
    { rule, path: at('conditions'), severity: 'error', says: 'older version' },
  ]),
  broken('a list', branch([condition(equals)]), [{ rule, path: at('conditions') }]),
  broken('a combinator in capitals', branch({ options, combinator: 'AND', conditions: [condition(equals)] }), [
    { rule, path: at('conditions', 'combinator'), fixed: of(equals) },
  ]),
  broken('an operator as a string', of('equals'), [{ rule, path: place() }]),
  broken(
    'no operator',
    branch({ options, combinator: 'and', conditions: [{ id: '1', leftValue: 'a', rightValue: 'x' }] }),
    [{ rule, path: place() }],
  ),
  broken('a type that does not exist', of({ type: 'text', operation: 'equals' }), [
    { rule, path: place('type'), says: 'string' },
  ]),
  broken('the name from the first version', of({ type: 'string', operation: 'equal' }), [
    { rule, path: place('operation'), says: '"equals"', fixed: of(equals) },
  ]),
  broken('an operation of another type', of({ type: 'string', operation: 'gt' }), [
    { rule, path: place('operation'), says: 'number' },
  ]),
  broken('no operation', of({ type: 'string' }), [{ rule, path: place('operation') }]),
  broken('a condition that is a string', branch({ options, combinator: 'and', conditions: ['a = b'] }), [
    { rule, path: at('conditions', 'conditions', 0) },
  ]),
  broken(
    'a rule of a switch',
    one('switch', 3.2, {
      rules: {
        values: [
          {
            conditions: {
              options,
              combinator: 'and',
              conditions: [condition({ type: 'number', operation: 'larger' }, { rightValue: 1 })],
            },
          },
        ],
      },
    }),
    [{ rule, path: at('rules', 'values', 0, 'conditions', 'conditions', 0, 'operator', 'operation'), says: '"gt"' }],
  ),
];
