import type { Selection } from '../event-query.ts';
import type { Value } from './connection.ts';

/** Indexed columns have only the beginning of a text: an entry of an index may not be longer than about 2,700 bytes. */
const INDEXED = 200;
const inData = {
  tool: `data::json->>'tool'`,
  source: `coalesce(data::json->>'source', data::json->>'backend', data::json->>'server')`,
  principal: `data::json->>'principal'`,
};

/** SQL for the rows of a selection up to the id `last`. Contains only the filters in use. */
export function selectSql(selection: Selection, last?: number): { sql: string; values: Value[] } {
  const { order, limit, after, since, until } = selection;
  const values: Value[] = [];
  const given = (value: Value) => `$${values.push(value)}`;
  const conditions: string[] = [];
  const equals = (column: keyof typeof inData, value: string) => {
    conditions.push(`${column} = ${given(beginning(value))}`);
    if (beginning(value) !== value) conditions.push(`${inData[column]} = ${given(value)}`);
  };
  if (after !== undefined) conditions.push(`id ${order === 'asc' ? '>' : '<'} ${given(after)}`);
  if (last !== undefined) conditions.push(`id <= ${given(last)}`);
  if (since !== undefined) conditions.push(`at >= ${given(since)}`);
  if (until !== undefined) conditions.push(`at < ${given(until)}`);
  if (selection.status !== undefined) conditions.push(`status = ${given(selection.status)}`);
  if (selection.type !== undefined) {
    const type = given(selection.type);
    conditions.push(`left(event_type, ${INDEXED}) = left(${type}, ${INDEXED}) AND event_type = ${type}`);
  }
  for (const column of ['source', 'tool', 'principal'] as const) {
    const value = selection[column];
    if (value !== undefined) equals(column, value);
  }
  if (selection.typePrefix !== undefined) {
    const { typePrefix } = selection;
    conditions.push(
      `left(event_type, ${INDEXED}) LIKE ${given(`${literal(beginning(typePrefix))}%`)}`,
      `starts_with(event_type, ${given(typePrefix)})`,
    );
  }
  if (selection.audit) conditions.push(`left(event_type, ${INDEXED}) = ANY(${given(selection.audit)})`);
  if (selection.own) {
    equals('principal', selection.own.principal);
    conditions.push(`event_type LIKE 'tool.%' AND tool LIKE ANY(${given(selection.own.tools.map(likeOf))})`);
  }
  if (selection.text !== undefined) {
    const like = given(`%${literal(selection.text)}%`);
    // The JSON text also contains keys, which are not searched, but it is a fast prefilter.
    const inJson = given(`%${literal(JSON.stringify(selection.text).slice(1, -1))}%`);
    conditions.push(
      `(event_type ILIKE ${like} OR data ILIKE ${inJson} AND EXISTS (
         SELECT 1 FROM jsonb_path_query(data::jsonb, 'strict $.**') AS found(value)
         WHERE jsonb_typeof(value) IN ('string', 'number') AND value #>> '{}' COLLATE "C" ILIKE ${like}))`,
    );
  }
  // A trace has few events. Without OFFSET 0 a planner that knows the table badly walks it from its end to find them.
  const from =
    selection.trace === undefined
      ? 'events'
      : `(SELECT * FROM events WHERE trace_id = ${given(selection.trace)} OFFSET 0) AS events`;
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  return {
    sql: `SELECT id, at, trace_id, event_type, status, data FROM ${from} ${where} ORDER BY id ${direction} LIMIT ${given(limit)}`,
    values,
  };
}

/** The first characters, as PostgreSQL counts them. */
const beginning = (text: string): string =>
  text.length < INDEXED ? text : Array.from(text).slice(0, INDEXED).join('');

const literal = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`);

/** Our globs have only stars and question marks. */
const likeOf = (glob: string): string => literal(glob).replaceAll('*', '%').replaceAll('?', '_');
