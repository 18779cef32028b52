import { pointerNames } from './json-pointer.ts';
import { type Scanner, scannerOf } from './json-scanner.ts';

export interface Position {
  /** Both start at 1. Columns are UTF-16 code units, as in editors and SARIF. */
  readonly line: number;
  readonly column: number;
}

export interface Region {
  readonly start: Position;
  readonly end: Position;
}

interface Wanted {
  readonly below: Map<string, Wanted>;
  readonly pointers: string[];
}

/**
 * The position of each pointer in a JSON text, from the key of the value. A missing value gets the position of its
 * innermost existing parent. The text must be valid JSON.
 */
export function positionsIn(text: string, pointers: Iterable<string>): ReadonlyMap<string, Region> {
  const root: Wanted = { below: new Map(), pointers: [] };
  for (const pointer of new Set(pointers)) {
    let place = root;
    for (const name of pointerNames(pointer)) {
      let next = place.below.get(name);
      if (!next) place.below.set(name, (next = { below: new Map(), pointers: [] }));
      place = next;
    }
    place.pointers.push(pointer);
  }
  const spans = new Map<string, readonly [start: number, end: number]>();
  const scanner = scannerOf(text);
  visit(scanner, root, scanner.skipSpace(text.startsWith('\uFEFF') ? 1 : 0), spans);
  const positionAt = positionsOf(text);
  return new Map(
    [...spans].map(([pointer, [start, end]]) => [pointer, { start: positionAt(start), end: positionAt(end) }]),
  );
}

/** Reads the value at `at`. `from` is its start, or the start of its key. Returns where it ends. */
function visit(
  scanner: Scanner,
  wanted: Wanted,
  at: number,
  spans: Map<string, readonly [number, number]>,
  from = at,
): number {
  const open = scanner.text[at];
  const found = new Set<string>();
  let end: number;
  if (wanted.below.size === 0 || (open !== '{' && open !== '[')) end = scanner.endOfValue(at);
  else {
    end = scanner.members(at, (name, keyAt, valueAt) => {
      const inner = wanted.below.get(name);
      if (!inner) return scanner.endOfValue(valueAt);
      found.add(name);
      return visit(scanner, inner, valueAt, spans, keyAt);
    });
  }
  // Mark only the start of an object or list, not pages of text.
  const first = open === '{' || open === '[' ? at + 1 : end;
  const span = [from, first] as const;
  for (const pointer of wanted.pointers) spans.set(pointer, span);
  for (const [name, inner] of wanted.below) if (!found.has(name)) missing(inner, span, spans);
  return end;
}

function missing(wanted: Wanted, span: readonly [number, number], spans: Map<string, readonly [number, number]>): void {
  for (const pointer of wanted.pointers) spans.set(pointer, span);
  for (const inner of wanted.below.values()) missing(inner, span, spans);
}

/** From an offset to its line and column. */
function positionsOf(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}
