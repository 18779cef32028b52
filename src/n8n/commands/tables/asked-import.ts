import type { Column } from '../../client/data-tables.ts';
import type { Headings } from '../../data-tables/csv/headings.ts';

export interface AskedImport {
  readonly table: string;
  readonly file: string;
  readonly create: boolean;
  readonly mode: 'insert' | 'update' | 'upsert';
  readonly matchOn: readonly string[] | undefined;
  readonly delimiter: string | undefined;
  /** The first row to write. */
  readonly fromRow: number;
  readonly anySize: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** What the first pass found. */
export interface CheckedFile {
  readonly headings: Headings;
  readonly columns: readonly (Column | undefined)[];
  readonly rows: number;
  /** About as much as n8n needs to store it. */
  readonly bytes: number;
}
