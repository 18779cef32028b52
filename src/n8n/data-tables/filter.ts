import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Cell, Column, RowFilter } from '../client/data-tables.ts';
import { checkedCell } from './cell.ts';
import { columnIn, systemColumns } from './columns.ts';
import { type DateTest, dateTest, widened } from './dates.ts';

const conditions = ['eq', 'neq', 'like', 'ilike', 'gt', 'gte', 'lt', 'lte', 'isEmpty', 'isNotEmpty'] as const;

type Condition = (typeof conditions)[number];

const valueInput = z.union([z.string().max(5000), z.number(), z.boolean(), z.null()]);
const MOST = 50;
/** n8n gets filters in the address, of which it accepts 16 KB. */
const LONGEST = 12_000;

export const filterInput = z
  .union([
    z
      .array(
        z.strictObject({
          column: z.string().describe('Also id, createdAt, updatedAt'),
          condition: z
            .enum(conditions)
            .optional()
            .describe('Default: eq. like (case-sensitive) and ilike find a part of a text, or a pattern with %'),
          value: valueInput.optional().describe('Not for isEmpty and isNotEmpty'),
        }),
      )
      .max(MOST),
    z.record(z.string(), valueInput),
  ])
  .describe('Conditions, or simply { column: value }');

export const matchInput = z.enum(['all', 'any']).optional().describe('Which conditions must hold. Default: all');

export type FilterGiven = z.output<typeof filterInput>;

export interface MadeFilter {
  /** What n8n is asked. It may find more rows than wanted. */
  readonly asked: RowFilter;
  /** The dates that the found rows must have; n8n compares them wrongly on SQLite. Empty: n8n finds the right rows. */
  readonly dates: readonly DateTest[];
  /** Whether n8n accepts it for an update, too. */
  readonly forUpdate: boolean;
}

/** A filter for n8n, checked against the columns. Undefined if it has no conditions. */
export function filterFor(
  table: { readonly name: string; readonly columns: readonly Column[] },
  given: FilterGiven | undefined,
  match: 'all' | 'any' = 'all',
): MadeFilter | undefined {
  const list = Array.isArray(given) ? given : Object.entries(given ?? {}).map(([column, value]) => ({ column, value }));
  if (list.length === 0) return undefined;
  if (list.length > MOST) throw new AppError('invalid_input', `A filter has at most ${MOST} conditions.`);
  const columns = [...table.columns, ...systemColumns];
  const dates: DateTest[] = [];
  let forUpdate = true;
  const filters = list.flatMap(({ column: name, value, ...more }): RowFilter['filters'] => {
    const column = columnIn(columns, name, table.name);
    const { condition, cell } = checkedCondition(column, 'condition' in more ? more.condition : undefined, value);
    if (condition === 'isEmpty' || condition === 'isNotEmpty') forUpdate = false;
    const test = column.type === 'date' ? dateTest(column.name, condition, cell) : undefined;
    if (!test) return [{ columnName: column.name, condition, value: cell }];
    dates.push(test);
    return widened(test);
  });
  if (match === 'any' && list.length > 1 && dates.length > 0) {
    throw new AppError(
      'invalid_input',
      'n8n cannot compare dates in a filter with match: any. Make one call for each condition.',
    );
  }
  const asked: RowFilter = { type: match === 'any' && list.length > 1 ? 'or' : 'and', filters };
  if (encodeURIComponent(JSON.stringify(asked)).length > LONGEST) {
    throw new AppError('too_large', 'The filter is too long for n8n. Use fewer or shorter conditions.');
  }
  return { asked, dates, forUpdate: forUpdate && dates.length === 0 };
}

function checkedCondition(
  { name, type }: Column,
  asked: Condition = 'eq',
  given: Cell | undefined,
): { condition: Condition; cell: Cell } {
  const wrong = (why: string) => new AppError('invalid_input', `The condition on ${name} cannot be used: ${why}.`);
  if (asked === 'isEmpty' || asked === 'isNotEmpty') {
    if (given !== undefined && given !== null) throw wrong(`${asked} takes no value`);
    // Only texts can be empty without being null.
    if (type === 'string') return { condition: asked, cell: null };
    return { condition: asked === 'isEmpty' ? 'eq' : 'neq', cell: null };
  }
  if (given === undefined) throw wrong('it has no value');
  if (asked === 'like' || asked === 'ilike') {
    if (type !== 'string' || typeof given !== 'string') throw wrong(`${asked} compares texts`);
    return { condition: asked, cell: given };
  }
  if (given === null) {
    if (asked === 'eq' || asked === 'neq') return { condition: asked, cell: null };
    throw wrong(`${asked} needs a value`);
  }
  const checked = checkedCell(type, given);
  if ('problem' in checked) throw wrong(checked.problem);
  return { condition: asked, cell: checked.value };
}
