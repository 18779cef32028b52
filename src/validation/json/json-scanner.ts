/** Navigates JSON text without parsing the values. */
export interface Scanner {
  readonly text: string;
  skipSpace(at: number): number;
  endOfValue(at: number): number;
  /** Visits the members of an object or list. `each` returns where the value ends. Returns where the whole ends. */
  members(at: number, each: (name: string, keyAt: number, valueAt: number) => number): number;
}

export function scannerOf(text: string): Scanner {
  const skipSpace = (from: number): number => {
    let at = from;
    while (at < text.length && ' \n\r\t'.includes(text[at] as string)) at++;
    return at;
  };
  const endOfString = (from: number): number => {
    let at = from + 1;
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    return at + 1;
  };
  // Without recursion: skipped values may be nested to any depth.
  const endOfValue = (from: number): number => {
    let at = from;
    for (let depth = 0; at < text.length; ) {
      const char = text[at] as string;
      if (char === '"') at = endOfString(at);
      else if (char === '{' || char === '[') {
        depth++;
        at++;
      } else if (char === '}' || char === ']') {
        depth--;
        at++;
      } else if (depth > 0) {
        at++;
        continue;
      } else {
        while (at < text.length && !',]} \n\r\t'.includes(text[at] as string)) at++;
      }
      if (depth === 0) break;
    }
    return at;
  };
  return {
    text,
    skipSpace,
    endOfValue,
    members(from, each) {
      const inObject = text[from] === '{';
      let at = skipSpace(from + 1);
      for (let index = 0; at < text.length && text[at] !== '}' && text[at] !== ']'; index++) {
        const keyAt = at;
        let name = String(index);
        if (inObject) {
          const keyEnd = endOfString(at);
          name = JSON.parse(text.slice(at, keyEnd)) as string;
          at = skipSpace(skipSpace(keyEnd) + 1);
        }
        at = skipSpace(each(name, keyAt, at));
        if (text[at] === ',') at = skipSpace(at + 1);
      }
      return at + 1;
    },
  };
}
