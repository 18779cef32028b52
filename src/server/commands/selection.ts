/** The entries that `1,3-5`, `github, memory`, `all` or `none` picks from a numbered list, or what is wrong with the line. */
export function readSelection(line: string, names: readonly string[]): Set<number> | { problem: string } {
  const text = line.trim().toLowerCase();
  if (text === '' || text === 'all') return new Set(names.keys());
  if (text === 'none') return new Set();
  const picked = new Set<number>();
  for (const part of text.split(/[\s,]+/).filter((word) => word !== '')) {
    const range = /^(\d+)(?:-(\d+))?$/.exec(part);
    const named = names.findIndex((name) => name.toLowerCase() === part);
    if (named !== -1) picked.add(named);
    else if (!range) return { problem: `${part} is none of them. Write numbers such as 1,3-5, or all, or none.` };
    else {
      const from = Number(range[1]);
      const to = Number(range[2] ?? range[1]);
      if (from < 1 || to > names.length || from > to) return { problem: `${part} is not within 1 to ${names.length}.` };
      for (let number = from; number <= to; number++) picked.add(number - 1);
    }
  }
  return picked;
}
