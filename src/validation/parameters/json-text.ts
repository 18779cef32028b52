import { type Expression, parseExpressionAt } from 'acorn';

/** Longer text is not parsed a second time. */
const LONGEST = 200_000;

export function isStrictJson(text: string): boolean {
  return problemOf(text) === undefined;
}

/** The engine's message about invalid JSON; `undefined` for valid JSON. */
export function problemOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    // Cut off the text that the engine repeats: it may contain a secret.
    return error instanceof Error ? error.message.replace(/,? ?(\.{3})?"[\s\S]*$/, '') : 'it cannot be parsed';
  }
}

/** `{ a: 1, 'b': [true,] }`: JavaScript data, which n8n accepts as JSON in some places. */
export function isObjectLiteral(text: string): boolean {
  if (text.length > LONGEST) return false;
  try {
    const source = `(${text})`;
    const parsed = parseExpressionAt(source, 0, { ecmaVersion: 'latest' });
    return source.slice(parsed.end).trim() === ')' && isData(parsed, 0) && parsed.type !== 'Literal';
  } catch {
    return false;
  }
}

function isData(node: Expression, depth: number): boolean {
  if (depth > 100) return false;
  switch (node.type) {
    case 'Literal':
      return true;
    case 'UnaryExpression':
      return (node.operator === '-' || node.operator === '+') && node.argument.type === 'Literal';
    case 'ArrayExpression':
      return node.elements.every((one) => one === null || (one.type !== 'SpreadElement' && isData(one, depth + 1)));
    case 'ObjectExpression':
      return node.properties.every((one) => one.type === 'Property' && !one.computed && isData(one.value, depth + 1));
    default:
      return false;
  }
}
