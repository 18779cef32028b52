import { CannotJudge } from '../regexp/syntax.ts';
import { BadRule } from './bad-rule.ts';
import { type Token, tokensOf } from './tokens.ts';

/** A rule as Traefik reads it: negations are at the matchers. */
export type Rule =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Rule[] }
  | { readonly kind: 'matcher'; readonly name: string; readonly values: readonly string[]; readonly negated: boolean };

export type Matcher = Extract<Rule, { kind: 'matcher' }>;

const LONGEST = 20_000;
const DEEPEST = 100;

/**
 * Reads a rule. Traefik parses it as an expression of Go: `!` binds before `&&`, and that before `||`; values are strings
 * in backticks or double quotes. `known` gives the matcher of a name, or undefined.
 */
export function parseRule(rule: string, known: (name: string) => string | undefined): Rule {
  if (rule.length > LONGEST) throw new CannotJudge('the rule is too long');
  const tokens = tokensOf(rule);
  let at = 0;
  let depth = 0;

  const peek = (): Token | undefined => tokens[at];
  const eat = (sign: string): boolean => {
    const token = peek();
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    at += 1;
    return true;
  };
  const wrong = (expected: string): BadRule => {
    const token = peek();
    const found = token === undefined ? 'the end' : `\`${token.text.slice(0, 40)}\``;
    return new BadRule(`expected ${expected}, found ${found}`);
  };

  function any(): Rule {
    const parts = [all()];
    while (eat('||')) parts.push(all());
    return parts.length === 1 ? (parts[0] as Rule) : { kind: 'any', parts };
  }

  function all(): Rule {
    const parts = [one()];
    while (eat('&&')) parts.push(one());
    return parts.length === 1 ? (parts[0] as Rule) : { kind: 'all', parts };
  }

  function one(): Rule {
    if (++depth > DEEPEST) throw new CannotJudge('the rule is nested too deeply');
    const read = term();
    depth -= 1;
    return read;
  }

  function term(): Rule {
    if (eat('!')) return inverted(one());
    if (eat('(')) {
      const inner = any();
      if (!eat(')')) throw wrong('a closing parenthesis');
      return inner;
    }
    const token = peek();
    if (token?.kind !== 'name') throw wrong('a matcher such as Host(`example.com`)');
    const name = known(token.text);
    if (name === undefined) throw new BadRule(`there is no matcher ${token.text.slice(0, 60)}`);
    at += 1;
    if (!eat('(')) throw wrong('an opening parenthesis');
    return { kind: 'matcher', name, values: values(name), negated: false };
  }

  function values(name: string): string[] {
    const read: string[] = [];
    while (!eat(')')) {
      const token = peek();
      if (token?.kind !== 'value') throw wrong('a value in backticks');
      at += 1;
      read.push(token.value);
      if (eat(',')) continue;
      if (eat(')')) break;
      throw wrong('a comma or a closing parenthesis');
    }
    if (read.length === 0 || read.includes('')) throw new BadRule(`a value of ${name} is empty`);
    return read;
  }

  const read = any();
  if (at < tokens.length) throw wrong('&&, || or the end');
  return read;
}

function inverted(rule: Rule): Rule {
  if (rule.kind === 'matcher') return { ...rule, negated: !rule.negated };
  return { kind: rule.kind === 'all' ? 'any' : 'all', parts: rule.parts.map(inverted) };
}

/** As a rule writes it. */
export const shownMatcher = ({ name, values, negated }: Matcher): string =>
  `${negated ? '!' : ''}${name}(${values.map((value) => `\`${value}\``).join(', ')})`;
