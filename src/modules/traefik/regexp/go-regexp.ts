import { word } from './classes.ts';
import { parsePattern } from './parse.ts';
import { programOf, type Step } from './program.ts';
import { type Assertion, CannotJudge } from './syntax.ts';

/** How much work is left for all expressions of a question together. */
export interface Effort {
  left: number;
}

const LONGEST_PATTERN = 4000;

/**
 * Whether a regular expression of Go matches somewhere in the text. JavaScript's own expressions have another syntax and
 * may backtrack forever; this goes through the text once, so the time is at most its length times that of the program.
 * Throws BadPattern or CannotJudge.
 */
export function goRegexp(pattern: string): (text: string, effort: Effort) => boolean {
  if (pattern.length > LONGEST_PATTERN) throw new CannotJudge('the expression is too long');
  const steps = programOf(parsePattern(pattern));
  return (text, effort) => matches(steps, text, effort);
}

function matches(steps: readonly Step[], text: string, effort: Effort): boolean {
  const codes = Array.from(text, (sign) => sign.codePointAt(0) as number);
  /** At which position a step was last entered, so that none is entered twice. */
  const entered = new Int32Array(steps.length).fill(-1);
  let now: number[] = [];
  for (let at = 0; at <= codes.length; at += 1) {
    // A match may begin anywhere.
    now.push(0);
    const next: number[] = [];
    for (let todo = now.pop(); todo !== undefined; todo = now.pop()) {
      if (entered[todo] === at) continue;
      entered[todo] = at;
      if ((effort.left -= 1) < 0) throw new CannotJudge('the expressions of all routers together take too long');
      const step = steps[todo] as Step;
      switch (step.do) {
        case 'done':
          return true;
        case 'fork':
          now.push(step.or, step.to);
          break;
        case 'go':
          now.push(step.to);
          break;
        case 'assert':
          if (holds(step.at, codes, at)) now.push(todo + 1);
          break;
        case 'eat':
          if (at < codes.length && step.has(codes[at] as number)) next.push(todo + 1);
      }
    }
    now = next;
  }
  return false;
}

function holds(assertion: Assertion, codes: readonly number[], at: number): boolean {
  switch (assertion) {
    case 'text start':
      return at === 0;
    case 'text end':
      return at === codes.length;
    case 'line start':
      return at === 0 || codes[at - 1] === 10;
    case 'line end':
      return at === codes.length || codes[at] === 10;
    case 'word edge':
    case 'no word edge': {
      const isWord = (code: number | undefined) => code !== undefined && word(code);
      return (isWord(codes[at - 1]) !== isWord(codes[at])) === (assertion === 'word edge');
    }
  }
}
