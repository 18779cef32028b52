import { resolve } from 'node:path';
import { exit } from '../../cli/frame.ts';
import { configOption, jsonOption, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Verb } from '../../kernel/command.ts';
import type { Restored } from '../backup/restore.ts';

export function restoreVerb(place: Place): Verb {
  const { terminal, home } = place;
  return {
    summary: 'Puts a backup into the data directory',
    usage: 'FILE [--force] [--json]',
    example: 'sluice store restore /backups/sluice.tar.gz',
    positionals: [1, 1],
    options: {
      force: { type: 'boolean', describe: 'Replace what is there, and keep it in a folder of its own' },
      config: configOption,
      json: jsonOption,
    },
    async run({ values, positionals: [file = ''] }) {
      const { place: where, options } = await place.whichStore(textIn(values, 'config'));
      const [{ restoreBackup }, { lockHome }] = await Promise.all([
        import('../backup/restore.ts'),
        import('./home-lock.ts'),
      ]);
      using _lock = await lockHome(home);
      const restored = await restoreBackup({
        home,
        cache: place.cache,
        archive: resolve(place.cwd, file),
        force: values.force === true,
        migrations: options.migrations ?? new Map(),
        now: new Date(),
        progress: (text) => terminal.progress(text),
      });
      if (values.json) terminal.print(JSON.stringify(restored, null, 2));
      for (const line of wordsAbout(restored, home, where.settings.kind)) terminal.say(line);
      return exit.done;
    },
  };
}

function wordsAbout({ manifest, aside }: Restored, home: string, engine: 'sqlite' | 'postgres'): string[] {
  const { files, key, createdAt, sluice } = manifest;
  return [
    `Restored ${files.length} files of ${createdAt} (Sluice ${sluice}) in ${home}.`,
    ...(aside === undefined ? [] : [`What was there before is in ${aside}. Delete it when you no longer need it.`]),
    ...(key === 'left out' ? [`The backup has no key. Copy your sluice.key to ${home} before you start Sluice.`] : []),
    ...(manifest.engine === engine
      ? engine === 'postgres'
        ? ['The store is in PostgreSQL, and not in this backup. Restore its dump with pg_restore.']
        : []
      : [
          manifest.engine === 'postgres'
            ? 'The store of this backup is in PostgreSQL, but the configuration says sqlite. Set `store:` before you start Sluice.'
            : 'This backup has an embedded store, but the configuration names PostgreSQL. Set `store: sqlite`, or run `sluice store migrate`.',
        ]),
    'Start Sluice: `sluice serve`.',
  ];
}
