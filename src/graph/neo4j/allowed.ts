import { AppError } from '../../kernel/errors.ts';
import { someOf } from '../../kernel/some-of.ts';
import { readStatement } from './statement.ts';

/** How a statement begins that only reads. */
const beginnings: ReadonlySet<string> = new Set(
  'MATCH OPTIONAL WITH UNWIND RETURN CALL SHOW EXPLAIN PROFILE CYPHER USE LET FILTER FOR ORDER WHEN'.split(' '),
);

/** Procedures that neither write nor reach outside. Those of APOC that export write files in a transaction that reads. */
const procedures: readonly RegExp[] = [
  /^db\.(labels|relationshipTypes|propertyKeys|indexes|constraints|info|ping)$/i,
  /^db\.schema\.(visualization|nodeTypeProperties|relTypeProperties)$/i,
  /^db\.index\.(fulltext|vector)\.query(Nodes|Relationships)$/i,
  /^db\.index\.fulltext\.listAvailableAnalyzers$/i,
  /^dbms\.(components|info|procedures|functions)$/i,
  /^apoc\.(meta|path|algo|search|neighbors|stats)\.[\w.]+$/i,
  /^gds\.[\w.]+\.stream$/i,
];

/** Functions that send data to others, or that we do not know. */
const functions: readonly RegExp[] = [
  /^(genai|ai)\./i,
  /^apoc\.(?!(agg|any|bitwise|coll|convert|create|data|date|diff|hashing|label|map|math|meta|node|nodes|number|rel|schema|scoring|temporal|text|util|version|xml)(\.|$))/i,
];

const isAllowed = (name: string): boolean => procedures.some((pattern) => pattern.test(name));

const unforeseenIn = (names: readonly string[]): string[] => [...new Set(names.filter((name) => !isAllowed(name)))];

/** Refuses a statement that may do more than read. The transaction refuses the writes that words do not show. */
export function requireReading(cypher: string): void {
  const { words, procedures: called, functions: used } = readStatement(cypher);
  const [first] = words;
  if (first === undefined)
    throw new AppError('invalid_input', 'The statement is empty. Example: MATCH (n) RETURN n LIMIT 10');
  if (!beginnings.has(first)) throw readsOnly(`This statement begins with ${first}.`);
  if (words.includes('LOAD')) throw readsOnly('LOAD CSV reads files and addresses outside of Neo4j.');
  if (words.includes('TERMINATE')) throw readsOnly('TERMINATE ends transactions of others.');
  const unknown = [...unforeseenIn(called), ...new Set(used.filter((name) => functions.some((one) => one.test(name))))];
  if (unknown.length > 0) throw readsOnly(`${someOf(unknown)} may write or reach outside of Neo4j.`);
}

const readsOnly = (why: string) =>
  new AppError('invalid_input', `graph_query only reads. ${why} Nothing was run. Use graph_write for such statements.`);

const deleting: ReadonlySet<string> = new Set(['DELETE', 'DETACH', 'REMOVE', 'DROP', 'REPLACE']);

/** Whether a statement may delete something, and what it calls that a rehearsal might not undo. */
export function deletionIn(cypher: string): { deletes: boolean; unforeseeable: readonly string[] } {
  const { words, procedures: called } = readStatement(cypher);
  return {
    deletes: words.some((word) => deleting.has(word)),
    unforeseeable: [...unforeseenIn(called), ...(words.includes('LOAD') ? ['LOAD CSV'] : [])],
  };
}
