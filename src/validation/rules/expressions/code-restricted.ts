import { pythonImports } from '../../code/python-imports.ts';
import { codeTexts, type CodeText } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** n8n keeps code away from modules unless whoever runs it says otherwise; from texts that become code it does not. */
export const codeRestricted: Rule = {
  id: 'code-restricted',
  group: 'expressions',
  title: 'Code loads no modules, which n8n denies by default, and evaluates no texts.',
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
    return 'eval() and new Function() run a text as code, and whoever supplies the text decides what happens. Write the code out.';
  }
  const [, module] = names.free.some(({ name }) => name === 'require')
    ? (/\brequire\s*\(\s*["'`]([^"'`]{1,100})["'`]/.exec(text) ?? [])
    : [];
  if (module === undefined) return '';
  return `n8n loads "${module}" only where NODE_FUNCTION_ALLOW_BUILTIN or NODE_FUNCTION_ALLOW_EXTERNAL names it. Allow it there, or use a node that does the same.`;
}

function inPython({ text }: CodeText): string {
  const [module] = pythonImports(text);
  if (module === undefined) return '';
  return `n8n imports "${module}" only where N8N_RUNNERS_STDLIB_ALLOW or N8N_RUNNERS_EXTERNAL_ALLOW names it. Allow it there, or do without.`;
}
