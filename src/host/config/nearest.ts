/** The known word a misspelt one was probably meant to be. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[-_]/g, '');
  const wanted = plain(word);
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate));
    if (!best || distance < best.distance) best = { word: candidate, distance };
  }
  if (best && best.distance <= Math.max(1, Math.floor(wanted.length / 3))) return best.word;
  // `warning` for `warn`, `mcp` for `mcpServers`.
  return known.find((candidate) => {
    const [short = '', long = ''] = [wanted, plain(candidate)].sort((a, b) => a.length - b.length);
    return short.length >= 3 && long.startsWith(short);
  });
}

// Swapped neighbours count as one slip: `prot` is meant to be `port`.
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + cost, swap));
    }
  }
  return at(a.length, b.length);
}
