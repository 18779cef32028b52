import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { quoted, someOf } from '../../kernel/some-of.ts';
import { chosenTable, tablesCalled } from '../data-tables/found-table.ts';
import { assertId, kindOf, tableFolder } from './backup-id.ts';
import type { TableBackups } from './backups.ts';
import { verified } from './sealed.ts';
import { type FoundTable, rowsIn, tablesIn } from './table-lines.ts';
import { tableMembers } from './whole-instance.ts';

const KIND = 'sluice.data-table';

/** What backups of data tables need of the places. */
export interface TablePlaces {
  /** Writes a new backup into a folder of its own kind, and removes those that it replaces. */
  add(instance: string, folder: string, reason: string, content: (taken: Date) => Content): Promise<Added>;
  firstLine(id: string): Promise<{ readonly head: Record<string, unknown>; readonly bytes: number }>;
  /** Reads a backup from the first place that has it, as often as wanted. */
  read<T>(id: string, from: (content: () => AsyncIterable<Buffer>) => Promise<T>): Promise<T>;
}

export interface Content {
  readonly head: object;
  readonly members: Iterable<string> | AsyncIterable<string>;
}

export interface Added {
  readonly id: string;
  readonly taken: Date;
  readonly bytes: number;
}

const headShape = z.looseObject({
  kind: z.literal(KIND),
  instance: z.string(),
  id: z.string(),
  name: z.string(),
  taken: z.string(),
  deleted: z.enum(['table', 'columns', 'rows']),
});

/** The first line of a backup of a table, or of a whole n8n. */
const aboutShape = z.looseObject({ instance: z.string(), taken: z.string(), deleted: z.string().optional() });

export function createTableBackups({ add, firstLine, read }: TablePlaces): TableBackups {
  return {
    async keepTable(instance, table, rows, deleted) {
      const about = { instance, name: table.name, deleted };
      const { id, taken, bytes } = await add(instance, tableFolder(table.id), deleted, (when) => ({
        head: { kind: KIND, format: 1, ...about, taken: when.toISOString(), id: table.id },
        members: tableMembers(table, rows),
      }));
      return { id, table: table.id, ...about, taken: taken.toISOString(), bytes };
    },

    async tableNote({ id }) {
      const { head, bytes } = await firstLine(id);
      const found = headShape.safeParse(head).data;
      if (!found) throw new AppError('conflict', `${shown(id)} is not the backup of a data table.`);
      const { instance, id: table, name, taken, deleted } = found;
      return { id, instance, table, name, taken, deleted, bytes };
    },

    async readTable(id, wanted) {
      const kind = kindOf(id);
      if (kind === 'workflow') {
        throw new AppError(
          'invalid_input',
          `${shown(id)} is not a backup of a data table or of a whole n8n. n8n_list_backups with data_tables or whole shows those.`,
        );
      }
      assertId(id);
      return read(id, async (content) => {
        const { head, tables } = await tablesIn(verified(id, content()));
        const { table, count } = kind === 'instance' ? chosenIn(id, tables, wanted) : onlyIn(id, tables);
        const { instance, taken, deleted } = aboutShape.parse(head);
        return { instance, taken, isPart: deleted === 'rows', table, count, rows: () => rowsIn(content(), table.id) };
      });
    },
  };
}

function onlyIn(id: string, [only]: readonly FoundTable[]): FoundTable {
  if (only) return only;
  throw new AppError('conflict', `${shown(id)} is not the backup of a data table.`);
}

function chosenIn(id: string, found: readonly FoundTable[], wanted: string | undefined): FoundTable {
  const tables = found.map(({ table }) => table);
  const names = tables.map(({ name }) => name);
  const which = names.length === 0 ? 'It has no data tables.' : `It has ${someOf(names, 20)}.`;
  if (wanted === undefined) {
    throw new AppError(
      'invalid_input',
      `${shown(id)} is a backup of a whole n8n. Say which data table in it: "table" is its id or name. ${which}`,
    );
  }
  const meant = tablesCalled(tables, wanted);
  if (meant.length === 0) {
    const advice = didYouMean(inQuotes(nearestNames(wanted, names)), which);
    throw new AppError('not_found', `That backup has no data table ${quoted(shown(wanted))}. ${advice}`);
  }
  const chosen = chosenTable(meant, wanted);
  return found.find(({ table }) => table.id === chosen.id) as FoundTable;
}
