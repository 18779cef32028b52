import { broken, type Case, valid } from '../../case.ts';
import { code, withCode } from '../../expression-flow.ts';

const rule = 'code-without-return';

export const cases: Case[] = [
  valid('code that always stops the workflow', withCode("throw new Error('Not today');")),
  broken('code for all items', withCode('for (const item of $input.all()) item.json.a = 1;'), [
    { rule, path: code, severity: 'error' },
  ]),
  broken('a return of an inner function only', withCode('const f = () => { return 1; };\nf();'), [
    { rule, path: code },
  ]),
  broken('code for each item', withCode('$json.a = 1;', { mode: 'runOnceForEachItem' }), [
    { rule, path: code, severity: 'warning' },
  ]),
  broken(
    'Python',
    withCode('', { language: 'pythonNative', pythonCode: 'for item in _items:\n    item["json"]["a"] = 1\n' }),
    [{ rule, path: '/nodes/1/parameters/pythonCode' }],
    { groups: ['expressions'] },
  ),
];
