/** The last `count` lines that were added, without keeping the others. */
export function lastLines<T>(count: number): { add(line: T): void; lines(): T[]; readonly dropped: boolean } {
  let kept: T[] = [];
  let dropped = false;
  return {
    add(line) {
      kept.push(line);
      // Seldom, so that the cost of a line stays the same however many there are.
      if (kept.length < count * 2 + 1) return;
      kept = kept.slice(-count);
      dropped = true;
    },
    lines: () => kept.slice(-count),
    get dropped() {
      return dropped || kept.length > count;
    },
  };
}
