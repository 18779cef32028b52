/**
 * Matches names against globs: `*` any run of characters, `?` one. Anything else is literal. The cost is at most the
 * length of the text times that of the globs, whatever the text: callers choose it.
 */
export function globMatcher(globs: readonly string[]): (name: string) => boolean {
  const patterns = globs.map(compile);
  return (name) => patterns.some((matches) => matches(name));
}

function compile(glob: string): (name: string) => boolean {
  // Several stars in a row are one.
  const [first = '', ...rest] = glob.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return (name) => name.length === glob.length && fitsAt(name, glob, 0);
  const shortest = first.length + last.length + rest.reduce((sum, piece) => sum + piece.length, 0);
  return (name) => {
    if (name.length < shortest || !fitsAt(name, first, 0)) return false;
    const end = name.length - last.length;
    let from = first.length;
    // The leftmost place of each piece leaves the most room for the next: no way ever has to be taken back.
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
