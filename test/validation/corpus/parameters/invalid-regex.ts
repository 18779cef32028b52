import { broken, type Case, valid } from '../../case.ts';
import { at, one } from '../../one-node.ts';

const rule = 'invalid-regex';
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
const old = (value2: string) =>
  one('if', 1, { conditions: { string: [{ value1: '={{ $json.a }}', operation: 'regex', value2 }] } });
const rename = (searchRegex: string) =>
  one('renameKeys', 1, {
    additionalOptions: { regexReplacement: { replacements: [{ searchRegex, replaceRegex: '$1' }] } },
  });
const path = at('conditions', 'conditions', 0, 'rightValue');

export const cases: Case[] = [
  valid('a regular expression', branch('^[a-z]+@example\\.com$')),
  valid('one between slashes', branch('/^a+$/i')),
  valid('one from an expression', branch('={{ $json.pattern }}')),
  broken('a group without an end', branch('(a|b'), [{ rule, path, severity: 'error' }]),
  broken('nothing to repeat', branch('*.txt'), [{ rule, path, says: 'nothing to repeat' }]),
  broken('in the first version of the node', old('[a-'), [{ rule, path: at('conditions', 'string', 0, 'value2') }]),
  valid('keys renamed by a regular expression', rename('^old_(.*)$')),
  broken('keys renamed by an invalid regular expression', rename('(old_'), [
    { rule, path: at('additionalOptions', 'regexReplacement', 'replacements', 0, 'searchRegex') },
  ]),
];
