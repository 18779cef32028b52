import { resolve } from 'node:path';
import { exit, UsageError } from '../../cli/frame.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import { configOption, jsonOption, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Verb } from '../../kernel/command.ts';
import type { Written } from '../backup/write.ts';
import type { StorePlace } from '../settings.ts';
import { megabytes } from './megabytes.ts';

const STDOUT = '-';

export function backupVerb(place: Place): Verb {
  const { terminal, home } = place;
  return {
    summary: 'Writes the data directory into one file, also while a gateway runs',
    usage: '[FILE|-] [--without-key] [--json]',
    example: 'sluice store backup /backups/sluice.tar.gz',
    positionals: [0, 1],
    options: {
      'without-key': { type: 'boolean', describe: 'Leave out sluice.key, to keep it in another place' },
      config: configOption,
      json: jsonOption,
    },
    async run({ values, positionals: [given] }) {
      const now = new Date();
      const toStdout = given === STDOUT;
      if (toStdout && values.json) throw new UsageError('--json and - both write to stdout: leave out one of them');
      if (toStdout && process.stdout.isTTY) throw new UsageError('redirect stdout into a file: > sluice.tar.gz');
      const { place: where } = await place.whichStore(textIn(values, 'config'));
      const file = resolve(
        place.cwd,
        given ?? `sluice-backup-${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}.tar.gz`,
      );
      const { writeBackup } = await import('../backup/write.ts');
      const written = await writeBackup({
        home,
        cache: place.cache,
        version: place.version,
        engine: where.settings.kind,
        withKey: values['without-key'] !== true,
        to: toStdout ? process.stdout : file,
        now,
        progress: (text) => terminal.progress(text),
        signal: untilCancelled('Stopped. No backup was written.'),
      });
      const words = [...wordsAbout(written, toStdout ? 'stdout' : file), ...(await databaseWords(where))];
      if (values.json) terminal.print(JSON.stringify({ file, ...written }, null, 2));
      for (const line of words) terminal.say(line);
      return exit.done;
    },
  };
}

function wordsAbout({ manifest, leftOut, bytes }: Written, to: string): string[] {
  const { files, key } = manifest;
  const size = bytes === undefined ? '' : `, ${megabytes(bytes)}`;
  return [
    `Wrote ${files.length} files to ${to}${size}.`,
    ...leftOut.map(({ path, why }) => `Left out ${path}: ${why}.`),
    key === 'included'
      ? 'It holds sluice.key, which opens the secrets in the store: keep it where nobody else can read it.'
      : key === 'left out'
        ? 'Keep a copy of sluice.key in another place: without it, added servers and logins are lost.'
        : 'There is no sluice.key in the data directory. If SLUICE_SECRET_KEY is set, keep a copy of it in another place.',
  ];
}

/** What is in PostgreSQL is backed up with its own program. */
async function databaseWords({ settings }: StorePlace): Promise<string[]> {
  if (settings.kind === 'sqlite') return [];
  const { addressOf } = await import('./postgres.ts');
  const { host, port, user, database } = addressOf(settings.url);
  return [
    'The store is not in it, because it is in PostgreSQL. Dump it, too:',
    `  pg_dump -h ${host} -p ${port} -U ${user} -n sluice -n sluice_runs -Fc -f sluice.dump ${database}`,
  ];
}
