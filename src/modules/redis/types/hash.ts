import { fittingItems } from '../../../kernel/reply-size.ts';
import type { Argument, Send } from '../connection.ts';
import { listIn, pairsIn, textIn } from '../replies.ts';
import { fitted, scanned } from '../scan.ts';
import { viewedItem, viewedName } from '../view.ts';

export interface HashPage {
  readonly pattern?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly mostMs: number;
}

/** A page of the fields of a hash. */
export async function hashPage(
  send: Send,
  key: Buffer,
  { pattern, limit, cursor, mostMs }: HashPage,
  besides: object = {},
) {
  const match: Argument[] = pattern === undefined ? [] : ['MATCH', pattern];
  const found = await scanned({
    async step(at, count) {
      const [next = '0', fields = []] = listIn(await send('HSCAN', key, at, ...match, 'COUNT', count));
      return { next: textIn(next), found: pairsIn(fields) };
    },
    from: cursor,
    mostMs,
    // A field may have 50 MB, and HSCAN sends it whole.
    first: 1,
    limit,
    identity: ([field]) => field.toString('latin1'),
    bytes: ([field, value]) => field.length + value.length,
  });
  const { views, ...rest } = fitted(
    found,
    ([field, value]) => ({ field: viewedName(field), ...viewedItem(value) }),
    (all) => fittingItems(all, besides),
  );
  return { fields: views, ...rest };
}
