/** Matches names against globs: `*` any run of characters, `?` one. Anything else is literal. */
export function globMatcher(globs: readonly string[]): (name: string) => boolean {
  if (globs.length === 0) return () => false;
  const source = globs
    .map((glob) =>
      glob
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.'),
    )
    .join('|');
  const pattern = new RegExp(`^(?:${source})$`, 's');
  return (name) => pattern.test(name);
}
