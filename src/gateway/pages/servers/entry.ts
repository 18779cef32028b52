/** What somebody typed into the form for a new server. */
export interface Typed {
  readonly name: string;
  readonly kind: 'url' | 'command';
  readonly url: string;
  /** The program and its arguments, as in a shell. */
  readonly command: string;
  /** Headers or variables. */
  readonly pairs: readonly Pair[];
}

export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** The entry as `gateway_add_server` takes it. */
export function entryOf({ kind, url, command, pairs }: Typed): Record<string, unknown> {
  const given = Object.fromEntries(
    pairs.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
  );
  const more = Object.keys(given).length > 0;
  if (kind === 'url') return { url: url.trim(), ...(more && { headers: given }) };
  const [program = '', ...args] = words(command);
  return { command: program, args, ...(more && { env: given }) };
}

/** What is wrong with the form before anybody is asked; undefined if nothing is. */
export function problemIn({ name, kind, url, command }: Typed): string | undefined {
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(name)) return 'The name has 1 to 40 letters, digits, "_" and "-".';
  if (kind === 'command') return words(command).length === 0 ? 'Say which program to start.' : undefined;
  const address = URL.parse(url.trim());
  return address?.protocol === 'https:' || address?.protocol === 'http:'
    ? undefined
    : 'The address begins with https:// or http://.';
}

/** Splits a command line: quotes keep words together, a backslash the next character. */
export function words(line: string): string[] {
  const found: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] as string;
    if (letter === '\\' && quote !== "'" && at + 1 < line.length) word = (word ?? '') + line[++at];
    else if (quote !== undefined) {
      if (letter === quote) quote = undefined;
      else word += letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (/\s/.test(letter)) {
      if (word !== undefined) found.push(word);
      word = undefined;
    } else word = (word ?? '') + letter;
  }
  if (word !== undefined) found.push(word);
  return found;
}
