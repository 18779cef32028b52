import { BadPattern, CannotJudge } from './syntax.ts';

export type Has = (codePoint: number) => boolean;

const between = (from: string, to: string): Has => {
  const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
  return (at) => at >= first && at <= last;
};

export const anyOf =
  (sets: readonly Has[]): Has =>
  (at) =>
    sets.some((has) => has(at));

export const not =
  (has: Has): Has =>
  (at) =>
    !has(at);

export const range =
  (from: number, to: number): Has =>
  (at) =>
    at >= from && at <= to;

export const digit = between('0', '9');
const lower = between('a', 'z');
const upper = between('A', 'Z');
const alpha = anyOf([lower, upper]);
const alnum = anyOf([alpha, digit]);
export const word = anyOf([alnum, between('_', '_')]);
const oneOf = (text: string): Has => {
  const all = new Set(Array.from(text, (sign) => sign.codePointAt(0)));
  return (at) => all.has(at);
};
/** Without the vertical tab, as in RE2. */
export const space = oneOf('\t\n\f\r ');
const graph = between('!', '~');

const named: ReadonlyMap<string, Has> = new Map([
  ['alnum', alnum],
  ['alpha', alpha],
  ['ascii', range(0, 0x7f)],
  ['blank', oneOf('\t ')],
  ['cntrl', anyOf([range(0, 0x1f), range(0x7f, 0x7f)])],
  ['digit', digit],
  ['graph', graph],
  ['lower', lower],
  ['print', between(' ', '~')],
  ['punct', (at: number) => graph(at) && !alnum(at)],
  ['space', anyOf([space, range(0x0b, 0x0b)])],
  ['upper', upper],
  ['word', word],
  ['xdigit', anyOf([digit, between('a', 'f'), between('A', 'F')])],
]);

/** Such as `alpha` in `[[:alpha:]]`. */
export function asciiClass(name: string): Has {
  const found = named.get(name.replace(/^\^/, ''));
  if (!found) throw new BadPattern(`[:${name}:] is not a class of characters`);
  return name.startsWith('^') ? not(found) : found;
}

/** Such as `L` or `Greek` in `\p{Greek}`. */
export function unicodeClass(name: string): Has {
  const plain = name.replace(/^\^/, '');
  if (plain === 'Any') return name.startsWith('^') ? () => false : () => true;
  if (!/^[A-Za-z_]{1,40}$/.test(plain)) throw new BadPattern(`\\p{${name}} is not a class of characters`);
  const has = compiled(`\\p{${plain}}`) ?? compiled(`\\p{Script=${plain}}`);
  if (!has) throw new CannotJudge(`the class \\p{${plain}} is not known here`);
  return name.startsWith('^') ? not(has) : has;
}

function compiled(source: string): Has | undefined {
  try {
    const one = new RegExp(`^${source}$`, 'u');
    return (at) => one.test(String.fromCodePoint(at));
  } catch {
    return undefined;
  }
}

/** A set that ignores case. */
export const folded =
  (has: Has): Has =>
  (at) => {
    if (has(at)) return true;
    const sign = String.fromCodePoint(at);
    return [sign.toLowerCase(), sign.toUpperCase()].some((other) => {
      const code = other.codePointAt(0);
      return code !== undefined && Array.from(other).length === 1 && has(code);
    });
  };
