import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { changesIn } from './json-changes.ts';
import { type DiffLine, diffLines } from './line-diff.ts';

interface DiffProps {
  readonly label: string;
  /** Texts, or values that are shown as JSON. */
  readonly before: unknown;
  readonly after: unknown;
  readonly names?: readonly [before: string, after: string];
}

const AROUND = 3;

/** Two versions side by side, changes first in words if they are JSON. */
export function Diff({ label, before, after, names = ['Before', 'Now'] }: DiffProps) {
  const all = useSignal(false);
  const isJson = typeof before === 'object' && typeof after === 'object';
  const words = useMemo(() => (isJson ? changesIn(before, after) : []), [before, after]);
  const pairs = useMemo(() => inPairs(diffLines(shown(before), shown(after))), [before, after]);
  const visible = all.value ? pairs : nearChanges(pairs);
  if (pairs.every(({ kind }) => kind === 'same')) return <p class="quiet">Both are the same.</p>;
  return (
    <section class="diff" aria-label={label}>
      {words.length > 0 && (
        <ul>
          {words.slice(0, 50).map((line, index) => (
            <li key={index}>
              <bdi>{line}</bdi>
            </li>
          ))}
          {words.length > 50 && <li>… and {words.length - 50} more changes</li>}
        </ul>
      )}
      <div class="sides" role="table" aria-label={label} tabIndex={0}>
        <div role="row" class="titles">
          <span role="columnheader">{names[0]}</span>
          <span role="columnheader">{names[1]}</span>
        </div>
        {visible.map((pair, index) => (
          <div role="row" key={index} class={pair?.kind ?? 'gap'}>
            <code role="cell">{pair ? (pair.left ?? '') : '⋯'}</code>
            <code role="cell">{pair ? (pair.right ?? '') : '⋯'}</code>
          </div>
        ))}
      </div>
      {visible.length < pairs.length && (
        <button type="button" class="plain" onClick={() => (all.value = true)}>
          Show all {pairs.length} lines
        </button>
      )}
    </section>
  );
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''));

interface Pair {
  readonly kind: 'same' | 'changed' | 'removed' | 'added';
  readonly left?: string | undefined;
  readonly right?: string | undefined;
}

/** Removed lines stand beside those that replace them. */
function inPairs(lines: readonly DiffLine[]): Pair[] {
  const pairs: Pair[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      const [left, right] = [removed[index], added[index]];
      pairs.push({ kind: left === undefined ? 'added' : right === undefined ? 'removed' : 'changed', left, right });
    }
    [removed, added] = [[], []];
  };
  for (const { kind, text } of lines) {
    if (kind === 'removed') removed.push(text);
    else if (kind === 'added') added.push(text);
    else {
      flush();
      pairs.push({ kind, left: text, right: text });
    }
  }
  flush();
  return pairs;
}

/** Undefined stands for lines that are left out. */
function nearChanges(pairs: readonly Pair[]): (Pair | undefined)[] {
  const keep = new Set<number>();
  for (const [index, { kind }] of pairs.entries())
    if (kind !== 'same') for (let near = index - AROUND; near <= index + AROUND; near++) keep.add(near);
  const near: (Pair | undefined)[] = [];
  for (const [index, pair] of pairs.entries()) {
    if (keep.has(index)) near.push(pair);
    else if (near.length === 0 || near.at(-1) !== undefined) near.push(undefined);
  }
  return near;
}
