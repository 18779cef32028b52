import { codeTexts, type CodeText, type Script } from '../../expressions/texts.ts';
import { placeIn } from '../../expressions/pieces.ts';
import type { Rule } from '../../rule.ts';

/** Variables that hold data from outside. */
const data = /^\$(json|input|node|items?|binary|data|fromAI|fromAi|fromai|thisItem)?$/;

/** A value that is inserted into the query text becomes part of the query (SQL injection). */
export const sqlFromExpression: Rule = {
  id: 'sql-from-expression',
  group: 'credentials',
  title: 'Values are passed to a query as parameters, not inserted into its text.',
  severity: 'warning',
  check(subject, report) {
    for (const text of codeTexts(subject)) {
      if (!isQuery(text)) continue;
      const risky = text.scripts.find((script) => isRisky(script, text.text));
      if (!risky) continue;
      report({
        node: text.node.name,
        path: text.pointer,
        message: `An expression inserts a value into the query text, at ${placeIn(text.text, risky.start - 2)}: whoever supplies the value can change the query. ${advice(text)}`,
      });
    }
  },
};

function isQuery({ property, node, language }: CodeText): boolean {
  if (language !== 'expression' || property === undefined) return false;
  // Merge runs the query on its own input, in memory.
  return property.typeOptions?.['editor'] === 'sqlEditor' && !node.type.endsWith('.merge');
}

function isRisky({ names, parsed, start, code, closed }: Script, text: string): boolean {
  if (!parsed.program || !closed || !names.free.some(({ name }) => data.test(name))) return false;
  const before = text.slice(0, start - 2);
  // The whole query comes from elsewhere, so its parts are not visible here.
  const isWhole = before.trim() === '' && text.slice(start + code.length + 2).replace(/[\s;]/g, '') === '';
  if (isWhole && !isPutTogether(code)) return false;
  // A number cannot carry SQL.
  const bare = code.trim();
  return (
    !/^(Number|parseInt|parseFloat|Math\.\w+)\(/.test(bare) &&
    !/\.(toNumber\(\)|toInt\(\)|length)$/.test(bare.slice(-12))
  );
}

/** `"DELETE … WHERE id = " + $json.id`, or the same with `${…}`. */
function isPutTogether(code: string): boolean {
  const words =
    /["'`]\s*(?:SELECT|INSERT|UPDATE|DELETE|REPLACE|MERGE|CALL|EXEC(?:UTE)?|WITH|DROP|ALTER|CREATE|TRUNCATE)\b/i;
  return words.test(code) && /["']\s*\+|\+\s*["'`]|`[^`]*\$\{/.test(code);
}

function advice({ node: { description } }: CodeText): string {
  const options = JSON.stringify(description?.properties.filter(({ name }) => name === 'options') ?? []);
  if (options.includes('"queryReplacement"')) {
    return 'Write $1, $2, … in the query and put the values into the option "Query Parameters".';
  }
  if (options.includes('"queryParameters"')) {
    return 'Write @name in the query and put the values into the option "Query Parameters".';
  }
  return "Use the node's own operations (insert, update, select), or check the value first: convert a number with Number(…), compare a word with a list.";
}
