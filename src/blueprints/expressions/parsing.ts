import { parse } from '@bufbuild/cel';
import { messageOf } from '../../kernel/errors.ts';
import { LONGEST_SOURCE } from './limits.ts';
import { afterLiteral } from './literals.ts';

export interface Problem {
  readonly message: string;
  readonly offset?: number | undefined;
}

export type Parsed = ReturnType<typeof parse>;
export type Node = Parsed['expr'];

/** The parser calls itself for each bracket. */
const DEEPEST = 40;

/** The syntax tree of an expression. */
export function parsed(source: string): Parsed | { readonly problem: Problem } {
  if (source.length > LONGEST_SOURCE)
    return { problem: { message: `The expression has more than ${LONGEST_SOURCE} characters.` } };
  if (source.trim() === '') return { problem: { message: 'The expression is empty.' } };
  const deep = tooDeepAt(source);
  if (deep !== undefined)
    return { problem: { message: `The expression nests more than ${DEEPEST} brackets.`, offset: deep } };
  try {
    return parse(source);
  } catch (error) {
    return { problem: unreadable(error) };
  }
}

function tooDeepAt(source: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < source.length; ) {
    const here = source.charAt(at);
    if ('([{'.includes(here) && ++depth > DEEPEST) return at;
    if (')]}'.includes(here)) depth--;
    const after = afterLiteral(source, at);
    if (after === -1) return undefined;
    at = Math.max(after, at + 1);
  }
  return undefined;
}

/** The parser's own words list everything that could stand there. */
function unreadable(error: unknown): Problem {
  const { location, found, rawMessage } = error as {
    location?: { start: { offset: number } };
    found?: string | null;
    rawMessage?: string;
  };
  const offset = location?.start.offset;
  if (offset === undefined) return { message: `The expression cannot be read: ${messageOf(error)}.` };
  const place = `at character ${offset + 1}`;
  if (found === undefined) return { message: `The expression cannot be read ${place}: ${rawMessage}.`, offset };
  const what = found === null || found === 'end of input' ? 'it ends too early' : `${found} does not fit there`;
  return { message: `The expression cannot be read ${place}: ${what}.`, offset };
}
