import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import type { Finding, Position } from './finding.ts';
import { pathIn } from './finding.ts';
import { plainValue } from './plain-value.ts';

/** The YAML of a definition as plain data. Without a value if it cannot be read at all. */
export interface Read {
  readonly value?: unknown;
  /** What it calls itself, even if the rest cannot be read. */
  readonly name?: unknown;
  readonly findings: readonly Finding[];
  /** Where a path is written. If it is not there, where the nearest thing around it is. */
  place(path: string): Position | undefined;
}

export const MOST_BYTES = 256 * 1024;
/** The parser takes microseconds for each, in which nobody else is served. A long definition of many steps has 30,000. */
const MOST_TOKENS = 60_000;

export function readYaml(text: string): Read {
  const message = tooLarge(text);
  if (message !== undefined) {
    const fix = 'Move a part of it to a blueprint of its own, and call that one.';
    return { findings: [{ severity: 'error', path: '', message, fix }], place: () => undefined };
  }
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  // The package compares each key with each other one of its map; plainValue does that in linear time.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const offsetOf = offsets(document);
  const place = (path: string) => {
    const offset = offsetOf(pathIn(path));
    return offset === undefined ? undefined : at(offset);
  };
  const name = isMap(document.contents) ? document.contents.get('name') : undefined;
  if (document.errors.length > 0) {
    const textLines = text.split('\n');
    // One mistake often causes several errors in the same line.
    const byLine = new Map<number, Finding>();
    for (const { code, message, pos } of document.errors) {
      const position = at(pos[0]);
      // So does a bracket that is never closed, in all lines after it.
      if (byLine.has(position.line) || (byLine.size > 0 && message.includes('in YAML stream'))) continue;
      const words = wordsFor(code, message, textLines[position.line - 1] ?? '');
      byLine.set(position.line, { severity: 'error', path: '', ...position, ...words });
    }
    return { name, findings: [...byLine.values()], place };
  }
  const { value, problems } = plainValue(document.contents);
  const findings = problems.map(
    ({ offset, message, fix }): Finding => ({ severity: 'error', path: '', ...at(offset), message, fix }),
  );
  return { ...(findings.length === 0 && { value }), name, findings, place };
}

function tooLarge(text: string): string | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_BYTES) return `is ${Math.ceil(bytes / 1024)} KB long, but may have ${MOST_BYTES / 1024} KB`;
  let left = MOST_TOKENS;
  for (const _ of new Lexer().lex(text)) if (--left < 0) return 'has too many values and signs';
  return undefined;
}

/** Looks each map up once: a hostile text has thousands of findings in one. */
function offsets(document: Document): (path: readonly string[]) => number | undefined {
  const seen = new Map<object, unknown>();
  const once = <T>(node: object, make: () => T): T => {
    if (!seen.has(node)) seen.set(node, make());
    return seen.get(node) as T;
  };
  return (path) => {
    let node: unknown = document.contents;
    let offset = (node as Node | null)?.range?.[0];
    for (const key of path) {
      const alias = node;
      if (isAlias(alias)) node = once(alias, () => alias.resolve(document));
      const inside = node;
      if (isMap(inside)) {
        const pair = once(inside, () => pairsIn(inside)).get(key);
        if (!pair) break;
        offset = (pair.key as Node).range?.[0] ?? offset;
        node = pair.value;
      } else if (isSeq(inside)) {
        const item = inside.items[Number(key)];
        if (item === undefined) break;
        offset = (item as Node).range?.[0] ?? offset;
        node = item;
      } else break;
    }
    return offset;
  };
}

const pairsIn = (map: YAMLMap): ReadonlyMap<string, Pair> =>
  new Map(map.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [])));

function wordsFor(code: string, message: string, line: string): { message: string; fix: string } {
  if (code === 'TAB_AS_INDENT') return { message: 'is indented with a tab', fix: 'Indent with spaces.' };
  if (code === 'RESOURCE_EXHAUSTION') return { message: 'is nested too deeply', fix: 'Nest at most 60 levels.' };
  if (code === 'BAD_ALIAS')
    return { message: 'begins with *, which YAML reads as an alias', fix: 'Put it in quotes, such as "* * * * *".' };
  if (code === 'MULTIPLE_DOCS')
    return { message: 'begins a second document', fix: 'Write one blueprint in each file, without ---.' };
  return {
    message: `cannot be read: ${message.replace(/: ".*$/s, '')}`,
    fix: line.includes('${')
      ? 'Put texts with ${…} in quotes: "${inputs.name}".'
      : 'Check the quotes, brackets and indentation of this line and the one before.',
  };
}
