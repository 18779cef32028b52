import { parser } from '@lezer/python';

export interface PythonProblem {
  readonly offset: number;
  readonly found: string;
}

/** Where Python could not be read; `undefined` where it could. Texts with values inside are left alone. */
export function pythonProblem(code: string): PythonProblem | undefined {
  try {
    return firstProblem(code);
  } catch {
    // The reader has its limits with what is nested a thousand times: that is nobody's fault.
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

/** `_('A')`, `_node['A']`: other nodes, as Python code names them. */
export function pythonReferences(code: string): { name: string; start: number; end: number }[] {
  const found: { name: string; start: number; end: number }[] = [];
  for (const match of code.matchAll(/(?<![\w.])_(?:\(|node\[)\s*(["'])((?:(?!\1)[^\\\n])+)\1\s*[)\]]/g)) {
    const name = match[2] as string;
    const start = match.index + match[0].indexOf(match[1] as string);
    found.push({ name, start, end: start + name.length + 2 });
  }
  return found;
}
