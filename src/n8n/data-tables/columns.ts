import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { type Column, columnTypes } from '../client/data-tables.ts';

/** Columns that n8n fills in itself. */
export const systemColumns: readonly Column[] = [
  { name: 'id', type: 'number' },
  { name: 'createdAt', type: 'date' },
  { name: 'updatedAt', type: 'date' },
];

/** n8n uses the last one for previews. */
const reserved = new Set([...systemColumns.map(({ name }) => name.toLowerCase()), 'dryrunstate']);

export const isReserved = (name: string): boolean => reserved.has(name.toLowerCase());

const LONGEST = 63;

/** More than any database of n8n takes. */
export const MOST_COLUMNS = 2000;

export const columnInput = z.strictObject({
  name: z.string().trim().describe('Letters, digits and _; begins with a letter; at most 63 characters'),
  type: z.enum(columnTypes).describe('The type of its values'),
});

/** Why n8n would not accept a column name. */
function nameProblem(name: string): string | undefined {
  if (isReserved(name)) return `${shown(name)} is reserved: n8n has a column of that name in every table`;
  if (/^[a-z][a-z0-9_]*$/i.test(name) && name.length <= LONGEST) return undefined;
  return `${JSON.stringify(shown(name))} cannot be a column name: use letters, digits and _, begin with a letter, at most ${LONGEST} characters`;
}

/** Throws unless a table can have exactly these columns. n8n answers "Internal server error" to most of these mistakes. */
export function assertColumns(columns: readonly Column[], nothing = 'Nothing was changed.'): void {
  const seen = new Map<string, string>();
  for (const { name } of columns) {
    const problem = nameProblem(name);
    if (problem !== undefined) throw new AppError('invalid_input', `${problem}. ${nothing}`);
    // SQLite treats names as equal that differ only in case.
    const other = seen.get(name.toLowerCase());
    if (other !== undefined) {
      const how = other === name ? 'more than once' : `and ${other}, which differs only in case`;
      throw new AppError('invalid_input', `The table would have the column ${name} ${how}. ${nothing}`);
    }
    seen.set(name.toLowerCase(), name);
  }
}

/** A column by name. Names are case-sensitive, as in n8n. */
export function columnIn(columns: readonly Column[], wanted: string, table: string): Column {
  const found = columns.find(({ name }) => name === wanted);
  if (found) return found;
  throw new AppError('invalid_input', unknownColumn(columns, wanted, table));
}

export function unknownColumn(columns: readonly Column[], wanted: string, table: string): string {
  const names = columns.map(({ name }) => name);
  const few =
    names.length <= 30 ? `Its columns are ${names.join(', ')}.` : 'n8n_list_data_tables with limit shows its columns.';
  const advice = didYouMean(inQuotes(nearestNames(wanted, names)), names.length === 0 ? 'It has no columns.' : few);
  return `The data table ${JSON.stringify(shown(table))} has no column ${JSON.stringify(shown(wanted))}. ${advice}`;
}
