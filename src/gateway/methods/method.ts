import type { Json } from '../../kernel/source.ts';
import { code, errorOutcome, type Request } from '../../wire/jsonrpc.ts';
import type { Answer, Exchange } from '../../wire/service.ts';
import { type CacheHint, type ListKind, mergeHints } from '../backends/catalogue.ts';
import type { Visibility } from '../visibility.ts';

/** Answers one kind of request. An error it throws becomes a protocol error. */
export type Method = (request: Request, exchange: Exchange) => Promise<Answer> | Answer;

/** Methods by name, in both eras or in one of them. */
export interface Methods {
  both?: Record<string, Method>;
  legacy?: Record<string, Method>;
  modern?: Record<string, Method>;
}

/** Our own lists are safe to cache: clients get a notification when they change. */
const ownHint: CacheHint = { ttlMs: 60_000, cacheScope: 'private' };

/** A list as a result, in one page: some clients never ask for a second. */
export function listed(
  field: string,
  kind: ListKind,
  items: readonly Json[],
  exchange: Exchange,
  visibility: Visibility,
): { result: Json } {
  if (exchange.client.era === 'legacy') return { result: { [field]: items } };
  const hints = visibility.backends(exchange).flatMap(({ catalogue }) => (catalogue ? [catalogue.hints[kind]] : []));
  return { result: { resultType: 'complete', [field]: items, ...mergeHints([ownHint, ...hints]) } };
}

export function refuseCursor({ params }: Request): Answer | undefined {
  if (params?.cursor === undefined) return undefined;
  return errorOutcome(
    code.invalidParams,
    'Invalid params: unknown cursor. The list has only one page; leave the cursor out.',
  );
}
