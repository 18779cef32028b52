import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { quoted, someOf } from '../../kernel/some-of.ts';
import { type DataTable, rowShape, tableShape } from '../client/data-tables.ts';
import { chosenTable } from '../data-tables/found-table.ts';
import { assertId, kindOf, tableFolder } from './backup-id.ts';
import type { TableBackup, TableBackups } from './backups.ts';
import { readSealed } from './sealed.ts';
import { tableMembers, tablesInWhole, type WholeTables } from './whole-instance.ts';

const KIND = 'sluice.data-table';

/** What backups of data tables need of the places. */
export interface TablePlaces {
  /** Writes a new backup into a folder of its own kind, and removes those that it replaces. */
  add(instance: string, folder: string, reason: string, content: (taken: Date) => Content): Promise<Added>;
  firstLine(id: string): Promise<{ readonly head: Record<string, unknown>; readonly bytes: number }>;
  /** Uses the content of a backup, from the first place where that works. */
  content<T>(id: string, use: (content: AsyncIterable<Buffer>) => Promise<T>): Promise<T>;
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

export function createTableBackups({ add, firstLine, content }: TablePlaces): TableBackups {
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
      if (kind === 'table') return inOwn((await content(id, (bytes) => readSealed(id, bytes))).file);
      return inWhole(id, await content(id, (bytes) => tablesInWhole(id, bytes, isCalled(wanted))), wanted);
    },
  };
}

function inOwn(file: Record<string, unknown>): TableBackup {
  const { instance, taken, deleted } = headShape.parse(file);
  return { instance, taken, isPart: deleted === 'rows', ...contentShape.parse(file) };
}

/** Every table that `chosenTable` may choose. */
const isCalled =
  (wanted = '') =>
  ({ id, name }: DataTable): boolean =>
    id === wanted || name === wanted || name.toLowerCase() === wanted.trim().toLowerCase();

function inWhole(id: string, { instance, taken, tables, rows }: WholeTables, wanted: string | undefined): TableBackup {
  const which =
    tables.length === 0
      ? 'It has no data tables.'
      : `It has ${someOf(
          tables.map(({ name }) => name),
          20,
        )}.`;
  if (wanted === undefined) {
    throw new AppError(
      'invalid_input',
      `${shown(id)} is a backup of a whole n8n. Say which data table in it: "table" is its id or name. ${which}`,
    );
  }
  if (rows.size === 0) throw new AppError('not_found', `That backup has no data table ${quoted(wanted)}. ${which}`);
  const table = chosenTable(tables, wanted);
  return { instance, taken, isPart: false, table, rows: rows.get(table.id) ?? [] };
}
