/** One record of a CSV. */
export interface CsvRecord {
  /** The line on which it begins. */
  readonly line: number;
  /** An empty field is null; one that is empty in quotes is an empty text. */
  readonly fields: readonly (string | null)[];
}

export interface CsvParser {
  /** The records that are complete with this text. */
  push(text: string): CsvRecord[];
  /** The last record, if the file does not end with a line break. */
  end(): CsvRecord[];
}

/** A CSV that cannot be read. */
export class CsvError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Keeps a missing quote from reading the whole rest of a file into memory. */
const LONGEST_RECORD = 8_000_000;
const [LF, CR, QUOTE] = [10, 13, 34];

/**
 * Reads CSV in pieces: RFC 4180 with any delimiter, any line breaks and a byte order mark. Empty lines are skipped. A quote
 * inside a field that does not begin with one is part of its text.
 */
export function createCsvParser(delimiter: string): CsvParser {
  const separator = delimiter.charCodeAt(0);
  let rest = '';
  let line = 1;
  let isFirst = true;

  /** Reads one record from `from`. Undefined if it is not complete yet. */
  function record(
    text: string,
    from: number,
    isLast: boolean,
  ): { fields: (string | null)[]; next: number } | undefined {
    const fields: (string | null)[] = [];
    let at = from;
    for (;;) {
      let end: number;
      if (text.charCodeAt(at) === QUOTE) {
        const quoted = closing(text, at + 1, isLast);
        if (quoted === undefined) return undefined;
        end = quoted + 1;
        const inner = text.slice(at + 1, quoted);
        fields.push(inner.includes('"') ? inner.replaceAll('""', '"') : inner);
        const after = text.charCodeAt(end);
        if (end < text.length && after !== separator && after !== LF && after !== CR) {
          throw new CsvError(
            lineAt(text, from, end),
            'there is text after a closing quote. A quote inside quotes is written ""',
          );
        }
      } else {
        end = at;
        for (let code = text.charCodeAt(end); end < text.length; code = text.charCodeAt(++end)) {
          if (code === separator || code === LF || code === CR) break;
        }
        fields.push(end === at ? null : text.slice(at, end));
      }
      if (end >= text.length) return isLast ? { fields, next: end } : undefined;
      const code = text.charCodeAt(end);
      if (code === separator) {
        at = end + 1;
        continue;
      }
      // A line break may be cut in half.
      if (code === CR && end + 1 >= text.length && !isLast) return undefined;
      return { fields, next: end + (code === CR && text.charCodeAt(end + 1) === LF ? 2 : 1) };
    }
  }

  /** Where the quoted text ends. */
  function closing(text: string, from: number, isLast: boolean): number | undefined {
    for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
      if (text.charCodeAt(at + 1) !== QUOTE) return at + 1 < text.length || isLast ? at : undefined;
    }
    if (isLast) throw new CsvError(line, 'a quote is opened in this record and never closed');
    return undefined;
  }

  const lineAt = (text: string, from: number, to: number) => line + breaksIn(text, from, to);

  function read(text: string, isLast: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    let at = 0;
    while (at < text.length) {
      const found = record(text, at, isLast);
      if (!found) break;
      const { fields, next } = found;
      if (fields.length > 1 || fields[0] !== null) records.push({ line, fields });
      line = lineAt(text, at, next);
      at = next;
    }
    rest = text.slice(at);
    if (rest.length > LONGEST_RECORD) {
      throw new CsvError(line, 'the record is longer than 8 MB; a quote may be missing');
    }
    return records;
  }

  return {
    push(text) {
      const whole = isFirst && text.startsWith('\u{FEFF}') ? text.slice(1) : rest + text;
      if (text !== '') isFirst = false;
      return read(whole, false);
    },
    end: () => read(rest, true),
  };
}

function breaksIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) count++;
  }
  return count;
}

const candidates = [',', ';', '\t', '|'];

/** The delimiter that the first record of a CSV uses most; a comma if it has none. */
export function delimiterIn(csv: string): string {
  const counts = new Map(candidates.map((one) => [one, 0]));
  const start = /[^\r\n\u{FEFF}]/u.exec(csv)?.index ?? 0;
  for (let at = start, isStart = true; at < csv.length; at++) {
    const one = csv[at] as string;
    if (one === '\n' || one === '\r') break;
    const count = counts.get(one);
    if (count !== undefined) counts.set(one, count + 1);
    // A quote that is doubled ends one quoted part and begins the next.
    if (one === '"' && (isStart || csv[at - 1] === '"')) {
      at = csv.indexOf('"', at + 1);
      if (at < 0) break;
    }
    isStart = count !== undefined;
  }
  return candidates.reduce((most, next) => ((counts.get(next) ?? 0) > (counts.get(most) ?? 0) ? next : most));
}
