import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { rowShape, tableShape } from '../client/data-tables.ts';
import { chosenTable } from '../data-tables/found-table.ts';
import { assertId, kindOf, tableFolder } from './backup-id.ts';
import type { TableBackup, TableBackups } from './backups.ts';
import { tableMembers } from './whole-instance.ts';

const KIND = 'sluice.data-table';

/** What backups of data tables need of the places. */
export interface TablePlaces {
  /** Writes a new backup into a folder of its own kind, and removes those that it replaces. */
  add(instance: string, folder: string, reason: string, content: (taken: Date) => Content): Promise<Added>;
  firstLine(id: string): Promise<{ readonly head: Record<string, unknown>; readonly bytes: number }>;
  file(id: string): Promise<Record<string, unknown>>;
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

const contentShape = z.looseObject({ table: tableShape, rows: z.array(rowShape) });

export function createTableBackups({ add, firstLine, file }: TablePlaces): TableBackups {
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
      const content = await file(id);
      return kind === 'instance' ? inWhole(id, content, wanted) : inOwn(content);
    },
  };
}

function inOwn(file: Record<string, unknown>): TableBackup {
  const { instance, taken, deleted } = headShape.parse(file);
  return { instance, taken, isPart: deleted === 'rows', ...contentShape.parse(file) };
}

function inWhole(id: string, file: Record<string, unknown>, wanted: string | undefined): TableBackup {
  const found = contentShape.array().parse(file.dataTables ?? []);
  if (wanted === undefined) {
    const names = found.slice(0, 20).map(({ table }) => table.name);
    const which = names.length === 0 ? 'It has no data tables.' : `It has ${names.join(', ')}.`;
    throw new AppError(
      'invalid_input',
      `${shown(id)} is a backup of a whole n8n. Say which data table in it: "table" is its id or name. ${which}`,
    );
  }
  const { id: tableId } = chosenTable(
    found.map(({ table }) => table),
    wanted,
  );
  const { table, rows } = found.find((one) => one.table.id === tableId) as (typeof found)[number];
  return { instance: String(file.instance), taken: String(file.taken), isPart: false, table, rows };
}
