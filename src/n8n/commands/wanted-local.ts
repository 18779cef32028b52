import { configOption, numberIn, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { CommandOption, Values } from '../../kernel/command.ts';
import { checkedN8n } from '../../nodes/which-n8n.ts';
import { type LocalSettings, localSettings } from '../local/start.ts';
import type { N8nConfig } from '../settings.ts';

export const nameOption: CommandOption = {
  type: 'string',
  describe: 'Which local n8n, if there are several (default)',
};

/** What `n8n up` takes, and hands on to `n8n run`. */
export const localOptions = {
  config: configOption,
  name: nameOption,
  port: {
    type: 'string',
    short: 'p',
    describe: 'The port of n8n (the last one, else 5678, else a free one)',
  },
  version: {
    type: 'string',
    describe: 'The version of n8n (as configured, else the one that Sluice was tested with)',
  },
  'until-gone': { type: 'string', describe: 'Stop it when the process with this id has ended' },
} as const;

/** The local n8n as the configuration and these options want it. */
export async function wantedLocal(place: Place<N8nConfig>, values: Values, name: string): Promise<LocalSettings> {
  const { config, env } = await place.load(textIn(values, 'config'));
  const version = textIn(values, 'version');
  const port = numberIn(values, 'port', [0, 65_535]);
  return {
    ...localSettings(config, env, name),
    ...(version !== undefined && { version: checkedN8n(version) }),
    ...(port !== undefined && { port }),
  };
}
