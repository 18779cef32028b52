import type { Selection } from '../event-query.ts';

type Values = Record<string, string | number>;

/** SQL for the rows of a selection between the ids `:low` and `:high`. Contains only the filters in use. */
export function selectSql(selection: Selection): { sql: string; values: Values } {
  const { order, trace, type, typePrefix, status, source, tool, principal, own, audit, since, until, text } = selection;
  const conditions = ['id BETWEEN :low AND :high'];
  const values: Values = {};
  const where = (condition: string, given: Values) => {
    conditions.push(condition);
    Object.assign(values, given);
  };
  if (trace !== undefined) where('trace_id = :trace', { trace });
  if (type !== undefined) where('event_type = :type', { type });
  if (typePrefix !== undefined) where('substr(event_type, 1, length(:typePrefix)) = :typePrefix', { typePrefix });
  if (audit) where('event_type IN (SELECT value FROM json_each(:audit))', { audit: JSON.stringify(audit) });
  if (status !== undefined) where('status = :status', { status });
  if (since !== undefined) where('at >= :since', { since });
  if (until !== undefined) where('at < :until', { until });
  // Searching the JSON text first is a fast prefilter: it contains each value after its key.
  const field = (name: string, value: string, expression: string) =>
    where(`instr(data, :${name}Json) > 0 AND ${expression} = :${name}`, {
      [name]: value,
      [`${name}Json`]: `:${JSON.stringify(value)}`,
    });
  if (source !== undefined) {
    field('source', source, `coalesce(data->>'$.source', data->>'$.backend', data->>'$.server')`);
  }
  if (tool !== undefined) field('tool', tool, `data->>'$.tool'`);
  if (principal !== undefined) field('principal', principal, `data->>'$.principal'`);
  if (own) {
    field('owner', own.principal, `data->>'$.principal'`);
    where(
      `event_type GLOB 'tool.*' AND EXISTS (SELECT 1 FROM json_each(:ownTools) WHERE events.data->>'$.tool' GLOB value)`,
      { ownTools: JSON.stringify(own.tools.map(sqlGlob)) },
    );
  }
  if (text !== undefined) {
    // The JSON text also contains keys, which are not searched, but it is a fast prefilter.
    where(
      `(event_type LIKE :like ESCAPE '\\' OR data LIKE :jsonLike ESCAPE '\\' AND EXISTS
         (SELECT 1 FROM json_tree(events.data) WHERE atom LIKE :like ESCAPE '\\'))`,
      { like: contains(text), jsonLike: contains(JSON.stringify(text).slice(1, -1)) },
    );
  }
  return {
    sql: `SELECT * FROM events WHERE ${conditions.join(' AND ')} ORDER BY id ${order === 'asc' ? 'ASC' : 'DESC'} LIMIT :limit`,
    values,
  };
}

/** Our globs have only stars and question marks, so escape brackets. */
function sqlGlob(glob: string): string {
  return glob.replaceAll('[', '[[]');
}

function contains(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
