import type { TablesApart } from '../../store/store.ts';
import type { AsOf } from '../engine.ts';

type Kind = 'text' | 'bigint';

/** What SQLite and PostgreSQL spell differently. Lists go in as one JSON value, so that there are few statements. */
export interface Dialect {
  /** The rows of a JSON list of objects, given for one `?`. */
  given(columns: Readonly<Record<string, Kind>>): string;
  /** After a column: whether it is one of the numbers, or texts, of a JSON list, given for one `?`. */
  readonly isId: string;
  readonly isText: string;
  /** Where a text is in another one: `(text, part)`. */
  readonly position: string;
  /** Joins the places where the words are, given `asked.match`. */
  readonly match: { readonly name: string; readonly about: string; readonly observation: string };
  /** One term for `asked.match`: letters and digits only. */
  term(word: string, isBeginning: boolean): string;
  /** One writer at a time, from here to the end of the transaction. SQLite has no other kind. */
  readonly lock?: string;
}

const sqlite: Dialect = {
  given: (columns) =>
    `(SELECT key AS nth, ${Object.keys(columns)
      .map((name) => `value ->> '$.${name}' AS ${name}`)
      .join(', ')} FROM json_each(?))`,
  isId: 'IN (SELECT value FROM json_each(?))',
  isText: 'IN (SELECT value FROM json_each(?))',
  position: 'instr',
  match: {
    name: `JOIN graph_entity_index i ON i.graph_entity_index MATCH 'name : ' || asked.match
           JOIN graph_entities e ON e.id = i.rowid`,
    about: `JOIN graph_entity_index i ON i.graph_entity_index MATCH 'about : ' || asked.match
            JOIN graph_entities e ON e.id = i.rowid`,
    observation: `JOIN graph_observation_index i ON i.graph_observation_index MATCH asked.match
                  JOIN graph_observations o ON o.id = i.rowid`,
  },
  term: (word, isBeginning) => `"${word}"${isBeginning ? '*' : ''}`,
};

const postgres: Dialect = {
  given: (columns) =>
    `(SELECT listed.* FROM ROWS FROM (json_to_recordset(?::json) AS (${Object.entries(columns)
      .map(([name, kind]) => `${name} ${kind}`)
      .join(', ')})) WITH ORDINALITY AS listed (${Object.keys(columns).join(', ')}, nth))`,
  // An array, because PostgreSQL uses no index for a list whose length it does not know.
  isId: '= ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(?::json)))',
  isText: '= ANY (ARRAY(SELECT value FROM json_array_elements_text(?::json)))',
  position: 'strpos',
  match: {
    name: 'JOIN graph_entities e ON e.name_terms @@ asked.match::tsquery',
    about: 'JOIN graph_entities e ON e.about_terms @@ asked.match::tsquery',
    observation: 'JOIN graph_observations o ON o.terms @@ asked.match::tsquery',
  },
  term: (word, isBeginning) => `'${word}'${isBeginning ? ':*' : ''}`,
  lock: 'LOCK TABLE graph_entities IN SHARE ROW EXCLUSIVE MODE',
};

export const dialectOf = ({ dialect }: Pick<TablesApart, 'dialect'>): Dialect =>
  dialect === 'sqlite' ? sqlite : postgres;

/** Before every time, and after every time. */
export const OPEN_START = '';
export const OPEN_END = '~';

/** The condition that a row is valid, and the values for it. */
export const valid = (row: string): string => `${row}.valid_from <= ? AND ${row}.valid_to > ?`;
export const at = (asOf: AsOf): [string, string] => (asOf === 'any' ? [OPEN_END, OPEN_START] : [asOf, asOf]);
