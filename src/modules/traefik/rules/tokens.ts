import { BadRule } from './bad-rule.ts';

export type Token =
  | { readonly kind: 'name' | 'sign'; readonly text: string }
  | { readonly kind: 'value'; readonly text: string; readonly value: string };

const TOKEN = /[ \t\r]+|(\n)|([A-Za-z_]\w*)|(&&|\|\||[!(),])|(`[^`]*`)|("(?:[^"\\\n]|\\.)*")/y;

/** The pieces of a rule. */
export function tokensOf(rule: string): readonly Token[] {
  const tokens: Token[] = [];
  let broken = false;
  for (let at = 0; at < rule.length; ) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(rule);
    if (!found) throw unreadable(rule, at);
    at = TOKEN.lastIndex;
    const [whole, newline, name, sign, raw, quoted] = found;
    if (newline !== undefined) broken ||= endsStatement(tokens.at(-1));
    const text = name ?? sign ?? raw ?? quoted;
    if (text === undefined) continue;
    // Go ends a statement there, so Traefik refuses the rule.
    if (broken) throw new BadRule('a line break is allowed only after &&, ||, a comma or an opening parenthesis');
    if (raw !== undefined) tokens.push({ kind: 'value', text, value: raw.slice(1, -1).replaceAll('\r', '') });
    else if (quoted !== undefined) tokens.push({ kind: 'value', text, value: unquoted(quoted) });
    else tokens.push({ kind: name === undefined ? 'sign' : 'name', text: whole });
  }
  return tokens;
}

const endsStatement = (token: Token | undefined): boolean =>
  token !== undefined && (token.kind !== 'sign' || token.text === ')');

function unreadable(rule: string, at: number): BadRule {
  const sign = rule[at];
  if (sign === "'") return new BadRule('values are in backticks or double quotes, not in single quotes');
  if (sign === '`' || sign === '"')
    return new BadRule(`the value that begins with ${rule.slice(at, at + 20)} does not end`);
  return new BadRule(`\`${rule.slice(at, at + 20)}\` cannot be read`);
}

const ESCAPES = new Map(Array.from('abfnrtv', (letter, n) => [letter, '\x07\b\f\n\r\t\v'[n] as string]));

/** The text of a string in double quotes, as Go reads it. */
function unquoted(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(
      /\\(?:([abfnrtv])|([\\"])|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|(.))/gs,
      (whole, control?: string, plain?: string, x?: string, u?: string, long?: string, octal?: string) => {
        if (control !== undefined) return ESCAPES.get(control) as string;
        if (plain !== undefined) return plain;
        const code = octal === undefined ? Number.parseInt(x ?? u ?? long ?? 'x', 16) : Number.parseInt(octal, 8);
        if (!(code <= 0x10ffff)) throw new BadRule(`${whole} is not known to Go; write the value in backticks`);
        return String.fromCodePoint(code);
      },
    );
}
