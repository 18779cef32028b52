/** What a Cypher statement does, as far as its words tell. Texts, comments and quoted names are not words. */
export interface Statement {
  /** Its keywords and names in capitals, in order, without properties, labels and keys of maps. */
  readonly words: readonly string[];
  /** Procedures that it calls, such as `db.labels`. */
  readonly procedures: readonly string[];
  /** Functions with a namespace, such as `apoc.text.join`. */
  readonly functions: readonly string[];
}

interface Token {
  readonly kind: 'word' | 'name' | 'number' | 'sign';
  readonly text: string;
}

/** In this order: what is skipped comes first. */
const pattern =
  /\/\/[^\n\r]*|\/\*.*?(?:\*\/|$)|'(?:[^'\\]|\\.)*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$)|(?<name>`(?:[^`]|``)*(?:`|$))|(?<word>[$]?[\p{L}_][\p{L}\p{N}_$]*)|(?<number>[\p{N}]+)|(?<sign>\S)/gsu;

function tokensOf(cypher: string): Token[] {
  return [...cypher.matchAll(pattern)].flatMap(({ groups = {} }): Token[] => {
    const { name, word, number, sign } = groups;
    if (name !== undefined) return [{ kind: 'name', text: name.slice(1, -1).replaceAll('``', '`') }];
    if (word !== undefined)
      return word.startsWith('$') ? [{ kind: 'name', text: word }] : [{ kind: 'word', text: word }];
    if (number !== undefined) return [{ kind: 'number', text: number }];
    return sign === undefined ? [] : [{ kind: 'sign', text: sign }];
  });
}

/** Neo4j may read `\u0044` as the letter before it reads anything else, so both readings count. */
const unescaped = (cypher: string): string =>
  cypher.replaceAll(/\\u+([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

export function readStatement(cypher: string): Statement {
  const plain = unescaped(cypher);
  const readings = (plain === cypher ? [cypher] : [cypher, plain]).map((text) => readTokens(tokensOf(text)));
  return {
    words: readings.flatMap(({ words }) => words),
    procedures: readings.flatMap(({ procedures }) => procedures),
    functions: readings.flatMap(({ functions }) => functions),
  };
}

function readTokens(tokens: readonly Token[]): Statement {
  const is = (index: number, sign: string) => tokens[index]?.kind === 'sign' && tokens[index].text === sign;
  const isNamed = (index: number) => tokens[index]?.kind === 'word' || tokens[index]?.kind === 'name';
  const [words, procedures, functions]: [string[], string[], string[]] = [[], [], []];
  for (const [index, { kind, text }] of tokens.entries()) {
    const isProperty = is(index - 1, '.') && tokens[index - 2]?.kind !== 'number';
    if (!isNamed(index) || isProperty || is(index - 1, ':')) continue;
    let end = index;
    while (is(end + 1, '.') && isNamed(end + 2)) end += 2;
    const path = tokens.slice(index, end + 1).map((token) => token.text);
    const isCalled = tokens[index - 1]?.kind === 'word' && tokens[index - 1]?.text.toUpperCase() === 'CALL';
    if (isCalled) procedures.push(path.join(''));
    else if (path.length > 1 && is(end + 1, '(')) functions.push(path.join(''));
    if (kind === 'word' && !is(index + 1, ':')) words.push(text.toUpperCase());
  }
  return { words, procedures, functions };
}
