import { join } from 'node:path';
import { exit, UsageError } from '../../cli/frame.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import { table } from '../../cli/table.ts';
import { configOption, jsonOption, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Verb } from '../../kernel/command.ts';
import type { Copied } from '../postgres/copy.ts';

const CONNECTIONS = 2;

export function migrateVerb(place: Place): Verb {
  const { terminal } = place;
  return {
    summary: 'Copies the embedded store of this data directory to an empty PostgreSQL',
    usage: '[--to URL] [--json]',
    example: 'sluice store migrate --to postgres://sluice:PASSWORD@db.internal:5432/sluice',
    options: {
      to: { type: 'string', describe: 'The database, postgres://… (the store of the configuration)' },
      config: configOption,
      json: jsonOption,
    },
    async run({ values }) {
      const { place: where, options } = await place.whichStore(textIn(values, 'config'));
      const url = textIn(values, 'to') ?? (where.settings.kind === 'postgres' ? where.settings.url : undefined);
      if (url === undefined || !/^postgres(?:ql)?:/.test(url))
        throw new UsageError('say where to: --to postgres://user:password@host:5432/database');
      const { addressOf, copyStore, openDatabase, placeOf } = await import('./postgres.ts');
      const address = addressOf(url);
      await using database = openDatabase(address, CONNECTIONS, 'sluice store migrate');
      const copied = await copyStore(database, {
        file: join(place.home, 'sluice.db'),
        home: where,
        migrations: options.migrations ?? new Map(),
        progress: (text) => terminal.progress(text),
        signal: untilCancelled('Stopped.'),
      });
      if (values.json) terminal.print(JSON.stringify(copied, null, 2));
      else terminal.print(table(rowsOf(copied), terminal.width).join('\n'));
      for (const line of wordsAbout(copied, placeOf(address))) terminal.say(line);
      return exit.done;
    },
  };
}

function rowsOf({ rows }: Copied): string[][] {
  return [
    ['TABLE', 'SOURCE', 'TARGET'],
    ...Object.entries(rows).map(([name, count]) => [name, `${count}`, `${count}`]),
  ];
}

function wordsAbout({ state, finishedAt, resumed, leftOut, cleaned, outdated }: Copied, target: string): string[] {
  const again = 'To copy again, drop the copy first (DROP SCHEMA sluice CASCADE;).';
  if (state === 'done before') return [`It was copied to ${target} ${finishedAt}. Nothing was done. ${again}`];
  return [
    `Copied to ${target}${resumed ? ', going on with an unfinished copy' : ''}. The embedded store is unchanged.`,
    ...(cleaned > 0
      ? [`${cleaned} texts had a NUL or half a character, which PostgreSQL cannot hold. U+FFFD is there instead.`]
      : []),
    ...(leftOut.length > 0 ? [`Not copied, because this version does not know them: ${leftOut.join(', ')}.`] : []),
    outdated
      ? `A running gateway wrote to the embedded store meanwhile: that is not in the copy. For a complete one, stop Sluice. ${again} Then migrate, set \`store:\`, and start.`
      : 'Set `store:` to the database and start Sluice. What a gateway writes to the embedded store from now on is not in the copy.',
  ];
}
