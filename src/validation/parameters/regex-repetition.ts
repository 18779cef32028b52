/** The part that can match in exponentially many ways, such as `(a+)+`, `(.*)*` or `(a|a)*`, or `undefined`. */
export function repeatsItself(source: string): string | undefined {
  if (source.length > 2000) return undefined;
  const open: Group[] = [];
  let group: Group = newGroup(0);
  let index = 0;
  while (index < source.length) {
    const start = index;
    const sign = source[index] as string;
    let text = sign;
    let inner: Group | undefined;
    if (sign === '(') {
      open.push(group);
      const prefix = /^\((\?(:|<?[=!]|<[^>]+>))?/.exec(source.slice(index))?.[0] ?? '(';
      index += prefix.length;
      group = newGroup(start);
      continue;
    }
    if (sign === '|') {
      group.alternatives.push([]);
      index++;
      continue;
    }
    if (sign === ')') {
      inner = group;
      group = open.pop() ?? newGroup(0);
      index++;
      text = source.slice(inner.start, index);
    } else if (sign === '[') {
      index = endOfClass(source, index);
      text = source.slice(start, index);
    } else {
      index += sign === '\\' ? 2 : 1;
      text = source.slice(start, index);
    }
    const quantifier = /^([*+?]|\{\d+(,\d*)?\})[?+]?/.exec(source.slice(index))?.[0] ?? '';
    index += quantifier.length;
    const isEndless = /^([*+]|\{\d+,\})/.test(quantifier);
    if (inner && isEndless && isAmbiguous(inner)) return source.slice(inner.start, index);
    group.alternatives.at(-1)?.push({ text, isEndless, isOptional: /^([*?]|\{0)/.test(quantifier) });
  }
  return undefined;
}

interface Atom {
  readonly text: string;
  readonly isEndless: boolean;
  readonly isOptional: boolean;
}

interface Group {
  readonly start: number;
  readonly alternatives: Atom[][];
}

function newGroup(start: number): Group {
  return { start, alternatives: [[]] };
}

/** Several repetitions of the group can match the same text as one. */
function isAmbiguous({ alternatives }: Group): boolean {
  const needed = alternatives.map((atoms) => atoms.filter(({ isOptional, isEndless }) => !isOptional || isEndless));
  if (needed.some((atoms) => atoms.length === 1 && atoms[0]?.isEndless)) return true;
  const texts = alternatives
    .filter((atoms) => atoms.every(({ isEndless }) => !isEndless))
    .map((atoms) => atoms.map(({ text }) => text).join(''));
  return texts.length > 1 && new Set(texts).size < texts.length;
}

function endOfClass(source: string, from: number): number {
  let index = from + 1;
  while (index < source.length && source[index] !== ']') index += source[index] === '\\' ? 2 : 1;
  return index + 1;
}
