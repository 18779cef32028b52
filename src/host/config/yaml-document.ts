import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { Problem } from './problems.ts';

/** A configuration file as plain data, with a way to find the line of a path. */
export interface SourceDocument {
  value: Record<string, unknown>;
  problems: Problem[];
  lines(): Promise<LineOf>;
}

type LineOf = (path: readonly PropertyKey[]) => number | undefined;

/** Reads YAML, which includes JSON. `${NAME}` needs no quotes, not even inside braces. */
export function readYaml(text: string): SourceDocument {
  const lines = new LineCounter();
  const source = shield(text);
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, merge: true });
  const lineAt = (offset: number) => lines.linePos(offset).line;

  if (document.errors.length > 0) {
    // One mistake often causes several errors in the same line.
    const byLine = new Map<number, Problem>();
    for (const { code, message, pos } of document.errors) {
      const line = lineAt(pos[0]);
      if (!byLine.has(line)) byLine.set(line, { path: '', line, ...wordsFor(code, message, source.slice(pos[0])) });
    }
    return { value: {}, problems: [...byLine.values()], lines: nowhere };
  }

  let value: unknown;
  try {
    value = unshield(document.toJS());
  } catch {
    // The only possible cause: aliases that expand without limit.
    const problem = { path: '', message: 'uses its aliases too often', fix: 'Write the repeated values out.' };
    return { value: {}, problems: [problem], lines: nowhere };
  }
  if (value === null || value === undefined) value = {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    const problem = {
      path: '',
      line: 1,
      message: 'is not a map of keys',
      fix: 'Start with a key, for example mcpServers:.',
    };
    return { value: {}, problems: [problem], lines: nowhere };
  }

  const lineOf: LineOf = (path) => {
    let node: unknown = document.contents;
    let offset: number | undefined;
    for (const key of path) {
      if (isAlias(node)) node = node.resolve(document);
      if (isMap(node)) {
        const pair = node.items.find((item) => isScalar(item.key) && unshield(String(item.key.value)) === String(key));
        if (!pair) break;
        offset = (pair.key as Node).range?.[0] ?? offset;
        node = pair.value;
      } else if (isSeq(node)) {
        node = node.items[Number(key)];
        offset = (node as Node | undefined)?.range?.[0] ?? offset;
      } else break;
    }
    return offset === undefined ? undefined : lineAt(offset);
  };

  return { value: value as Record<string, unknown>, problems: [], lines: async () => lineOf };
}

const nowhere = async (): Promise<LineOf> => () => undefined;

function wordsFor(code: string, message: string, rest: string): { message: string; fix: string } {
  if (code === 'DUPLICATE_KEY') {
    const key = /^["']?([^"':\s]+)/.exec(rest)?.[1] ?? '';
    return { message: `"${key}" appears twice`, fix: 'Keep one, or rename the other.' };
  }
  if (code === 'TAB_AS_INDENT') return { message: 'is indented with a tab', fix: 'Indent with spaces.' };
  // In errors about stray tokens the parser quotes text, which could be a secret.
  return {
    message: `cannot be read: ${message.replace(/: ".*$/s, '')}`,
    fix: 'Check the quotes, brackets and indentation of this line and the one before.',
  };
}

// YAML reads `{ apiKey: ${KEY} }` as nested braces. So while the text is parsed, special characters inside references
// are replaced by private-use Unicode characters.
const PLANE = 0x10f000;
const REFERENCE = /\$\{[^{}\n]*\}/g;
const SIGNS = /[{}[\],:#]/g;
const SHIELDED = /[\u{10f000}-\u{10f07f}]/gu;

function shield(text: string): string {
  return text.replace(REFERENCE, (reference) =>
    reference.replace(SIGNS, (sign) => String.fromCodePoint(PLANE + sign.charCodeAt(0))),
  );
}

function unshield<T>(value: T): T;
function unshield(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(SHIELDED, (sign) => String.fromCharCode((sign.codePointAt(0) ?? PLANE) - PLANE));
  }
  if (Array.isArray(value)) return value.map((item) => unshield(item));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [unshield(key), unshield(inner)]));
}
