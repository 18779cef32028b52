/**
 * Whether a glob (`*` is any run of characters, `?` is one) fits some path that begins with this folder. Follows the
 * folder's characters through the glob, keeping every place where it may be.
 */
export function mayHold(glob: string, folder: string): boolean {
  let places = reached(glob, [0]);
  for (const sign of folder) {
    const next = [...places].flatMap((at) => {
      if (glob[at] === '*') return [at];
      return glob[at] === '?' || glob[at] === sign ? [at + 1] : [];
    });
    places = reached(glob, next);
    if (places.size === 0) return false;
  }
  // The path goes on after the folder, so the glob must, too.
  return [...places].some((at) => at < glob.length);
}

/** A star may also stand for nothing. */
function reached(glob: string, places: readonly number[]): Set<number> {
  const all = new Set<number>();
  for (const place of places)
    for (let at = place; !all.has(at); at++) {
      all.add(at);
      if (glob[at] !== '*') break;
    }
  return all;
}
