import { pythonImports } from '../../code/python-imports.ts';
import { codeTexts, type CodeText } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** n8n blocks modules in code unless its operator allows them. It does not block eval. */
export const codeRestricted: Rule = {
  id: 'code-restricted',
  group: 'expressions',
  title: 'Code loads no modules, which n8n blocks by default, and does not eval strings.',
  severity: { save: 'info', run: 'warning', publish: 'warning' },
  check(subject, report) {
    for (const text of codeTexts(subject)) {
      if (!text.node.type.endsWith('-base.code') || text.skipped) continue;
      const said =
        text.language === 'javascript' ? inJavaScript(text) : text.language === 'python' ? inPython(text) : '';
      if (said === '') continue;
      report({ node: text.node.name, path: text.pointer, message: said });
    }
  },
};

function inJavaScript({ text, scripts }: CodeText): string {
  const names = scripts[0]?.names;
  if (!names || scripts[0]?.parsed.problem !== undefined) return '';
  if (names.free.some(({ name, called }) => name === 'eval' && called) || /\bnew\s+Function\s*\(/.test(text)) {
    return 'eval() and new Function() run a string as code, so whoever supplies the string controls the node. Write the code out instead.';
  }
  const [, module] = names.free.some(({ name }) => name === 'require')
    ? (/\brequire\s*\(\s*["'`]([^"'`]{1,100})["'`]/.exec(text) ?? [])
    : [];
  if (module === undefined) return '';
  return `n8n loads "${module}" only if NODE_FUNCTION_ALLOW_BUILTIN or NODE_FUNCTION_ALLOW_EXTERNAL lists it. Allow it there, or use a node that does the same.`;
}

function inPython({ text }: CodeText): string {
  const [module] = pythonImports(text);
  if (module === undefined) return '';
  return `n8n imports "${module}" only if N8N_RUNNERS_STDLIB_ALLOW or N8N_RUNNERS_EXTERNAL_ALLOW lists it. Allow it there, or remove the import.`;
}
