import { join, resolve } from 'node:path';
import { exit, UsageError } from '../../cli/frame.ts';
import { configOption, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Action } from '../../kernel/command.ts';
import { AppError } from '../../kernel/errors.ts';
import { reachableUrl } from '../../kernel/reachable-url.ts';
import { nameOption } from '../../n8n/commands/wanted-local.ts';
import { instancePlaces } from '../../n8n/local/places.ts';
import { hookSecret, hookUrl, writePrivate } from '../hook-places.ts';
import { hookFile } from '../live/hook-file.ts';

/** `sluice n8n hook`: the file with which an n8n tells Sluice about changes, and what to do with it. */
export function hookCommand({ home, terminal, load, store: open }: Place): Action {
  return {
    usage: '[--out FILE] [--url U]',
    example: 'sluice n8n hook --url http://sluice:3500',
    options: {
      out: { type: 'string', short: 'o', describe: 'The file to write (in the data directory); - prints it' },
      url: { type: 'string', describe: 'Where n8n reaches this gateway (as configured)' },
      name: nameOption,
      config: configOption,
    },
    async run({ values }) {
      const [given, out] = [textIn(values, 'url'), textIn(values, 'out')];
      const { name } = instancePlaces(home, textIn(values, 'name'));
      if (given !== undefined && !/^https?:\/\//.test(given)) {
        throw new UsageError(
          `--url must be the address at which n8n reaches the gateway, such as http://sluice:3500, not ${given}`,
        );
      }
      const chosen = textIn(values, 'config');
      const { config } = await load(chosen);
      const { host, port, publicUrl } = config.server;
      const url = hookUrl((given ?? publicUrl ?? reachableUrl(host, port)).replace(/\/+$/, ''), name);
      await using store = await open(chosen);
      const text = hookFile({ url, secret: await hookSecret(store.settings, name) });
      if (out === '-') {
        terminal.print(text.trimEnd());
        return exit.done;
      }
      const file = resolve(out ?? join(home, 'hooks', `${name}.js`));
      try {
        await writePrivate(file, text);
      } catch (cause) {
        const { code } = cause as NodeJS.ErrnoException;
        throw new AppError('invalid_input', `cannot write ${file} (${code}). Name another file with --out.`, { cause });
      }
      terminal.print(file);
      terminal.say(
        [
          `n8n will post to ${url}. For another address use --url.`,
          'Put the file where n8n can read it. It holds a secret: nobody else should. Start n8n with',
          `  EXTERNAL_HOOK_FILES=${file}`,
          'In a container, mount it and use its path there. Separate several files with a colon.',
          'To keep the secret out of the file, set SLUICE_HOOK_URL and SLUICE_HOOK_SECRET for n8n instead.',
          'An n8n started by `sluice n8n up` or `sluice serve --with-n8n` already has it.',
        ].join('\n'),
      );
      return exit.done;
    },
  };
}
