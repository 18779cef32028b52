import { UsageError } from '../../../cli/frame.ts';
import { choiceIn, numberIn, textIn } from '../../../cli/values.ts';
import type { Place } from '../../../host/place.ts';
import type { Action } from '../../../kernel/command.ts';
import { tableOptions, withTables } from './connect.ts';
import { delimiterGiven } from './delimiter-given.ts';

const modes = ['insert', 'update', 'upsert'] as const;

/** `sluice n8n table import` */
export function tableImportCommand(place: Place): Action {
  return {
    usage: 'TABLE FILE.csv [--create] [--mode M] [--match-on COLUMN] [--dry-run]',
    example: 'sluice n8n table import customers customers.csv --mode upsert --match-on email',
    positionals: [2, 2],
    options: {
      create: { type: 'boolean', describe: 'Create the table, with the types that the values have' },
      mode: { type: 'string', describe: 'insert, update or upsert (insert)' },
      'match-on': { type: 'string', repeats: true, describe: 'Column that identifies a row; may be repeated' },
      delimiter: { type: 'string', describe: 'One character, or comma, semicolon, tab, pipe (as in the header line)' },
      'from-row': { type: 'string', describe: 'Begin with this row, to go on after a failure' },
      'any-size': { type: 'boolean', describe: "Import it although it looks larger than n8n's usual limit" },
      'dry-run': { type: 'boolean', describe: 'Only check it, and count what would be written' },
      ...tableOptions,
    },
    async run({ values, positionals: [table = '', file = ''] }) {
      const [mode, matchOn] = [choiceIn(values, 'mode', modes) ?? 'insert', textIn(values, 'match-on')];
      const fromRow = numberIn(values, 'from-row', [1, Number.POSITIVE_INFINITY]) ?? 1;
      const create = values.create === true;
      if (create && (mode !== 'insert' || fromRow > 1)) {
        throw new UsageError('--create makes a new table: leave --mode and --from-row out');
      }
      if ((mode === 'insert') !== (matchOn === undefined)) {
        throw new UsageError('--match-on belongs to --mode update and --mode upsert, which need it');
      }
      const delimiter = await delimiterGiven(values);
      const { importFile } = await import('./import-file.ts');
      return withTables(place, values, (connected) =>
        importFile(connected, place, {
          table,
          file,
          create,
          mode,
          matchOn: matchOn?.split(','),
          delimiter,
          fromRow,
          anySize: values['any-size'] === true,
          dryRun: values['dry-run'] === true,
          json: values.json === true,
        }),
      );
    },
  };
}
