import { broken, type Case, valid } from '../../case.ts';
import { code, withCode } from '../../expression-flow.ts';

const rule = 'code-for-each-item';
const each = (jsCode: string) => withCode(jsCode, { mode: 'runOnceForEachItem' });

export const cases: Case[] = [
  valid('the item itself', each('return { json: { a: $input.item.json.a } };')),
  valid('all items of another node', each("return { json: { n: $('Start').all().length } };")),
  valid('a list that has a method of that name', each('const list = { first: () => 1 };\nreturn { a: list.first() };')),
  valid('all items at once', withCode('return $input.all();')),
  broken('all items', each('const n = $input.all().length;\nreturn { json: { n } };'), [
    { rule, path: code, severity: 'error', says: 'line 1, column 11' },
  ]),
  broken('the first of them', each('return { json: $input.first().json };'), [
    { rule, path: code, says: '$input.first' },
  ]),
];
