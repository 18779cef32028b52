import { broken, type Case, valid } from '../../case.ts';
import { code, withCode } from '../../expression-flow.ts';

const rule = 'code-result';
const each = (jsCode: string) => withCode(jsCode, { mode: 'runOnceForEachItem' });

export const cases: Case[] = [
  valid('one object for all items', withCode('return { total: 1 };')),
  valid('items without json around them', withCode('return [{ a: 1 }, { a: 2 }];')),
  valid('no items', withCode('if ($input.all().length > 3) return [];\nreturn $input.all();')),
  valid(
    'a list that an inner function returns',
    each('const f = () => { return [1]; };\nreturn { json: { f: f() } };'),
  ),
  valid('an item that is dropped', each('if (!$json.open) return null;\nreturn { json: $json };')),
  valid('a falsy value', each('return false;')),
  broken('a string', withCode('return "done";'), [{ rule, path: code, severity: 'error', says: 'column 8' }]),
  broken('a template string', withCode('return `${$json.a} done`;'), [{ rule, path: code, severity: 'error' }]),
  broken('a list of numbers', withCode('return [1, 2];'), [{ rule, path: code, severity: 'error' }]),
  broken('a list in a list', withCode('return [[{ json: { a: 1 } }]];'), [{ rule, path: code, severity: 'error' }]),
  broken('null among the items', withCode('return [null];'), [{ rule, path: code, severity: 'error' }]),
  broken('one of two returns', withCode('if ($json.a) return "done";\nreturn $input.all();'), [
    { rule, path: code, severity: 'warning' },
  ]),
  broken('a list for each item', each('return [{ json: { a: 1 } }];'), [
    { rule, path: code, severity: 'error', says: 'runOnceForAllItems' },
  ]),
  broken('a string for each item', each('const a = 1;\nreturn "done";'), [
    { rule, path: code, severity: 'error', says: 'line 2' },
  ]),
];
