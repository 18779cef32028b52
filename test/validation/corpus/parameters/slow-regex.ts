import { broken, type Case, valid } from '../../case.ts';
import { at, one } from '../../one-node.ts';

const rule = 'slow-regex';
const branch = (rightValue: string) =>
  one('if', 2.2, {
    conditions: {
      options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
      combinator: 'and',
      conditions: [
        { id: '1', leftValue: '={{ $json.a }}', rightValue, operator: { type: 'string', operation: 'regex' } },
      ],
    },
  });
const path = at('conditions', 'conditions', 0, 'rightValue');

export const cases: Case[] = [
  valid('words with a separator', branch('^(\\w+,)*\\w+$')),
  broken('a repetition of a repetition', branch('^(a+)+$'), [{ rule, path, severity: 'warning', says: '(a+)+' }]),
  broken('the same alternative twice', branch('^(a|a)*$'), [{ rule, path }]),
];
