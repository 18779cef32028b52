import { shortened } from '../../shown.ts';
import type { Run } from '../connection.ts';
import { OWN_APPLICATION } from './scene.ts';

/** How statements of other sessions are shown: short, and not at all if they touch what is out of reach. */
export interface QueryTexts {
  /** Whether the statement touches a table of a schema that is out of reach. */
  isHidden(sql: string): boolean;
  shown(sql: string | null, most: number, application?: string | null): string;
}

const HIDDEN = '(touches a schema that is out of reach)';
const OF_SLUICE = '(Sluice itself)';
const OF_OTHERS = "(another user's: grant pg_monitor to see it)";

export const isOwn = (application: string | null | undefined): boolean =>
  application?.toLowerCase().startsWith(OWN_APPLICATION) ?? false;

/** Where a statement can name a relation. A comma continues the list of FROM. */
const RELATION =
  /(?:\b(?:from|join|into|update|table|truncate|copy)\s+|,\s*)(?:only\s+)?(?:"([^"]{1,63})"|([\w$\u0080-\uffff]+))/gi;

/** `tables` are the names of the tables out of reach that no schema in reach has, too. */
export function queryTexts(hidden: readonly string[], tables: ReadonlySet<string>): QueryTexts {
  const words = hidden.map((name) => name.replaceAll(/[^\w$]/g, '\\$&'));
  const qualified = words.length > 0 ? new RegExp(`(?<![\\w$])(?:${words.join('|')})"?\\s*\\.`, 'i') : undefined;
  const isHidden = (sql: string): boolean =>
    qualified?.test(sql) === true ||
    (tables.size > 0 &&
      [...sql.matchAll(RELATION)].some(([, quoted, bare]) => tables.has((quoted ?? bare ?? '').toLowerCase())));
  return {
    isHidden,
    shown(sql, most, application) {
      if (isOwn(application)) return OF_SLUICE;
      if (sql === null || sql === '<insufficient privilege>') return OF_OTHERS;
      return isHidden(sql) ? HIDDEN : shortened(sql.replaceAll(/\s+/g, ' ').trim(), most);
    },
  };
}

const TABLES = `SELECT lower(relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  EXCEPT SELECT lower(relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY($2) OR n.nspname IN ('pg_catalog', 'information_schema') LIMIT 100000`;

/** Statements name tables without their schema, so the names of what is out of reach must be known. */
export async function queryTextsOf(
  run: Run,
  hidden: readonly string[],
  schemas: readonly string[],
): Promise<QueryTexts> {
  const { rows } = hidden.length > 0 ? await run<{ name: string }>(TABLES, [hidden, schemas]) : { rows: [] };
  return queryTexts(hidden, new Set(rows.map(({ name }) => name)));
}
