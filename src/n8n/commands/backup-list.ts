import { exit } from '../../cli/frame.ts';
import { firstLine, table } from '../../cli/table.ts';
import type { Terminal } from '../../host/terminal.ts';
import type { Values } from '../../kernel/command.ts';
import type { Json } from '../../kernel/source.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { listBackups } from '../backups/list-backups.ts';

export type Call = <T>(tool: string, args: Json) => Promise<T>;

/** How many backups a page can have. */
export const PAGE = 250;

type Page = OutputOf<typeof listBackups>;

/** `sluice backup list`. */
export async function listed(
  call: Call,
  filter: Json,
  limit: number,
  values: Values,
  terminal: Terminal,
): Promise<number> {
  type Listed = NonNullable<Page['backups'] | Page['whole'] | Page['data_tables']>[number];
  const found: Listed[] = [];
  let cursor: string | undefined;
  let note: string | undefined;
  do {
    const page = await call<Page>('n8n_list_backups', {
      ...filter,
      limit: Math.min(PAGE, limit - found.length),
      ...(cursor !== undefined && { cursor }),
    });
    found.push(...(page.backups ?? page.whole ?? page.data_tables ?? []));
    ({ cursor, note } = page);
  } while (cursor !== undefined && found.length < limit);
  if (values.json) terminal.print(JSON.stringify(found, null, 2));
  else if (found.length === 0) terminal.say('There are no backups. `sluice backup create` backs up everything.');
  else {
    const hasPlaces = found.some(({ where }) => where !== undefined);
    const rows = found.map((one) => [
      one.id,
      one.taken,
      'deleted' in one ? `delete ${one.deleted}` : 'reason' in one && one.reason !== 'asked' ? one.reason : '-',
      'why' in one ? one.why : 'deleted' in one ? 'automatic' : 'asked for',
      size(one.bytes),
      ...(hasPlaces ? [one.where?.join(', ') ?? ''] : []),
      firstLine('name' in one ? one.name : `all of ${one.instance}`),
    ]);
    const titles = ['ID', 'TAKEN', 'BEFORE', 'WHY', 'SIZE', ...(hasPlaces ? ['WHERE'] : []), 'WORKFLOW'];
    terminal.print(table([titles, ...rows], terminal.width).join('\n'));
  }
  if (note !== undefined) terminal.say(note);
  if (cursor !== undefined) terminal.say(`There are more: --limit ${limit * 2}, or name a workflow.`);
  return exit.done;
}

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
