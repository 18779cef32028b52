import { type Parsed, parseExpression } from './javascript.ts';
import type { Names } from './names.ts';

/** `$json.a.b[0]["c"]`, and the same after `$('Node').item.json`. */
const chain =
  /^\s*(?:(?<data>\$json)|\$\((?<name>'[^'\\\n]*'|"[^"\\\n]*")\)\.(?<member>item(?!\()|(?:first|last|all)(?=\(\)))(?:\(\))?)(?:\.[A-Za-z_]\w*|\[\d+\]|\["[^"\\\n]*"\]|\['[^'\\\n]*'\])*\s*$/;

const anyExpression = parseExpression('0');

/**
 * Nine of ten expressions read one value. Parsing is the slowest step, so these skip it, with the same result.
 * `undefined` for all other expressions.
 */
export function readSimple(code: string): { parsed: Parsed; names: Names } | undefined {
  const groups = code.length > 300 ? undefined : chain.exec(code)?.groups;
  if (!groups) return undefined;
  const start = code.indexOf('$');
  if (groups['data'] !== undefined) {
    const free = [{ name: '$json', start, called: false }];
    return { parsed: anyExpression, names: { references: [], free, returns: false, returned: [] } };
  }
  const quoted = groups['name'] as string;
  const reference = {
    name: quoted.slice(1, -1),
    form: '$' as const,
    member: groups['member'],
    start: start + 2,
    end: start + 2 + quoted.length,
    quoted: true,
    inTry: false,
  };
  const free = [{ name: '$', start, called: true }];
  return { parsed: anyExpression, names: { references: [reference], free, returns: false, returned: [] } };
}
