/**
 * Matches names against globs: `*` is any run of characters, `?` is one, everything else is literal. Callers choose the
 * text, so the cost is at most its length times that of the globs.
 */
export function globMatcher(globs: readonly string[]): (name: string) => boolean {
  const patterns = globs.map(compile);
  return (name) => patterns.some((matches) => matches(name));
}

function compile(glob: string): (name: string) => boolean {
  // Treat several stars in a row as one.
  const [first = '', ...rest] = glob.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return (name) => name.length === glob.length && fitsAt(name, glob, 0);
  const shortest = first.length + last.length + rest.reduce((sum, piece) => sum + piece.length, 0);
  return (name) => {
    if (name.length < shortest || !fitsAt(name, first, 0)) return false;
    const end = name.length - last.length;
    let from = first.length;
    // The leftmost match of each piece leaves the most room for the next, so no backtracking is needed.
    for (const piece of rest) {
      from = placeOf(piece, name, from, end);
      if (from === -1) return false;
      from += piece.length;
    }
    return from <= end && fitsAt(name, last, end);
  };
}

function placeOf(piece: string, name: string, from: number, end: number): number {
  if (!piece.includes('?')) {
    const at = name.indexOf(piece, from);
    return at + piece.length <= end ? at : -1;
  }
  for (let at = from; at + piece.length <= end; at++) if (fitsAt(name, piece, at)) return at;
  return -1;
}

function fitsAt(name: string, piece: string, at: number): boolean {
  if (!piece.includes('?')) return name.startsWith(piece, at);
  for (let n = 0; n < piece.length; n++) if (piece[n] !== '?' && piece[n] !== name[at + n]) return false;
  return true;
}
