/** A line on the left, on the right, or the same on both sides. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Beyond this, finding the shortest difference costs too much: then everything between the equal ends counts as changed. */
const MOST_CELLS = 4_000_000;

/** What must be removed and added to get from one text to the other, by lines. */
export function diffLines(before: string, after: string): DiffLine[] {
  const left = before.split('\n');
  const right = after.split('\n');
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  const same = (lines: readonly string[]) => lines.map((text): DiffLine => ({ kind: 'same', text }));
  return [
    ...same(left.slice(0, start)),
    ...between(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...same(left.slice(left.length - end)),
  ];
}

function between(left: readonly string[], right: readonly string[]): DiffLine[] {
  if (left.length * right.length > MOST_CELLS) return [...marked('removed', left), ...marked('added', right)];
  const wide = right.length + 1;
  // How many lines the rest of both have in common.
  const common = new Uint32Array((left.length + 1) * wide);
  const at = (row: number, column: number) => common[row * wide + column] as number;
  for (let row = left.length - 1; row >= 0; row--)
    for (let column = right.length - 1; column >= 0; column--)
      common[row * wide + column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) {
      lines.push({ kind: 'same', text: left[row] as string });
      row++;
      column++;
    } else if (at(row + 1, column) >= at(row, column + 1)) lines.push({ kind: 'removed', text: left[row++] as string });
    else lines.push({ kind: 'added', text: right[column++] as string });
  }
  return [...lines, ...marked('removed', left.slice(row)), ...marked('added', right.slice(column))];
}

const marked = (kind: 'removed' | 'added', lines: readonly string[]): DiffLine[] =>
  lines.map((text) => ({ kind, text }));
