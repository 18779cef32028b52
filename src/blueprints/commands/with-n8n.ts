import { createAnswerer } from '../../cli/elicitation.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import { reach } from '../../cli/reach.ts';
import { configWithoutGateway, given, jsonOption, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Values } from '../../kernel/command.ts';
import { callN8n } from '../../n8n/commands/call-n8n.ts';
import type { Call, Installed } from '../workflows/installed.ts';

export const n8nOptions = {
  instance: { type: 'string', describe: 'Which n8n, by its name in the configuration' },
  yes: { type: 'boolean', short: 'y', describe: 'Go ahead without asking, also with workflows that somebody changed' },
  config: configWithoutGateway,
  json: jsonOption,
} as const;

/** Runs a verb with the tools of one n8n. */
export async function withN8n(place: Place, values: Values, work: (call: Call) => Promise<number>): Promise<number> {
  const signal = untilCancelled();
  const where = given('instance', textIn(values, 'instance'));
  await using client = await reach(place, {
    tool: 'n8n_list_workflows',
    signal,
    ...given('file', textIn(values, 'config')),
  });
  const onAsk = createAnswerer(place.terminal, values.yes === true);
  return await work((tool, args) => callN8n(client, tool, { ...where, ...args }, { signal, onAsk }));
}

/** Whether to go on with a workflow that somebody changed. */
export async function mayTouch(
  { terminal }: Place,
  values: Values,
  { name }: Installed,
  what: string,
): Promise<boolean> {
  if (values.yes === true) return true;
  if (!terminal.interactive) {
    terminal.say(`Left "${name}" as it is, because somebody changed it. Add --yes to ${what} it.`);
    return false;
  }
  const answer = await terminal.ask(`Somebody changed "${name}". ${what[0]?.toUpperCase()}${what.slice(1)} it? [y/N] `);
  return /^y(es)?$/i.test(answer ?? '');
}
