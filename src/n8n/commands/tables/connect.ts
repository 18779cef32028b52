import type { GatewayClient } from '../../../cli/client.ts';
import { createAnswerer } from '../../../cli/elicitation.ts';
import { untilCancelled } from '../../../cli/interrupt.ts';
import { reach } from '../../../cli/reach.ts';
import { configWithoutGateway, given, jsonOption, textIn } from '../../../cli/values.ts';
import type { Place } from '../../../host/place.ts';
import type { Values } from '../../../kernel/command.ts';
import { AppError, messageOf } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/source.ts';
import type { OutputOf } from '../../../kernel/tool.ts';
import type { listDataTables } from '../../data-tables/list-data-tables.ts';
import { callN8n } from '../call-n8n.ts';

export const tableOptions = {
  instance: { type: 'string', describe: 'Which n8n, by its name in the configuration' },
  config: configWithoutGateway,
  json: jsonOption,
} as const;

export interface Connected {
  /** Cancelled by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Ends at once on Ctrl-C. */
  call<T>(tool: string, args: Json): Promise<T>;
  /** Is not cancelled, so that what it wrote is known. `yes` confirms it. Throws a LostAnswer if that is not known. */
  write<T>(tool: string, args: Json, yes?: boolean): Promise<T>;
}

/** The gateway went away before it answered. */
export class LostAnswer extends AppError {}

/** Runs a verb with a gateway to call. */
export async function withTables(
  place: Place,
  values: Values,
  work: (connected: Connected) => Promise<number>,
): Promise<number> {
  const signal = untilCancelled();
  const file = textIn(values, 'config');
  const where = given('instance', textIn(values, 'instance'));
  await using client = await reach(place, { tool: 'n8n_list_data_tables', signal, ...given('file', file) });
  const toldApart: GatewayClient = {
    ...client,
    call: (...given) =>
      client.call(...given).catch((error: unknown) => {
        throw new LostAnswer('unavailable', messageOf(error), { cause: error });
      }),
  };
  return await work({
    signal,
    call: (tool, args) =>
      callN8n(client, tool, { ...where, ...args }, { signal, onAsk: createAnswerer(place.terminal, false) }),
    write: (tool, args, yes = false) =>
      callN8n(toldApart, tool, { ...where, ...args }, { onAsk: createAnswerer(place.terminal, yes) }),
  });
}

export type ListedTable = OutputOf<typeof listDataTables>['data_tables'][number];

const PAGE = 1000;

export async function allTables({ call }: Connected, filter: Json = {}): Promise<ListedTable[]> {
  const found: ListedTable[] = [];
  let cursor: string | undefined;
  do {
    const page: OutputOf<typeof listDataTables> = await call('n8n_list_data_tables', {
      ...filter,
      limit: PAGE,
      ...given('cursor', cursor),
    });
    found.push(...page.data_tables);
    ({ cursor } = page);
  } while (cursor !== undefined);
  return found;
}

/** `1,200` */
export const grouped = (number: number): string => number.toLocaleString('en-US');

const MEGABYTE = 1024 * 1024;

/** In the megabytes in which n8n counts its limit. */
export const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0)} MB`;
