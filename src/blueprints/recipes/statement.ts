/** Where a name stands in a statement, quotes included. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** Escapes and comments in comments: telling where a text ends would take a whole parser. */
const UNSURE = /\\|\/\*/;
const BARE = /^[a-z_][a-z0-9_]{0,62}$/;
/** Texts, comments and quoted names; then words. Each alternative begins with something else, so it takes linear time. */
const TOKEN = /'(?:[^']|'')*'?|--[^\n]*|\$\w*\$|"(?:[^"]|"")*"?|[\p{L}_][\p{L}\p{N}_$]*/gu;

/**
 * Where an SQL statement uses this name as an identifier: in double quotes, or bare, which only works for names in lower
 * case, because PostgreSQL folds others. Texts and comments are left alone.
 */
export function identifierPlaces(sql: string, name: string): Place[] {
  if (name === '' || !sql.includes(name) || UNSURE.test(sql)) return [];
  const quoted = `"${name.replaceAll('"', '""')}"`;
  const isBare = BARE.test(name);
  const places: Place[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(sql); match; match = TOKEN.exec(sql)) {
    const [token] = match;
    const place = { start: match.index, end: match.index + token.length };
    if (token.startsWith('$')) {
      // $tag$ … $tag$ is a text.
      const end = sql.indexOf(token, place.end);
      TOKEN.lastIndex = end === -1 ? sql.length : end + token.length;
    } else if ((token === quoted || (isBare && token === name)) && isName(sql, place)) places.push(place);
  }
  return places;
}

/** Not what begins a text, as in `E'…'` and `U&"…"`, and not a variable. */
const isName = (sql: string, { start, end }: Place): boolean =>
  sql[end] !== "'" && sql[end] !== '&' && sql[start - 1] !== '$' && sql[start - 1] !== ':';
