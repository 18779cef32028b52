import { AppError } from '../../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import { own } from '../../../kernel/own.ts';
import type { Column, ColumnType } from '../../client/data-tables.ts';
import { assertColumns, isReserved, systemColumns, unknownColumn } from '../columns.ts';
import { columnName } from './names.ts';

/** Headings and the columns they belong to; null leaves one out. */
export type Mapping = Readonly<Record<string, string | null>>;

export interface CsvTarget {
  /** The name of the table. */
  readonly name: string;
  /** Undefined: the table is to be created. */
  readonly columns?: readonly Column[] | undefined;
  readonly mapping?: Mapping | undefined;
  /** Types of columns of a new table that are not to be inferred. */
  readonly types?: Readonly<Record<string, ColumnType>> | undefined;
  /** Columns to match rows by. They may include `id`. */
  readonly matchOn?: readonly string[] | undefined;
}

/** The column of a field. `type` is absent if it is still to be inferred. */
export interface CsvColumn {
  readonly name: string;
  readonly type?: ColumnType;
}

export interface Headings {
  /** One for each field of a record. Undefined: the field is left out. */
  readonly columns: readonly (CsvColumn | undefined)[];
  /** Fields whose heading is empty. They must be empty, too. */
  readonly unnamed: ReadonlySet<number>;
  /** Headings that are left out because n8n fills these columns in. */
  readonly ignored: readonly string[];
  /** Headings whose column has another name. */
  readonly renamed: Readonly<Record<string, string>>;
}

/** Finds the column of each heading. Throws if one has none, or several have the same. */
export function readHeadings(fields: readonly (string | null)[], target: CsvTarget): Headings {
  const headings = fields.map((field) => (field ?? '').trim());
  assertNamed('The mapping', Object.keys(target.mapping ?? {}), headings);
  const ignored: string[] = [];
  const columns = headings.map((heading): CsvColumn | undefined => {
    if (heading === '') return undefined;
    const mapped = own(target.mapping ?? {}, heading);
    if (mapped === null) return undefined;
    const found = target.columns ? existing(target, heading, mapped) : created(target, heading, mapped);
    if (found === 'ignored') ignored.push(heading);
    return found === 'ignored' ? undefined : found;
  });
  const used = columns.filter((column) => column !== undefined);
  if (used.length === 0)
    throw bad('The CSV has no column that can be imported. Its first line must hold the headings.');
  assertOnce(headings, columns);
  const typed = Object.keys(target.types ?? {}).filter((name) => !used.some((column) => column.name === name));
  assertNamed('types', typed, headings);
  if (!target.columns)
    assertColumns(
      used.map(({ name }) => ({ name, type: 'string' })),
      'Nothing was created.',
    );
  const missing = target.matchOn?.find((name) => !used.some((column) => column.name === name));
  if (missing !== undefined) throw bad(`The CSV has no column ${missing}, which match_on names.`);
  const renamed = headings.flatMap((heading, at): [string, string][] => {
    const column = columns[at];
    return column && column.name !== heading ? [[heading, column.name]] : [];
  });
  const unnamed = new Set(headings.flatMap((heading, at) => (heading === '' ? [at] : [])));
  return { columns, unnamed, ignored, renamed: Object.fromEntries(renamed) };
}

function existing(target: CsvTarget, heading: string, mapped: string | undefined): Column | 'ignored' {
  const { name: table, columns = [], matchOn = [] } = target;
  const usable = matchOn.includes('id') ? [...columns, ...systemColumns.slice(0, 1)] : columns;
  const by = (test: (name: string) => boolean) => usable.find(({ name }) => test(name));
  if (mapped !== undefined) {
    const column = by((name) => name === mapped);
    if (column) return column;
    throw bad(unknownColumn(usable, mapped, table));
  }
  const like = columnName(heading).toLowerCase();
  const found =
    by((name) => name === heading) ??
    by((name) => name.toLowerCase() === heading.toLowerCase()) ??
    by((name) => name.toLowerCase() === like);
  if (found) return found;
  if (isReserved(heading)) return 'ignored';
  throw bad(`${unknownColumn(usable, heading, table)} To leave a heading out, map it to null; or map it to a column.`);
}

function created({ types = {} }: CsvTarget, heading: string, mapped: string | undefined): CsvColumn {
  const name = mapped ?? columnName(heading);
  const type = own(types, heading) ?? own(types, name);
  return { name, ...(type !== undefined && { type }) };
}

function assertOnce(headings: readonly string[], columns: readonly (CsvColumn | undefined)[]): void {
  const seen = new Map<string, string>();
  for (const [at, column] of columns.entries()) {
    if (!column) continue;
    const key = column.name.toLowerCase();
    const other = seen.get(key);
    const heading = headings[at] as string;
    if (other !== undefined) {
      throw bad(
        `The headings ${quote(other)} and ${quote(heading)} both become the column ${column.name}. Map one of them to another name, or to null.`,
      );
    }
    seen.set(key, heading);
  }
}

function assertNamed(what: string, names: readonly string[], headings: readonly string[]): void {
  for (const name of names) {
    if (headings.includes(name)) continue;
    const near = nearestNames(
      name,
      headings.filter((one) => one !== ''),
    );
    const all = `The headings are ${headings.slice(0, 30).map(quote).join(', ')}.`;
    throw bad(`${what} names ${quote(name)}, but the CSV has no such heading. ${didYouMean(inQuotes(near), all)}`);
  }
}

const quote = (text: string): string => JSON.stringify(shown(text, 60));
const bad = (message: string): AppError => new AppError('invalid_input', `${message} Nothing was written.`);
