import { AppError } from '../../kernel/errors.ts';
import { type Cell, type Cells, type Column } from '../client/data-tables.ts';
import { checkedCell } from './cell.ts';
import { unknownColumn } from './columns.ts';

const MOST_PROBLEMS = 10;

export interface RowProblem {
  /** `row 3` or `line 12` */
  readonly where: string;
  readonly column?: string;
  readonly text: string;
}

/** All rows with values as n8n is to store them. Throws with every problem found, before anything is written. */
export function checkedRows(
  table: string,
  columns: readonly Column[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Cells[] {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const problems: RowProblem[] = [];
  const good = rows.map((row, index) => {
    const where = `row ${index + 1}`;
    const cells: [string, Cell][] = [];
    for (const [column, given] of Object.entries(row)) {
      const type = types.get(column);
      const checked = type && checkedCell(type, given);
      if (checked === undefined) problems.push({ where, text: unknownColumn(columns, column, table) });
      else if ('problem' in checked) problems.push({ where, column, text: checked.problem });
      else cells.push([column, checked.value]);
    }
    if (Object.keys(row).length === 0) problems.push({ where, text: 'has no values' });
    return Object.fromEntries(cells);
  });
  if (problems.length > 0) throw refused(problems);
  return good;
}

export function refused(problems: readonly RowProblem[], more = 0): AppError {
  const lines = problems
    .slice(0, MOST_PROBLEMS)
    .map(({ where, column, text }) => `${where}${column === undefined ? '' : `, column ${column}`}: ${text}`);
  const left = problems.length - lines.length + more;
  const rest = left > 0 ? `\n… and ${left} more` : '';
  return new AppError('invalid_input', `Nothing was written, because of these values:\n${lines.join('\n')}${rest}`);
}
