/** Where a text stops being JSON, and what was expected there. */
export interface Break {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literal = /true|false|null/y;
// No alternatives inside the loop over plain characters: a text of megabytes would need too much stack.
// eslint-disable-next-line no-control-regex -- JSON forbids these in strings
const string = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;

/** Undefined if the text is JSON. Browsers say it in different words, and some not where. */
export function whereBroken(text: string): Break | undefined {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const broken = (expected: string): Break => {
    const before = text.slice(0, at);
    return { line: before.split('\n').length, column: at - before.lastIndexOf('\n'), expected };
  };
  /** What is open around the place, innermost last. */
  const open: ('{' | '[')[] = [];
  let wanted: 'value' | 'value or end' | 'name' | 'name or end' | 'after' = 'value';
  for (;;) {
    skip(space);
    const here = text[at];
    const inner = open.at(-1);
    if (wanted === 'after') {
      if (inner === undefined) return here === undefined ? undefined : broken('the end');
      if (here === ',') wanted = inner === '{' ? 'name' : 'value';
      else if (here === (inner === '{' ? '}' : ']')) open.pop();
      else return broken(inner === '{' ? '"," or "}"' : '"," or "]"');
      at++;
    } else if (wanted.startsWith('name')) {
      if (wanted === 'name or end' && here === '}') {
        at++;
        open.pop();
        wanted = 'after';
        continue;
      }
      if (!skip(string)) return broken('a name in double quotes');
      skip(space);
      if (text[at] !== ':') return broken('":"');
      at++;
      wanted = 'value';
    } else if (wanted === 'value or end' && here === ']') {
      at++;
      open.pop();
      wanted = 'after';
    } else if (here === '{' || here === '[') {
      at++;
      open.push(here);
      wanted = here === '{' ? 'name or end' : 'value or end';
    } else if (skip(string) || skip(number) || skip(literal)) wanted = 'after';
    else return broken(here === '"' ? 'a text that ends with a double quote' : 'a value');
  }
}

export function brokenText(text: string): string | undefined {
  const found = whereBroken(text);
  return found && `Line ${found.line}, column ${found.column}: ${found.expected} is expected here.`;
}
