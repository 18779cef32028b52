import { createSandbox } from './sandbox.ts';

const LONGEST = 10_000;

let sandbox: ReturnType<typeof createSandbox> | undefined;
const answers = new Map<string, boolean>();

/** Tests a pattern in the sandbox: it comes from a node, and may backtrack forever. */
export function matches(pattern: string, text: string): boolean {
  if (text.length > LONGEST || pattern.length > LONGEST) return false;
  const key = JSON.stringify([pattern, text]);
  let answer = answers.get(key);
  if (answer === undefined) {
    sandbox ??= createSandbox();
    answer = sandbox(`new RegExp(${JSON.stringify(pattern)}).test(input)`, JSON.stringify(text)) === true;
    if (answers.size > 1000) answers.clear();
    answers.set(key, answer);
  }
  return answer;
}
