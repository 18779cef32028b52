import { broken, type Case, valid } from '../../case.ts';
import { code, withCode } from '../../expression-flow.ts';

const rule = 'code-unknown-name';
const each = { mode: 'runOnceForEachItem' };

export const cases: Case[] = [
  valid(
    'names that n8n provides',
    withCode('console.log(DateTime.now(), Buffer.from("a"), btoa("b"));\nreturn items;'),
  ),
  valid(
    'helpers',
    withCode(
      'const page = await this.helpers.httpRequest({ url: "https://example.com" });\nreturn [{ json: { page } }];',
    ),
  ),
  valid(
    'names that the code declares',
    withCode(
      'let sum = 0;\nfor (one of $input.all()) sum += one.json.n;\nfunction twice(n) { return 2 * n; }\nreturn [{ json: { sum: twice(sum) } }];',
    ),
  ),
  valid(
    'a name that the code checks for',
    withCode('const there = typeof fetch === "function";\nreturn [{ json: { there } }];'),
  ),
  valid(
    'an error that is caught',
    withCode('try { crypto.randomUUID(); } catch (error) { return []; }\nreturn items;'),
  ),
  valid('the item, for each', withCode('return item;', each)),
  broken('fetch', withCode('const page = await fetch("https://example.com");\nreturn [{ json: { page } }];'), [
    { rule, path: code, severity: 'error', says: 'HTTP Request' },
  ]),
  broken(
    'after another error that is caught',
    withCode(
      'let a;\ntry { a = JSON.parse($json.a); } catch { a = {}; }\nreturn [{ json: { a: new URL(a.b).host } }];',
    ),
    [{ rule, path: code, severity: 'error', says: '"URL"' }],
  ),
  valid(
    'in a function whose error may be caught',
    withCode('const get = () => fetch("a");\ntry { get(); } catch {}\nreturn items;'),
  ),
  broken('the environment', withCode('return [{ json: { key: process.env.KEY } }];'), [
    { rule, path: code, says: 'process' },
  ]),
  broken('a typo', withCode('const result = $input.all();\nreturn reslt;'), [
    { rule, path: code, says: '"reslt" (line 2, column 8)' },
  ]),
  broken('item in code for all items', withCode('return [item];'), [{ rule, path: code, says: '$input.all()' }]),
  broken('items in code for each item', withCode('return items[0];', each), [
    { rule, path: code, says: '$input.item' },
  ]),
  broken('a placeholder', withCode('return [{ json: { user: XXX } }];'), [{ rule, path: code, severity: 'warning' }]),
];
