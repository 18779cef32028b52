import { broken, type Case, valid } from '../../case.ts';
import { code, withCode } from '../../expression-flow.ts';
import { one } from '../../one-node.ts';

const rule = 'code-restricted';
const pythonPath = '/nodes/1/parameters/pythonCode';
const python = (pythonCode: string) => one('code', 2, { language: 'pythonNative', pythonCode });

export const cases: Case[] = [
  valid('a word in a string', withCode('return [{ json: { say: "require(\'fs\') and eval(1)" } }];')),
  broken('a module', withCode("const fs = require('fs');\nreturn [{ json: { there: fs.existsSync('/a') } }];"), [
    { rule, path: code, severity: 'warning', says: '"fs"' },
  ]),
  broken('a string that is run as code', withCode('return [{ json: { it: eval($json.text) } }];'), [
    { rule, path: code },
  ]),
  broken('a module of Python', python('import json\nreturn [{"json": json.loads("{}")}]'), [
    { rule, path: pythonPath, says: '"json"' },
  ]),
  broken('a submodule', python('from datetime import date\nreturn [{"json": {"on": str(date.today())}}]'), [
    { rule, path: pythonPath, says: '"datetime"' },
  ]),
];
