/**
 * The parser runs in WebAssembly and recurses; if its stack overflows several times, it stays broken. This bounds the
 * depth of a tree before it is parsed: a chain of operators is as deep as it is long, lists are flat, and parentheses
 * nest.
 */
const DEEPEST = 12_000;
const MOST_PARENTHESES = 500;

/** What is one token, however long: texts, quoted names, comments. */
const WHOLE =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\$(?<tag>[A-Za-z_\u0080-\uffff]?[\w\u0080-\uffff]*)\$[\s\S]*?\$\k<tag>\$/y;

/** Where texts end is less obvious with these, so every character counts. */
const UNSURE = /e'|\/\*/i;

const NAME = /[\w$\u0080-\uffff]/;

export function isTooDeep(sql: string): boolean {
  const open: number[] = [];
  const isSure = !UNSURE.test(sql);
  let segment = 0;
  let total = 0;
  for (let at = 0; at < sql.length; at++) {
    const sign = sql[at] as string;
    if (sign === '(' || sign === '[') {
      open.push(segment);
      segment = 0;
      if (open.length > MOST_PARENTHESES) return true;
    } else if (sign === ')' || sign === ']') {
      total -= segment;
      segment = open.pop() ?? 0;
    } else if (sign === ',') {
      total -= segment;
      segment = 0;
    } else {
      if (isSure && `'"-$`.includes(sign) && !(sign === '$' && NAME.test(sql[at - 1] ?? ''))) {
        WHOLE.lastIndex = at;
        if (WHOLE.test(sql)) at = WHOLE.lastIndex - 1;
      }
      segment += 1;
      total += 1;
      if (total > DEEPEST) return true;
    }
  }
  return false;
}
