import { broken, type Case, valid } from '../../case.ts';
import { at, one } from '../../one-node.ts';

const rule = 'filter-value';
const branch = (condition: object, typeValidation = 'strict') =>
  one('if', 2.2, {
    conditions: {
      options: { caseSensitive: true, leftValue: '', typeValidation, version: 2 },
      combinator: 'and',
      conditions: [{ id: '1', leftValue: '={{ $json.a }}', ...condition }],
    },
  });
const number = { type: 'number', operation: 'gt' };
const place = at('conditions', 'conditions', 0, 'rightValue');

export const cases: Case[] = [
  valid('a number', branch({ rightValue: 18, operator: number })),
  valid('a number as a string, with type conversion', branch({ rightValue: '18', operator: number }, 'loose')),
  valid('a number from an expression', branch({ rightValue: '={{ $json.b }}', operator: number })),
  valid('a date', branch({ rightValue: '2026-03-31T09:00:00', operator: { type: 'dateTime', operation: 'after' } })),
  valid(
    'one of the entries of a list',
    branch({ rightValue: 'x', operator: { type: 'array', operation: 'contains', rightType: 'any' } }),
  ),
  broken('a number as a string', branch({ rightValue: '18', operator: number }), [
    { rule, path: place, severity: 'error', fixed: branch({ rightValue: 18, operator: number }) },
  ]),
  broken(
    'the same, to save it',
    branch({ rightValue: '18', operator: number }),
    [{ rule, path: place, severity: 'warning' }],
    { purpose: 'save' },
  ),
  broken('a value that cannot be converted', branch({ rightValue: 'many', operator: number }, 'loose'), [
    { rule, path: place },
  ]),
  broken('true as a string', branch({ rightValue: 'true', operator: { type: 'boolean', operation: 'equals' } }), [
    { rule, path: place, fixed: branch({ rightValue: true, operator: { type: 'boolean', operation: 'equals' } }) },
  ]),
  broken(
    'a number in a string comparison',
    branch({ rightValue: 5, operator: { type: 'string', operation: 'equals' } }),
    [{ rule, path: place, fixed: branch({ rightValue: '5', operator: { type: 'string', operation: 'equals' } }) }],
  ),
  broken(
    'an entry of a list without its type',
    branch({ rightValue: 'x', operator: { type: 'array', operation: 'contains' } }),
    [
      {
        rule,
        path: place,
        fixed: branch({ rightValue: 'x', operator: { type: 'array', operation: 'contains', rightType: 'any' } }),
      },
    ],
  ),
  broken(
    'a second value that is not needed, without singleValue',
    branch({ rightValue: '', operator: { type: 'array', operation: 'empty' } }),
    [
      {
        rule,
        path: place,
        says: '"singleValue": true',
        fixed: branch({ rightValue: '', operator: { type: 'array', operation: 'empty', singleValue: true } }),
      },
    ],
  ),
  broken('an invalid date', branch({ rightValue: 'soon', operator: { type: 'dateTime', operation: 'after' } }), [
    { rule, path: place },
  ]),
];
