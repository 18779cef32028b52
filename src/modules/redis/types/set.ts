import { fittingItems } from '../../../kernel/reply-size.ts';
import type { Argument, Send } from '../connection.ts';
import { bytesListIn, listIn, textIn } from '../replies.ts';
import { fitted, scanned } from '../scan.ts';
import { viewedName } from '../view.ts';
import type { HashPage } from './hash.ts';

/** A page of the members of a set. */
export async function setPage(
  send: Send,
  key: Buffer,
  { pattern, limit, cursor, mostMs }: HashPage,
  besides: object = {},
) {
  const match: Argument[] = pattern === undefined ? [] : ['MATCH', pattern];
  const found = await scanned<Buffer>({
    async step(at, count) {
      const [next = '0', members = []] = listIn(await send('SSCAN', key, at, ...match, 'COUNT', count));
      return { next: textIn(next), found: bytesListIn(members) };
    },
    from: cursor,
    mostMs,
    first: 1,
    limit,
    identity: (member) => member.toString('latin1'),
    bytes: ({ length }) => length,
  });
  const { views, ...rest } = fitted(found, viewedName, (all) => fittingItems(all, besides));
  return { members: views, ...rest };
}
