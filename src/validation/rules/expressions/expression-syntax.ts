import { codeTexts, isEmpty, type Script } from '../../expressions/texts.ts';
import { TOO_DEEP } from '../../expressions/javascript.ts';
import { placeIn } from '../../expressions/pieces.ts';
import type { Rule } from '../../rule.ts';

/** n8n saves the workflow, and the node fails with "invalid syntax" when it runs. */
export const expressionSyntax: Rule = {
  id: 'expression-syntax',
  group: 'expressions',
  title: 'There is one JavaScript expression between {{ and }}.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  // An expression that ends too early leaves its real closing braces behind.
  supersedes: ['expression-stray-braces'],
  check(subject, report) {
    for (const { node, pointer, text, language, scripts, property } of codeTexts(subject)) {
      if (language !== 'expression') continue;
      for (const script of scripts) {
        // Unclosed and empty expressions have their own rules.
        if (!script.closed || isEmpty(script)) continue;
        const problem = problemOf(script, text);
        // In HTML or a query, braces may have another meaning.
        if (!problem || (property?.noDataExpression === true && !script.code.includes('$'))) continue;
        const { offset, what, advice, severity } = problem;
        report({
          node: node.name,
          path: pointer,
          message: `The expression does not parse: ${what}, at ${placeIn(text, offset)} ("${excerpt(text, offset)}"). ${advice}`,
          ...(severity && { severity }),
        });
      }
    }
  },
};

interface Problem {
  readonly what: string;
  readonly offset: number;
  readonly advice: string;
  readonly severity?: 'warning';
}

function problemOf({ parsed, code, start }: Script, text: string): Problem | undefined {
  if (parsed.problem !== undefined) {
    return {
      what: parsed.problem,
      offset: start + parsed.offset,
      advice: advice(code, parsed.offset, text.slice(start + code.length)),
      ...(parsed.problem === TOO_DEEP && { severity: 'warning' as const }),
    };
  }
  const [first, second] = parsed.program.body;
  if (!first) return undefined;
  const offset = start + first.start - parsed.shift;
  if (first.type !== 'ExpressionStatement') {
    return {
      what: 'n8n expects an expression there, not a statement',
      offset,
      advice:
        'Move it into a Code node, or into a function that you call right away: {{ (() => { …; return value; })() }}.',
    };
  }
  if (!second || second.type === 'EmptyStatement') return undefined;
  return {
    what: 'n8n uses only the first statement',
    offset: start + second.start - parsed.shift,
    advice: 'Write one expression, or use a Code node.',
    severity: 'warning',
  };
}

function advice(code: string, at: number, rest: string): string {
  // `{{ {a: {b: 1}} }}` ends after the first two braces.
  if (/\{/.test(code) && /^\}\}\s*[})\]]*\s*\}\}/.test(rest)) {
    return 'The first }} ends an expression, even inside it: put a space between closing braces, as in "} }".';
  }
  // 'It's' ends after the second quote.
  if (/\w'$/.test(code.slice(0, at)) && /^\w/.test(code.slice(at))) {
    return "A string in single quotes cannot contain one: use double quotes, or write \\' there.";
  }
  if (/[“”‘’]/.test(code)) return 'Use straight quotes: " or \'.';
  if (code.includes('{{')) return 'Do not nest {{ }} inside {{ }}: inside, write $json without braces.';
  return 'Fix it there.';
}

function excerpt(text: string, offset: number): string {
  const from = Math.max(0, offset - 20);
  return `${from > 0 ? '…' : ''}${text
    .slice(from, offset + 20)
    .replace(/\s+/g, ' ')
    .trim()}${text.length > offset + 20 ? '…' : ''}`;
}
