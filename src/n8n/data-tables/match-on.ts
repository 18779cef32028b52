import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Cells, Column } from '../client/data-tables.ts';
import { refused, type RowProblem } from './checked-rows.ts';
import { columnIn } from './columns.ts';
import type { Mode } from './write/write-rows.ts';

export const modeInput = z
  .enum(['insert', 'update', 'upsert'])
  .describe('insert adds rows; update changes rows that exist; upsert does both. Default: insert');

export const matchOnInput = z
  .array(z.string().min(1).max(200))
  .min(1)
  .max(10)
  .describe('Columns that identify a row, for update and upsert, such as ["email"]');

/** n8n gets the values in the address when rows are looked up. */
const LONGEST_KEY = 2000;

/** The columns to match rows by. Throws if they cannot serve. */
export function matchColumns(
  table: { readonly name: string; readonly columns: readonly Column[] },
  mode: Mode,
  wanted: readonly string[] | undefined,
): readonly string[] | undefined {
  if (mode === 'insert') {
    if (wanted) throw new AppError('invalid_input', 'match_on is for update and upsert. Leave it out, or set mode.');
    return undefined;
  }
  return wanted?.map((name) => {
    if (name === 'id' && mode === 'update') return name;
    const { type } = columnIn(table.columns, name, table.name);
    if (type === 'date') {
      throw new AppError('invalid_input', `match_on cannot be ${name}: n8n does not reliably find dates. Use others.`);
    }
    return name;
  });
}

/** Throws if a row lacks a value to match by. */
export function assertKeys(
  rows: readonly Cells[],
  on: readonly string[],
  where: (index: number) => string = (index) => `row ${index + 1}`,
): void {
  const problems = rows.flatMap((row, index) => keyProblems(row, on, where(index)));
  if (problems.length > 0) throw refused(problems);
}

export function keyProblems(row: Cells, on: readonly string[], where: string): RowProblem[] {
  return on.flatMap((column) => {
    const value = Object.hasOwn(row, column) ? row[column] : null;
    if (value === null || value === undefined)
      return [{ where, column, text: 'is empty, so there is nothing to match by' }];
    const isLong = typeof value === 'string' && encodeURIComponent(value.toWellFormed()).length > LONGEST_KEY;
    return isLong ? [{ where, column, text: 'is too long to match by' }] : [];
  });
}
