import { AppError } from '../../kernel/errors.ts';
import type { Column, DataTable } from '../client/data-tables.ts';
import { assertColumns, columnIn } from './columns.ts';

export interface WantedChanges {
  readonly add: readonly Column[];
  /** Old names and new ones. */
  readonly rename: readonly { readonly from: string; readonly to: string }[];
  readonly delete: readonly string[];
}

export interface ColumnSteps {
  /** Ids and names. */
  readonly deleted: readonly { readonly id: string; readonly name: string }[];
  /** In an order in which every new name is free. */
  readonly renamed: readonly { readonly id: string; readonly from: string; readonly to: string }[];
  readonly added: readonly Column[];
}

/** What to do, checked as a whole before anything is changed. */
export function columnSteps(table: DataTable, wanted: WantedChanges): ColumnSteps {
  const idOf = (name: string) => {
    columnIn(table.columns, name, table.name);
    return table.columns.find((column) => column.name === name)?.id as string;
  };
  const deleted = [...new Set(wanted.delete)].map((name) => ({ id: idOf(name), name }));
  const renames = new Map<string, string>();
  for (const { from, to } of wanted.rename) {
    idOf(from);
    const problem = renames.has(from) ? 'it is renamed twice' : wanted.delete.includes(from) ? 'it is deleted' : '';
    if (problem !== '') {
      throw new AppError('invalid_input', `The column ${from} cannot be renamed: ${problem}. Nothing was changed.`);
    }
    if (from !== to) renames.set(from, to);
  }
  const kept = table.columns.filter(({ name }) => !wanted.delete.includes(name));
  assertColumns([...kept.map(({ name, type }) => ({ name: renames.get(name) ?? name, type })), ...wanted.add]);
  const taken = kept.map(({ name }) => name);
  const renamed = ordered(renames, taken).map(({ from, to }) => ({ id: idOf(from), from, to }));
  return { deleted, renamed, added: wanted.add };
}

/** n8n renames one column at a time, so `b` to `c` comes before `a` to `b`. */
function ordered(renames: ReadonlyMap<string, string>, names: readonly string[]) {
  const taken = new Set(names.map((name) => name.toLowerCase()));
  const steps: { from: string; to: string }[] = [];
  const left = new Map(renames);
  while (left.size > 0) {
    const isFree = ([from, to]: [string, string]) =>
      !taken.has(to.toLowerCase()) || from.toLowerCase() === to.toLowerCase();
    const next = [...left].find(isFree);
    if (!next) {
      const names = [...left].map(([from, to]) => `${from} to ${to}`).join(', ');
      throw new AppError(
        'invalid_input',
        `These renames swap names (${names}), which n8n cannot do. Rename one of them to a new name first. Nothing was changed.`,
      );
    }
    const [from, to] = next;
    steps.push({ from, to });
    left.delete(from);
    taken.delete(from.toLowerCase());
    taken.add(to.toLowerCase());
  }
  return steps;
}
