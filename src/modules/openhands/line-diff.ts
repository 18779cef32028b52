/** How many lines around a change are shown. */
const AROUND = 3;
/** Larger ones are compared by their beginning and end alone. */
const MOST_CELLS = 4_000_000;

type Line = readonly [sign: ' ' | '-' | '+', text: string];

/** What changed between two texts, as `diff -u` shows it, without the names. */
export function lineDiff(before: string, after: string): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail])
    tail += 1;
  const middle = compared(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  const same = (lines: readonly string[]) => lines.map((text): Line => [' ', text]);
  return hunks([...same(a.slice(0, head)), ...middle, ...same(a.slice(a.length - tail))]);
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** By the longest common subsequence. */
function compared(a: readonly string[], b: readonly string[]): Line[] {
  const width = b.length + 1;
  if ((a.length + 1) * width > MOST_CELLS)
    return [...a.map((text): Line => ['-', text]), ...b.map((text): Line => ['+', text])];
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Line[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [left = '', right = ''] = [a[i], b[j]];
    if (i < a.length && j < b.length && left === right) {
      lines.push([' ', left]);
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(['-', left]);
      i += 1;
    } else {
      lines.push(['+', right]);
      j += 1;
    }
  }
  return lines;
}

/** Only what is near a change, with the numbers of lines. */
function hunks(lines: readonly Line[]): string {
  const near = new Set<number>();
  for (const [n, [sign]] of lines.entries())
    if (sign !== ' ') for (let k = n - AROUND; k <= n + AROUND; k += 1) near.add(k);
  const shown: string[] = [];
  let [before, after] = [1, 1];
  for (const [n, [sign, text]] of lines.entries()) {
    if (near.has(n)) {
      if (!near.has(n - 1) || n === 0) shown.push(`@@ -${before} +${after} @@`);
      shown.push(`${sign}${text}`);
    }
    if (sign !== '+') before += 1;
    if (sign !== '-') after += 1;
  }
  return shown.join('\n');
}
