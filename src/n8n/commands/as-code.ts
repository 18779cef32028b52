import { resolve } from 'node:path';
import { createAnswerer } from '../../cli/elicitation.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import { reach } from '../../cli/reach.ts';
import { firstLine, table } from '../../cli/table.ts';
import { configWithoutGateway, given, jsonOption, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Style, Terminal } from '../../host/terminal.ts';
import type { CommandOption, Values } from '../../kernel/command.ts';
import type { Both } from '../as-code/both.ts';
import { openFolder } from '../as-code/folder.ts';
import type { Item } from '../as-code/item.ts';
import type { Scope } from '../as-code/pairs.ts';
import { instanceName, openRemote } from '../as-code/remote.ts';
import { callN8n } from './call-n8n.ts';

/** A folder, and names of workflows or files in it. */
export const positionals = [1, 1000] as const;

/** Options of `pull` and `push`. */
export const shared = {
  tag: { type: 'string', describe: 'Only workflows with this tag' },
  'pinned-data': { type: 'boolean', describe: 'Keep pinned data in the files, from now on' },
} as const satisfies Record<string, CommandOption>;

export const common = {
  'dry-run': { type: 'boolean', describe: 'Only say what would be done' },
  instance: { type: 'string', describe: 'Which n8n, by its name in the configuration' },
  config: configWithoutGateway,
  json: jsonOption,
} as const satisfies Record<string, CommandOption>;

export interface Asked {
  readonly directory: string;
  readonly scope: Scope;
  readonly pinned: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
}

export function askedIn(values: Values, [directory = '', ...names]: readonly string[]): Asked {
  return {
    directory,
    scope: { tag: textIn(values, 'tag'), names },
    pinned: values['pinned-data'] === true,
    force: values.force === true,
    dryRun: values['dry-run'] === true || values.check === true,
  };
}

/** Opens the folder and the n8n behind the gateway. */
export async function withBoth(
  place: Place,
  values: Values,
  { directory, pinned, create }: Pick<Asked, 'directory' | 'pinned'> & { create: 'now' | 'later' | 'never' },
  work: (both: Both) => Promise<number>,
): Promise<number> {
  const { terminal, cwd } = place;
  const signal = untilCancelled();
  await using client = await reach(place, {
    tool: 'n8n_list_workflows',
    signal,
    ...given('file', textIn(values, 'config')),
  });
  const onAsk = createAnswerer(terminal, values.yes === true);
  const call = <T>(tool: string, args: Parameters<typeof callN8n>[2]) =>
    callN8n<T>(client, tool, args, { signal, onAsk });
  const instance = await instanceName(call, textIn(values, 'instance'));
  const folder = await openFolder(resolve(cwd, directory), { instance, create, pinned });
  const known = [...(folder.sides.get(instance)?.workflows.values() ?? [])].map(({ id }) => id);
  return await work({ folder, remote: await openRemote(call, instance, known) });
}

const styles: ReadonlyMap<string, Style> = new Map<string, Style>([
  ['conflict', 'red'],
  ['error', 'red'],
  ['failed', 'red'],
  ['to push', 'yellow'],
  ['to pull', 'yellow'],
]);

/** What happened, a line for each workflow, with reasons and changes below. */
export function printItems(
  terminal: Terminal,
  items: readonly (Item & { readonly word: string })[],
  { changes }: { changes: boolean },
): void {
  const name = (item: Item) => firstLine(item.was === undefined ? item.name : `${item.name} (was ${item.was})`);
  const heads = table(items.map((item) => [item.word, item.file, name(item)]));
  const lines = items.flatMap((item, index) => {
    const head = heads[index] as string;
    const style = styles.get(item.word);
    return [
      style ? terminal.paint(style, head) : head,
      ...(item.why ?? []).map((line) => `    ${firstLine(line)}`),
      ...(changes ? (item.changes ?? []).map((line) => `    ${line.replaceAll('\n', '\n    ')}`) : []),
    ];
  });
  if (lines.length > 0) terminal.print(lines.join('\n'));
}

/** By file, so that two runs print the same. */
export const byFile = (a: Item, b: Item): number => (a.file < b.file ? -1 : 1);

/** `2 created, 1 conflict`; words that nothing has are left out. */
export function summaryOf(items: readonly { readonly word: string }[]): string {
  const counts = Map.groupBy(items, ({ word }) => word);
  return [...counts].map(([word, { length }]) => `${length} ${word}`).join(', ');
}
