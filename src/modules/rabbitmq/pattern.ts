/**
 * A glob as a pattern for RabbitMQ, which filters names with PCRE. The atomic groups keep its cost linear: the first
 * place where a piece fits leaves the most room for the next. PCRE counts bytes here, so `?` lets any text pass.
 */
const regexOf = (glob: string): string => {
  const [first = '', ...rest] = glob.split(/[*?]+/).map(literal);
  const last = rest.pop();
  return last === undefined ? first : `${first}${rest.map((piece) => `(?>.*?${piece})`).join('')}.*${last}`;
};

const literal = (piece: string): string =>
  piece.replace(/[\\^$.|+()[\]{}#\s/-]/g, (sign) => `\\x{${sign.codePointAt(0)?.toString(16)}}`);

/** The longest that fits into the line of a request, percent-encoded. */
const LONGEST = 2000;

/**
 * The names that one of the globs of each list fits. Undefined if there is no list, or if the pattern would be too long:
 * the names have to be filtered again in any case.
 */
export function nameFilter(...lists: readonly (readonly string[] | undefined)[]): string | undefined {
  const parts = lists.flatMap((globs) => (globs ? `(?=(?:${globs.map(regexOf).join('|')})\\z)` : []));
  // RabbitMQ ignores case unless it is told not to.
  const pattern = `(?s-i)\\A${parts.join('')}`;
  return parts.length === 0 || pattern.length > LONGEST ? undefined : pattern;
}
