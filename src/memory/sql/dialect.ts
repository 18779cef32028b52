import type { TablesApart } from '../../store/store.ts';
import { bitsOf } from '../../store/postgres/bits.ts';

/** What SQLite and PostgreSQL write differently. Where PostgreSQL cannot tell the type of a value, it is told. */
export interface Dialect {
  readonly integer: string;
  readonly text: string;
  readonly bytes: string;
  readonly bits: string;
  /** The items of a JSON list as a table: `e.value`. */
  readonly items: string;
  /** Whether a text, or a number, is in a JSON list. */
  readonly isText: string;
  readonly isNumber: string;
  bitValue(bits: Uint8Array): Uint8Array | string;
}

const sqlite: Dialect = {
  integer: '?',
  text: '?',
  bytes: '?',
  bits: '?',
  items: 'json_each(?) AS e',
  isText: 'IN (SELECT value FROM json_each(?))',
  isNumber: 'IN (SELECT value FROM json_each(?))',
  bitValue: (bits) => bits,
};

const postgres: Dialect = {
  integer: '?::bigint',
  text: '?::text',
  bytes: '?::bytea',
  bits: '?::varbit',
  items: 'json_array_elements_text(?::json) AS e (value)',
  // An array, because PostgreSQL uses no index for a list whose length it does not know.
  isText: '= ANY (ARRAY(SELECT json_array_elements_text(?::json)))',
  isNumber: '= ANY (ARRAY(SELECT json_array_elements_text(?::json)::bigint))',
  bitValue: bitsOf,
};

export const dialectOf = ({ dialect }: TablesApart): Dialect => (dialect === 'sqlite' ? sqlite : postgres);
