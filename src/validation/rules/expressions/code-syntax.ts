import { parseBody, TOO_DEEP } from '../../expressions/javascript.ts';
import { placeIn } from '../../expressions/pieces.ts';
import { pythonProblem } from '../../code/python.ts';
import { type CodeText, codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';
import { filledIn } from '../../parameters/left-open.ts';

export const codeSyntax: Rule = {
  id: 'code-syntax',
  group: 'expressions',
  title: 'The code of a node parses in its language.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const text of codeTexts(subject)) {
      if (text.language === 'expression' || text.skipped) continue;
      const problem = text.language === 'python' ? inPython(text) : inJavaScript(text);
      if (!problem) continue;
      const isDoubtful = text.scripts[0]?.parsed.problem === TOO_DEEP;
      const isOpen = text.language === 'javascript' && isReadableWhenFilled(text.text);
      report({
        node: text.node.name,
        path: text.pointer,
        message: isOpen
          ? `${problem} It contains a placeholder in angle brackets: replace it with the real value.`
          : problem,
        ...((isDoubtful || (isOpen && subject.purpose === 'run')) && { severity: 'warning' as const }),
      });
    }
  },
};

/** The author left a placeholder for the next user to fill in, as with a credential. */
function isReadableWhenFilled(code: string): boolean {
  const filled = filledIn(code);
  return filled !== undefined && parseBody(filled).problem === undefined;
}

function inJavaScript({ text, scripts }: CodeText): string | undefined {
  const parsed = scripts[0]?.parsed;
  if (parsed?.problem === undefined) return undefined;
  const { problem, offset } = parsed;
  return `The JavaScript does not parse: ${problem}, at ${placeIn(text, offset)}. ${advice(problem, text, offset)}`;
}

function advice(problem: string, text: string, offset: number): string {
  if (problem.includes('import')) return "Load a module with require('…'); n8n has to allow it.";
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n')[0] ?? '';
  if (line.includes('{{')) return 'Code does not use {{ }}: write $json or $input without them.';
  if (/^[ \t]*(def |import |from \w+ import|print\()/m.test(text))
    return 'This looks like Python: set the language to Python.';
  return 'Fix it there.';
}

function inPython({ text }: CodeText): string | undefined {
  const problem = pythonProblem(text);
  if (!problem) return undefined;
  const line = text.slice(text.lastIndexOf('\n', problem.offset - 1) + 1).split('\n')[0] ?? '';
  const found = problem.found.trim() === '' ? 'something is missing' : `unexpected "${problem.found.trim()}"`;
  return `The Python does not parse: ${found}, at ${placeIn(text, problem.offset)}. ${
    line.includes('{{') ? 'Code does not use {{ }}: use _items or _item.' : 'Fix it there.'
  }`;
}
