import { exit } from '../../../cli/frame.ts';
import { firstLine, table } from '../../../cli/table.ts';
import { given, textIn } from '../../../cli/values.ts';
import type { Place } from '../../../host/place.ts';
import type { Action } from '../../../kernel/command.ts';
import { allTables, megabytes, tableOptions, withTables } from './connect.ts';

/** `sluice n8n table list` */
export function tableListCommand(place: Place): Action {
  const { terminal } = place;
  return {
    usage: '[--part TEXT] [--json]',
    example: 'sluice n8n table list',
    options: { part: { type: 'string', describe: 'Only tables with this text in their name' }, ...tableOptions },
    run: ({ values }) =>
      withTables(place, values, async (connected) => {
        const found = await allTables(connected, given('name', textIn(values, 'part')));
        if (values.json) terminal.print(JSON.stringify(found, null, 2));
        else if (found.length === 0) terminal.say('There are no data tables. `sluice n8n table import` creates one.');
        else {
          const rows = found.map(({ id, name, columns, bytes = 0, updated = '' }) => [
            id,
            updated,
            megabytes(bytes),
            firstLine(name),
            columns.map((column) => `${column.name} ${column.type}`).join(', '),
          ]);
          terminal.print(table([['ID', 'UPDATED', 'SIZE', 'NAME', 'COLUMNS'], ...rows], terminal.width).join('\n'));
        }
        return exit.done;
      }),
  };
}
