import { broken, type Case, flow, node, valid } from '../../case.ts';
import { code, withCode } from '../../expression-flow.ts';

const rule = 'code-syntax';
const python = (pythonCode: string) => withCode('', { language: 'pythonNative', pythonCode });
const alone = { groups: ['expressions' as const] };
const pythonPath = '/nodes/1/parameters/pythonCode';

export const cases: Case[] = [
  valid(
    'code with await',
    withCode('const page = await fetchPage();\nfunction fetchPage() { return 1; }\nreturn [{ json: { page } }];'),
  ),
  valid('code for each item', withCode('return { ...$json, done: true };', { mode: 'runOnceForEachItem' })),
  valid(
    'Python',
    python(
      'result = []\nfor item in _items:\n    name = item["json"].get("name", "")\n    if (found := name.strip()):\n        result.append({"json": {"name": f"{found!r:>10}", "n": [x ** 2 for x in range(3)]}})\nreturn result\n',
    ),
    alone,
  ),
  valid(
    'Python with match',
    python(
      'for item in _items:\n    match item["json"]:\n        case {"a": int(a)}:\n            item["json"]["b"] = a\n        case _:\n            pass\nreturn _items\n',
    ),
    alone,
  ),
  broken('a bracket that is not closed', withCode('const a = [1, 2;\nreturn a;'), [
    { rule, path: code, severity: 'error', says: 'line 1, column 16' },
  ]),
  broken('an expression with braces', withCode('const a = {{ $json.a }};\nreturn [{ json: { a } }];'), [
    { rule, path: code, says: 'without them' },
  ]),
  broken(
    'a placeholder in angle brackets',
    withCode('if ($json.id !== <Replace Telegram ID>) { return []; }\nreturn [{ json: {} }];'),
    [{ rule, path: code, severity: 'warning', says: 'the real value' }],
    alone,
  ),
  broken(
    'a placeholder in angle brackets, to publish it',
    withCode('if ($json.id !== <Replace Telegram ID>) { return []; }\nreturn [{ json: {} }];'),
    [{ rule, path: code, severity: 'error' }],
    { ...alone, purpose: 'publish' },
  ),
  broken(
    'a placeholder in angle brackets, and another error',
    withCode('if ($json.id !== <your id>) { return [; }\nreturn [{ json: {} }];'),
    [{ rule, path: code, severity: 'error' }],
    alone,
  ),
  broken('an import', withCode("import axios from 'axios';\nreturn [];"), [{ rule, path: code, says: 'require' }]),
  broken('Python in JavaScript', withCode('def run(items):\n    return items\nreturn run($input.all())'), [
    { rule, path: code, says: 'Python' },
  ]),
  broken(
    'Python with a bracket that is not closed',
    python('result = [1, 2\nreturn result\n'),
    [{ rule, path: pythonPath }],
    alone,
  ),
  broken(
    'Python without a colon',
    python('for item in _items\n    pass\nreturn _items\n'),
    [{ rule, path: pythonPath, says: 'line 1' }],
    alone,
  ),
  broken(
    'the old Function node',
    flow(
      [node('Start', 'manualTrigger', 1), node('Old', 'function', 1, { functionCode: 'return items.map(;' })],
      ['Start -> Old'],
    ),
    [{ rule, path: '/nodes/1/parameters/functionCode' }],
    alone,
  ),
  broken(
    'a tool',
    flow(
      [
        node('Chat', 'ai:chatTrigger', 1.1, { options: {} }),
        node('Agent', 'ai:agent', 2, { options: {} }),
        node('Tool', 'ai:toolCode', 1.3, { description: 'Counts', jsCode: 'return query.length +;' }),
      ],
      ['Chat -> Agent', 'Tool -ai_tool-> Agent'],
    ),
    [{ rule, path: '/nodes/2/parameters/jsCode' }],
    alone,
  ),
];
