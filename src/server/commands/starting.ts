import { exit } from '../../cli/frame.ts';
import { choiceIn, configOption, given, numberIn, textIn } from '../../cli/values.ts';
import type { PlaceOf } from '../../host/part.ts';
import type { StartOptions } from '../../host/place.ts';
import type { Action, Values } from '../../kernel/command.ts';
import type { serverSettings, serverUses } from '../settings.ts';

export type ServerPlace = PlaceOf<typeof serverSettings, typeof serverUses>;

const exposures = ['flat', 'compact', 'search'] as const;

export const sharedOptions = {
  config: configOption,
  expose: { type: 'string', describe: 'How tools are listed: flat, compact or search' },
} as const;

export const exposeIn = (values: Values) => choiceIn(values, 'expose', exposures);

/** Flags override the file. */
export function fromFlags(values: Values): Pick<StartOptions, 'file' | 'flags'> {
  const expose = exposeIn(values);
  const [host, port] = [textIn(values, 'host'), numberIn(values, 'port', [0, 65_535])];
  return {
    ...given('file', textIn(values, 'config')),
    flags: {
      ...(expose && { gateway: { expose } }),
      ...((host !== undefined || port !== undefined) && {
        server: { ...given('host', host), ...(port !== undefined && { port }) },
      }),
    },
  };
}

const LINGER_MS = 500;
/** After the last server has ended: the last events are stored and sent. */
const LAST_EVENTS_MS = 3000;

/** Ends the process after this time, whatever does not answer. Servers, if there are some, get SIGKILL before. */
export async function endsBy(ms: number, hasServers: boolean): Promise<void> {
  const killAt = Date.now() + ms - LAST_EVENTS_MS;
  setTimeout(() => {
    console.error(`Sluice did not stop within ${ms / 1000} s, because something does not answer. It ends anyway.`);
    process.exit(exit.failed);
  }, ms).unref();
  if (hasServers) (await import('../../wire/process-group.ts')).killGroupsAt(killAt);
}

/** Ends the process even if a library goes on, for example to send the last traces. */
export function endsForSure(action: Action): Action {
  return {
    ...action,
    async run(args) {
      const code = await action.run(args);
      setTimeout(() => process.exit(code), LINGER_MS).unref();
      return code;
    },
  };
}
