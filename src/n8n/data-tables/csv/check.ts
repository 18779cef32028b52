import type { Cell, Cells, Column, ColumnType } from '../../client/data-tables.ts';
import { cellFromText } from '../cell.ts';
import { refused, type RowProblem } from '../checked-rows.ts';
import { keyProblems } from '../match-on.ts';
import type { Headings } from './headings.ts';
import { createInference } from './infer.ts';
import type { CsvRecord } from './parse.ts';

const MOST_KEPT = 20;
/** n8n stores an id, two times and its own bookkeeping with each row. */
const ROW_BYTES = 60;

/** n8n refuses requests of more than 16 MB. A row cannot be split. */
const MOST_BYTES = 15_000_000;
/** A character takes at most six bytes of JSON. */
const MOST_PER_CHARACTER = 6;

export interface CsvCheck {
  see(record: CsvRecord): void;
  /** Throws with the lines of all bad values. Otherwise says what the CSV holds. */
  finish(): { readonly columns: readonly (Column | undefined)[]; readonly rows: number; readonly bytes: number };
}

/** The first pass over a CSV: checks every record, and infers the types of new columns. */
export function createCsvCheck({ columns, unnamed }: Headings, matchOn: readonly string[] = []): CsvCheck {
  const inferences = columns.map((column) => (column && column.type === undefined ? createInference() : undefined));
  const problems: RowProblem[] = [];
  let [more, rows, bytes] = [0, 0, 0];
  const note = (problem: RowProblem) => {
    if (problems.length < MOST_KEPT) problems.push(problem);
    else more++;
  };

  return {
    see({ line, fields }) {
      const where = `line ${line}`;
      rows++;
      bytes += ROW_BYTES;
      if (fields.length !== columns.length) {
        return note({ where, text: `has ${fields.length} fields, but the header has ${columns.length}` });
      }
      const size = bytesIn(fields);
      if (size > MOST_BYTES) note({ where, text: `has ${Math.ceil(size / 1e6)} MB. n8n takes 15 MB at once` });
      const keys: [string, Cell][] = [];
      for (const [at, text] of fields.entries()) {
        const column = columns[at];
        if (!column) {
          if (text !== null && unnamed.has(at)) note({ where, text: `field ${at + 1} has a value, but no heading` });
          continue;
        }
        bytes += text?.length ?? 0;
        inferences[at]?.see(text);
        const checked = cellFromText(column.type ?? 'string', text);
        if ('problem' in checked) note({ where, column: column.name, text: checked.problem });
        else if (matchOn.includes(column.name)) keys.push([column.name, checked.value]);
      }
      if (keys.length > 0) for (const problem of keyProblems(Object.fromEntries(keys), matchOn, where)) note(problem);
    },
    finish() {
      if (problems.length > 0) throw refused(problems, more);
      const typed = columns.map((column, at): Column | undefined => {
        const type: ColumnType | undefined = column?.type ?? inferences[at]?.type();
        return column && type ? { name: column.name, type } : undefined;
      });
      return { columns: typed, rows, bytes };
    },
  };
}

/** The row of a record that was checked before. Throws if it is another one now. */
export function cellsIn(columns: readonly (Column | undefined)[], { line, fields }: CsvRecord): Cells {
  const cells: [string, Cell][] = [];
  for (const [at, column] of columns.entries()) {
    if (!column) continue;
    const checked = cellFromText(column.type, fields[at] ?? null);
    if ('problem' in checked) throw refused([{ where: `line ${line}`, column: column.name, text: checked.problem }]);
    cells.push([column.name, checked.value]);
  }
  return Object.fromEntries(cells);
}

/** The size of a row as JSON, at least if it is large. */
function bytesIn(fields: CsvRecord['fields']): number {
  const characters = fields.reduce((sum, field) => sum + (field?.length ?? 0), 0);
  return characters * MOST_PER_CHARACTER > MOST_BYTES ? Buffer.byteLength(JSON.stringify(fields)) : characters;
}
