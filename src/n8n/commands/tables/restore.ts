import { exit } from '../../../cli/frame.ts';
import { given, textIn } from '../../../cli/values.ts';
import type { Place } from '../../../host/place.ts';
import type { Action } from '../../../kernel/command.ts';
import type { OutputOf } from '../../../kernel/tool.ts';
import type { restoreDataTable } from '../../data-tables/restore-data-table.ts';
import { grouped, tableOptions, withTables } from './connect.ts';

/** `sluice n8n table restore` */
export function tableRestoreCommand(place: Place): Action {
  const { terminal } = place;
  return {
    usage: 'BACKUP [TABLE] [--as NAME]',
    example: 'sluice n8n table restore default/@table.aB3xY9kLmN0pQrSt/20261115T073012123Z-table-3f9a1c',
    positionals: [1, 2],
    options: { as: { type: 'string', describe: 'The name of the new table (the name it had)' }, ...tableOptions },
    run: ({ values, positionals: [backup = '', table] }) =>
      withTables(place, values, async ({ write }) => {
        const args = { backup, ...given('table', table), ...given('as', textIn(values, 'as')) };
        const done: OutputOf<typeof restoreDataTable> = await write('n8n_restore_data_table', args);
        if (values.json) terminal.print(JSON.stringify(done, null, 2));
        else {
          terminal.print(done.id);
          const what = done.restored === 'rows' ? 'got back' : 'is a new table with';
          terminal.say(`"${done.name}" ${what} ${grouped(done.rows)} rows.`);
        }
        for (const note of done.notes ?? []) terminal.say(note);
        return exit.done;
      }),
  };
}
