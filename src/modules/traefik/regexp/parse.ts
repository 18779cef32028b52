import { anyOf, asciiClass, digit, folded, type Has, not, range, space, unicodeClass, word } from './classes.ts';
import { BadPattern, CannotJudge, type Node } from './syntax.ts';

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
}

const NONE: Flags = { i: false, m: false, s: false };
const DEEPEST = 200;
/** Go's limit of {n,m}. */
const MOST_REPEATS = 1000;
const CONTROLS = new Map(Array.from('atnvfr', (letter, n) => [letter, [7, 9, 10, 11, 12, 13][n] as number]));
const EMPTY: Node = { kind: 'sequence', parts: [] };

/** Reads a regular expression in the syntax of Go (RE2). Throws BadPattern for what Go refuses. */
export function parsePattern(pattern: string): Node {
  const signs = Array.from(pattern);
  let at = 0;
  let depth = 0;

  const peek = () => signs[at];
  const rest = (length: number) => signs.slice(at, at + length).join('');
  const eat = (text: string): boolean => {
    if (rest(text.length) !== text) return false;
    at += text.length;
    return true;
  };

  const setOf = (has: Has, { i }: Flags): Node => ({ kind: 'set', has: i ? folded(has) : has });

  /** Reads alternatives up to `)` or the end. `(?i)` holds until there. */
  function alternatives(given: Flags): Node {
    if (++depth > DEEPEST) throw new CannotJudge('the expression is nested too deeply');
    let flags = given;
    const ways: Node[] = [];
    let parts: Node[] = [];
    while (at < signs.length && peek() !== ')') {
      if (eat('|')) {
        ways.push({ kind: 'sequence', parts });
        parts = [];
      } else if (eat('\\Q')) {
        while (at < signs.length && !eat('\\E')) parts.push(literal(signs[at++] as string, flags));
      } else {
        const made = atom(flags);
        if ('flags' in made) ({ flags } = made);
        else parts.push(repeated(made.node));
      }
    }
    depth -= 1;
    ways.push({ kind: 'sequence', parts });
    return ways.length === 1 ? (ways[0] as Node) : { kind: 'either', parts: ways };
  }

  function atom(flags: Flags): { node: Node } | { flags: Flags } {
    const sign = signs[at++] as string;
    switch (sign) {
      case '(':
        return group(flags);
      case '[':
        return { node: setOf(characterClass(), flags) };
      case '.':
        return { node: { kind: 'set', has: flags.s ? () => true : (code) => code !== 10 } };
      case '^':
        return { node: { kind: 'assert', at: flags.m ? 'line start' : 'text start' } };
      case '$':
        return { node: { kind: 'assert', at: flags.m ? 'line end' : 'text end' } };
      case '\\':
        return { node: escape(flags) };
      case '*':
      case '+':
      case '?':
        throw new BadPattern(`there is nothing before ${sign} to repeat`);
      default:
        return { node: literal(sign, flags) };
    }
  }

  const literal = (sign: string, flags: Flags): Node => {
    const code = sign.codePointAt(0) as number;
    return setOf((other) => other === code, flags);
  };

  function group(flags: Flags): { node: Node } | { flags: Flags } {
    let inner = flags;
    if (eat('?')) {
      const name = /^(?:P?<)([^>]*)>/.exec(rest(120));
      if (name) {
        if (!/^\w+$/.test(name[1] as string)) throw new BadPattern('a group has no proper name');
        at += Array.from(name[0]).length;
      } else {
        const [whole, on = '', off, end] = /^([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest(20)) ?? [];
        if (whole === undefined) throw new BadPattern(`(?${rest(2)} is not known to Go`);
        at += whole.length;
        const flag = (letter: 'i' | 'm' | 's') =>
          off?.includes(letter) === true ? false : on.includes(letter) || flags[letter];
        inner = { i: flag('i'), m: flag('m'), s: flag('s') };
        if (end === ')') return { flags: inner };
      }
    }
    const node = alternatives(inner);
    if (!eat(')')) throw new BadPattern('a ( is not closed');
    return { node };
  }

  function repeated(node: Node): Node {
    const first = repetition();
    if (!first) return node;
    eat('?');
    if (repetition()) throw new BadPattern('a repetition is repeated');
    return { kind: 'repeat', part: node, ...first };
  }

  function repetition(): { least: number; most: number } | undefined {
    if (eat('*')) return { least: 0, most: Infinity };
    if (eat('+')) return { least: 1, most: Infinity };
    if (eat('?')) return { least: 0, most: 1 };
    const [whole, from, comma, to] = /^\{(\d{1,9})(,?)(\d{0,9})\}/.exec(rest(22)) ?? [];
    // Other braces are letters.
    if (whole === undefined || (comma === '' && to !== '')) return undefined;
    at += whole.length;
    const least = Number(from);
    const most = comma === '' ? least : to === '' ? Infinity : Number(to);
    if (least > MOST_REPEATS || (most !== Infinity && most > MOST_REPEATS) || most < least)
      throw new BadPattern(`${whole} is not a repetition`);
    return { least, most };
  }

  function escape(flags: Flags): Node {
    const sign = peek();
    if (sign === 'C') throw new CannotJudge('\\C is not evaluated here');
    if (eat('A')) return { kind: 'assert', at: 'text start' };
    if (eat('z')) return { kind: 'assert', at: 'text end' };
    if (eat('b')) return { kind: 'assert', at: 'word edge' };
    if (eat('B')) return { kind: 'assert', at: 'no word edge' };
    if (eat('E')) return EMPTY;
    const has = classEscape();
    if (has) return setOf(has, flags);
    const code = codeEscape();
    return setOf((other) => other === code, flags);
  }

  function classEscape(): Has | undefined {
    const sign = peek() ?? '';
    const found = new Map([
      ['d', digit],
      ['s', space],
      ['w', word],
    ]).get(sign.toLowerCase());
    if (found) {
      at += 1;
      return sign === sign.toLowerCase() ? found : not(found);
    }
    if (sign !== 'p' && sign !== 'P') return undefined;
    const [whole, long, short] = /^[pP](?:\{([^}]*)\}|(.))/su.exec(rest(60)) ?? [];
    if (whole === undefined) throw new BadPattern('\\p names no class');
    at += Array.from(whole).length;
    const has = unicodeClass(long ?? (short as string));
    return sign === 'p' ? has : not(has);
  }

  /** The one character that an escape stands for. */
  function codeEscape(): number {
    const sign = signs[at];
    if (sign === undefined) throw new BadPattern('it ends with \\');
    const control = CONTROLS.get(sign);
    if (control !== undefined) {
      at += 1;
      return control;
    }
    const [hex, long, short] = /^x(?:\{([\da-fA-F]{1,8})\}|([\da-fA-F]{2}))/.exec(rest(11)) ?? [];
    if (hex !== undefined) {
      at += hex.length;
      const code = Number.parseInt((long ?? short) as string, 16);
      if (code > 0x10ffff) throw new BadPattern(`\\${hex} is not a character`);
      return code;
    }
    const [octal] = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(rest(3)) ?? [];
    if (octal !== undefined) {
      at += octal.length;
      return Number.parseInt(octal, 8);
    }
    const code = sign.codePointAt(0) as number;
    if (code >= 0x80 || /[A-Za-z\d]/.test(sign)) throw new BadPattern(`\\${sign} is not known to Go`);
    at += 1;
    return code;
  }

  /** Reads the rest of a class after `[`. */
  function characterClass(): Has {
    const negated = eat('^');
    const sets: Has[] = [];
    for (let first = true; first || peek() !== ']'; first = false) {
      if (at >= signs.length) throw new BadPattern('a [ is not closed');
      const [whole, name] = /^\[:(\^?\w+):\]/.exec(rest(20)) ?? [];
      if (whole !== undefined) {
        at += whole.length;
        sets.push(asciiClass(name as string));
        continue;
      }
      const from = member();
      if (typeof from === 'function') {
        sets.push(from);
        continue;
      }
      if (peek() === '-' && signs[at + 1] !== ']' && at + 1 < signs.length) {
        at += 1;
        const to = member();
        if (typeof to === 'function' || to < from) throw new BadPattern('a range in [] is the wrong way round');
        sets.push(range(from, to));
      } else sets.push(range(from, from));
    }
    at += 1;
    const has = anyOf(sets);
    return negated ? not(has) : has;
  }

  function member(): Has | number {
    if (!eat('\\')) return (signs[at++] as string).codePointAt(0) as number;
    return classEscape() ?? codeEscape();
  }

  const node = alternatives(NONE);
  if (at < signs.length) throw new BadPattern('a ) has no (');
  return node;
}
