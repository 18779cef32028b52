import type { TemplatePart } from '../expressions/template.ts';

/** Whether a text under this key of a tool's arguments is a statement, which no value may change. */
export function statementKind(key: string, tool: string): 'sql' | 'cypher' | undefined {
  const name = key.toLowerCase();
  if (name === 'sql') return 'sql';
  if (name === 'cypher') return 'cypher';
  return name === 'query' && (tool === 'graph_query' || tool === 'graph_write') ? 'cypher' : undefined;
}

/** Texts, quoted names and comments; then words. Each alternative begins with something else, so it takes linear time. */
const TOKEN =
  /[eE]'(?:[^'\\]|''|\\.)*'?|'(?:[^']|'')*'?|"(?:[^"]|"")*"?|--[^\n\r]*|\/\*|\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$|[\p{L}\p{N}_][\p{L}\p{N}_$]*/gsu;
const IN_COMMENT = /\/\*|\*\//g;

/** What cannot hold an expression without letting its value out. */
const ENCLOSING = /^(?:[eE]?'|["$/-])/;

/** The first expression of an SQL statement that stands inside a text, a quoted name or a comment. */
export function enclosedIn(parts: readonly TemplatePart[]): TemplatePart | undefined {
  const places: { readonly part: TemplatePart; readonly at: number }[] = [];
  let sql = '';
  for (const part of parts) {
    if (part.kind === 'expression') places.push({ part, at: sql.length });
    sql += part.kind === 'text' ? part.text : 'x';
  }
  let next = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(sql); match && next < places.length; match = TOKEN.exec(sql)) {
    const { 0: token, index } = match;
    if (token === '/*') TOKEN.lastIndex = afterComment(sql, TOKEN.lastIndex);
    // $tag$ … $tag$ is a text.
    if (token.startsWith('$')) TOKEN.lastIndex = after(token, sql, TOKEN.lastIndex);
    while ((places[next]?.at ?? Number.POSITIVE_INFINITY) < index) next++;
    const place = places[next];
    if (place && place.at < TOKEN.lastIndex && ENCLOSING.test(token)) return place.part;
  }
  return undefined;
}

function after(text: string, sql: string, from: number): number {
  const at = sql.indexOf(text, from);
  return at === -1 ? sql.length : at + text.length;
}

/** Comments may be in comments. */
function afterComment(sql: string, from: number): number {
  IN_COMMENT.lastIndex = from;
  for (let depth = 1, match = IN_COMMENT.exec(sql); match; match = IN_COMMENT.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return IN_COMMENT.lastIndex;
  }
  return sql.length;
}
