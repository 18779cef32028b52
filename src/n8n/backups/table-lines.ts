import { type DataTable, type Row, rowShape, tableShape } from '../client/data-tables.ts';
import { parsed } from './sealed.ts';
import { linesOf } from './whole-instance.ts';

/*
 * The data tables in a backup, which may be larger than memory. Each row is a line of its own, as `tableMembers` and
 * `wholeMembers` write them; a table begins with a line that ends with `"rows":[`.
 */

export interface FoundTable {
  readonly table: DataTable;
  readonly count: number;
}

/** What the first line says, and every table with the number of its rows. */
export async function tablesIn(
  content: AsyncIterable<Buffer>,
): Promise<{ head: Record<string, unknown>; tables: FoundTable[] }> {
  let head: Record<string, unknown> | undefined;
  const tables: { table: unknown; count: number }[] = [];
  for await (const part of partsIn(content)) {
    if ('head' in part) head = part.head;
    else if ('table' in part) tables.push({ table: part.table, count: 0 });
    else (tables.at(-1) as { count: number }).count++;
  }
  // Only at its end is it known that a backup is not damaged.
  return { head: head ?? {}, tables: tables.map(({ table, count }) => ({ table: tableShape.parse(table), count })) };
}

/** The rows of one table. */
export async function* rowsIn(content: AsyncIterable<Buffer>, table: string): AsyncGenerator<Row, void, undefined> {
  let isHere = false;
  for await (const part of partsIn(content)) {
    if ('table' in part) {
      if (isHere) return;
      isHere = tableShape.parse(part.table).id === table;
    } else if ('row' in part && isHere) yield part.row();
  }
}

type Part = { readonly head: Record<string, unknown> } | { readonly table: unknown } | { readonly row: () => Row };

const BEGIN = ',"rows":[';
/** How the last row of a table ends its line: in its own backup; in that of a whole n8n; there as the last table. */
const ends = ['],', ']},', ']}],'];

async function* partsIn(content: AsyncIterable<Buffer>): AsyncGenerator<Part, void, undefined> {
  let isFirst = true;
  /** Whether tables may begin, and rows are expected. */
  let [mayBegin, inRows] = [false, false];
  for await (const line of linesOf(content)) {
    if (isFirst) {
      const head = parsed(`${line.slice(0, -1)}}`) ?? {};
      yield { head };
      isFirst = false;
      // In the backup of a whole n8n, workflows come first.
      mayBegin = head.kind !== 'sluice.instance';
    } else if (inRows) {
      const end = ends.find((one) => line.endsWith(`}${one}`) && parsed(line.slice(0, -one.length)));
      inRows = end === undefined;
      yield { row: () => rowShape.parse(parsed(line.slice(0, -(end ?? ',').length))) };
    } else if (line === '"dataTables":[') mayBegin = true;
    else if (mayBegin && /^\{?"table":/.test(line)) {
      const at = line.lastIndexOf(BEGIN);
      yield { table: parsed(line.slice(line.indexOf(':') + 1, at)) };
      inRows = line.length === at + BEGIN.length;
    }
  }
}
