import { parser } from '@lezer/python';

export interface PythonProblem {
  readonly offset: number;
  readonly found: string;
}

/** The first syntax error in Python code, or `undefined`. Skips the inside of f-strings. */
export function pythonProblem(code: string): PythonProblem | undefined {
  try {
    return firstProblem(code);
  } catch {
    // The parser fails on code that is nested a thousand times. Do not report that.
    return undefined;
  }
}

function firstProblem(code: string): PythonProblem | undefined {
  let problem: PythonProblem | undefined;
  parser.parse(code).iterate({
    enter(node) {
      if (problem || node.name === 'FormatString') return false;
      if (!node.type.isError) return undefined;
      const found = code.slice(node.from, Math.max(node.to, node.from + 1)).split('\n')[0] ?? '';
      problem = { offset: node.from, found: found.slice(0, 20) };
      return false;
    },
  });
  return problem;
}

/** References to other nodes in Python code: `_('A')`, `_node['A']`. */
export function pythonReferences(code: string): { name: string; start: number; end: number }[] {
  const found: { name: string; start: number; end: number }[] = [];
  for (const match of code.matchAll(/(?<![\w.])_(?:\(|node\[)\s*(["'])((?:(?!\1)[^\\\n])+)\1\s*[)\]]/g)) {
    const name = match[2] as string;
    const start = match.index + match[0].indexOf(match[1] as string);
    found.push({ name, start, end: start + name.length + 2 });
  }
  return found;
}
