import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { momentOf } from '../kernel/moment.ts';
import type { Quota } from '../kernel/quota.ts';
import type { CallContext } from '../kernel/source.ts';
import { toolsFor } from '../kernel/tool.ts';
import type { Author, GraphEngine } from './engine.ts';

/** What the graph tools may use. */
export interface GraphDeps {
  /** Opened on first use. */
  graph(): Promise<GraphEngine>;
  readonly quota: Quota;
}

export const graphTool = toolsFor<GraphDeps>({ category: 'graph', tags: ['graph', 'memory'] });

/** The number of items in a list that one call may write. */
export const MOST_AT_ONCE = 1000;

export const nameInput = z.string().describe('Name of an entity');
export const namesInput = (most = MOST_AT_ONCE) => z.array(nameInput).min(1).max(most);
export const asOfInput = z
  .string()
  .optional()
  .describe('What was true then: an ISO time, or how long ago (90d). Default: now');
export const typesInput = z.array(z.string()).min(1).max(50).optional().describe('Only relations of these types');
export const propertiesInput = z.record(z.string(), z.unknown()).describe('Any JSON, e.g. {"age": 36}');

/** For what is written: since when and until when it is true. */
export const validityInput = {
  valid_from: z.string().optional().describe('True since, ISO time'),
  valid_to: z.string().optional().describe('True until, ISO time'),
};

/** A time as engines compare it. */
export function timeIn(text: string): string {
  const time = momentOf(text).toISOString();
  // Years of other lengths do not sort as text.
  if (/^\d{4}-/.test(time)) return time;
  throw new AppError('invalid_input', `${text} is not between the years 0 and 9999.`);
}

export const asOf = (given: string | undefined): string => timeIn(given ?? new Date().toISOString());

export const validityOf = ({
  valid_from,
  valid_to,
}: {
  valid_from?: string | undefined;
  valid_to?: string | undefined;
}) => ({
  ...(valid_from !== undefined && { validFrom: timeIn(valid_from) }),
  ...(valid_to !== undefined && { validTo: timeIn(valid_to) }),
});

/** About how much this will take up, as the columns `bytes` have it: each row, and its texts with their words. */
export const bytesOf = (
  written: readonly { readonly observations?: readonly unknown[]; readonly [key: string]: unknown }[],
): number =>
  written.reduce(
    (sum, one) => sum + 500 * (1 + (one.observations?.length ?? 0)) + 3 * Buffer.byteLength(JSON.stringify(one)),
    0,
  );

export function authorOf({ principal, client, trace }: CallContext): Author {
  const program = client.info?.name;
  return {
    principal: principal.id,
    ...(typeof program === 'string' && { client: program.slice(0, 100) }),
    call: trace.traceId,
  };
}
