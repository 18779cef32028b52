/** Files in an order in which each comes after those that it calls. In a circle, one comes first. */
export function bottomUp(files: readonly string[], calledBy: (file: string) => Iterable<string>): string[] {
  const wanted = new Set(files);
  const seen = new Set<string>();
  const order: string[] = [];
  for (const first of [...files].sort()) {
    // Without recursion: a chain of calls may be long.
    const open: { file: string; called: Iterator<string> }[] = [];
    const enter = (file: string) => {
      if (seen.has(file) || !wanted.has(file)) return;
      seen.add(file);
      open.push({ file, called: calledBy(file)[Symbol.iterator]() });
    };
    enter(first);
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const next = top.called.next();
      if (!next.done) enter(next.value);
      else {
        order.push(top.file);
        open.pop();
      }
    }
  }
  return order;
}
