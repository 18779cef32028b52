import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exit } from '../../../cli/frame.ts';
import { given } from '../../../cli/values.ts';
import type { Place } from '../../../host/place.ts';
import type { Action } from '../../../kernel/command.ts';
import { AppError } from '../../../kernel/errors.ts';
import { fileTrouble } from '../../../kernel/file-errors.ts';
import type { OutputOf } from '../../../kernel/tool.ts';
import type { exportCsv } from '../../data-tables/export-csv.ts';
import { allTables, type Connected, grouped, tableOptions, withTables } from './connect.ts';
import { delimiterGiven } from './delimiter-given.ts';

const PART_KB = 1000;

/** `sluice n8n table export` */
export function tableExportCommand(place: Place): Action {
  const { terminal, cwd } = place;
  const { instance, config } = tableOptions;
  return {
    usage: 'TABLE [FILE|-] [--delimiter C] [--with-ids]',
    example: 'sluice n8n table export customers customers.csv',
    positionals: [1, 2],
    options: {
      delimiter: { type: 'string', describe: 'One character, or comma, semicolon, tab, pipe' },
      'with-ids': { type: 'boolean', describe: 'Also id, createdAt and updatedAt' },
      instance,
      config,
    },
    async run({ values, positionals: [name = '', file = '-'] }) {
      const asked = { table: name, ...given('delimiter', await delimiterGiven(values)) };
      return withTables(place, values, async (connected) => {
        let done = 0;
        const parts = partsOf(connected, asked, values['with-ids'] === true, (rows) => {
          done += rows;
          if (file !== '-') terminal.progress(`${grouped(done)} rows`);
        });
        if (file === '-') for await (const part of parts) terminal.print(part.replace(/\n$/, ''));
        else {
          await writeFile(resolve(cwd, file), parts);
          terminal.say(`${grouped(done)} rows of ${name} are in ${file}.`);
        }
        return exit.done;
      });
    },
  };
}

async function* partsOf(
  connected: Connected,
  asked: { readonly table: string },
  withIds: boolean,
  tell: (rows: number) => void,
): AsyncGenerator<string> {
  const columns = withIds ? { columns: await everyColumn(connected, asked.table) } : {};
  let cursor: string | undefined;
  do {
    const args = { ...asked, ...columns, max_kb: PART_KB, ...given('cursor', cursor) };
    const part: OutputOf<typeof exportCsv> = await connected.call('n8n_export_csv', args);
    if (part.csv !== '') yield part.csv;
    tell(part.rows);
    ({ cursor } = part);
  } while (cursor !== undefined);
}

async function everyColumn(connected: Connected, wanted: string): Promise<string[]> {
  const { chosenTable } = await import('../../data-tables/found-table.ts');
  const { columns } = chosenTable(await allTables(connected), wanted);
  return ['id', ...columns.map(({ name }) => name), 'createdAt', 'updatedAt'];
}

/** Writes the complete file or none. */
async function writeFile(path: string, parts: AsyncIterable<string>): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  const handle = await open(draft, 'w').catch((error: unknown) => {
    throw new AppError('invalid_input', `${path} cannot be written: it ${fileTrouble(error)}.`, { cause: error });
  });
  try {
    for await (const part of parts) await handle.writeFile(part);
    await handle.close();
    await rename(draft, path);
  } catch (error) {
    await handle.close();
    await rm(draft, { force: true });
    throw error;
  }
}
