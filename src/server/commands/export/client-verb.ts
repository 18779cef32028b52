import { exit, UsageError } from '../../../cli/frame.ts';
import { configOption, textIn } from '../../../cli/values.ts';
import type { Verb } from '../../../kernel/command.ts';
import type { ServerPlace } from '../starting.ts';
import { type Client, hint, snippet } from './client-snippet.ts';
import { byProgram, byUrl, checkedUrl } from './connection.ts';

/** `sluice export cursor`: prints the entry for a client, and says where it belongs. */
export function clientVerb(place: ServerPlace, client: Client, label: string): Verb {
  const { terminal } = place;
  return {
    summary: `Prints the entry for ${label}`,
    usage: '[--stdio | --url U] [--config F]',
    example: `sluice export ${client}`,
    options: {
      stdio: { type: 'boolean', describe: 'Let the client start `sluice stdio` instead of using the URL' },
      url: { type: 'string', describe: 'The URL to use (that of the running gateway, else the configured one)' },
      config: configOption,
    },
    async run({ values }) {
      const [file, url] = [textIn(values, 'config'), textIn(values, 'url')];
      if (values.stdio && url !== undefined) throw new UsageError('use --stdio or --url, not both');
      const connection = values.stdio
        ? await byProgram(place, file)
        : await byUrl(place, url === undefined ? undefined : checkedUrl(url), file);
      terminal.print(JSON.stringify(snippet(client, connection), null, 2));
      terminal.say(hint(client, connection));
      return exit.done;
    },
  };
}
