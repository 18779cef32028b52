import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { afterLiteral } from './literals.ts';

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `offset` is where `${` begins; the source begins two characters later. */
  | { readonly kind: 'expression'; readonly source: string; readonly offset: number };

export const DEEPEST_VALUE = 64;
const LONGEST_SHOWN = 60;

/** The texts and expressions of a template, in order. `$${` stands for a literal `${`. */
export function templateParts(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literal = '';
  const endText = () => {
    if (literal !== '') parts.push({ kind: 'text', text: literal });
    literal = '';
  };
  let at = 0;
  for (let open = text.indexOf('${'); open !== -1; open = text.indexOf('${', at)) {
    if (open > at && text.charAt(open - 1) === '$') {
      literal += `${text.slice(at, open - 1)}\${`;
      at = open + 2;
      continue;
    }
    literal += text.slice(at, open);
    endText();
    const close = closingBrace(text, open);
    parts.push({ kind: 'expression', source: text.slice(open + 2, close), offset: open });
    at = close + 1;
  }
  literal += text.slice(at);
  endText();
  return parts;
}

function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open + 2; at < text.length; ) {
    const here = text.charAt(at);
    if (here === '}' && depth === 0) return at;
    if (here === '{') depth++;
    if (here === '}') depth--;
    const after = afterLiteral(text, at);
    if (after === -1) throw unclosed(text, open, 'a text in it has no closing quote');
    at = Math.max(after, at + 1);
  }
  throw unclosed(text, open, 'it has no closing brace');
}

function unclosed(text: string, open: number, why: string): AppError {
  const begin = shown(text.slice(open, open + LONGEST_SHOWN + 1), LONGEST_SHOWN);
  return new AppError(
    'invalid_input',
    `The expression at character ${open + 1} does not end: ${why}: ${begin} Write $\${ for a literal \${.`,
  );
}

/** The source of the expression if the text is exactly one. Then its value keeps its type. */
export function wholeExpression(text: string): string | undefined {
  const [only, ...others] = templateParts(text);
  return only?.kind === 'expression' && others.length === 0 ? only.source : undefined;
}

/** Visits every text in a JSON value. Keys are never templates. */
export function templatesIn(
  value: unknown,
  visit: (text: string, path: readonly (string | number)[]) => void,
  path: readonly (string | number)[] = [],
): void {
  if (typeof value === 'string') return visit(value, path);
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= DEEPEST_VALUE) throw tooDeep();
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, inner] of entries) templatesIn(inner, visit, [...path, key]);
}

export const tooDeep = (): AppError =>
  new AppError('invalid_input', `The value is nested more than ${DEEPEST_VALUE} levels deep. Make it flatter.`);
