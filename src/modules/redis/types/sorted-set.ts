import { fittingItems } from '../../../kernel/reply-size.ts';
import type { Argument, Send } from '../connection.ts';
import { bytesListIn } from '../replies.ts';
import { stepwise } from '../stepwise.ts';
import { viewedName } from '../view.ts';

export interface Ranked {
  readonly start: number;
  readonly limit: number;
  readonly descending?: boolean;
  /** Only members whose score is in this range. */
  readonly scores?: { readonly min: string; readonly max: string } | undefined;
}

/** Members with their scores, by rank, or by score if a range of scores is given. */
export async function rankedMembers(send: Send, key: Buffer, ranked: Ranked, besides: object = {}) {
  const { start, limit, descending = false, scores } = ranked;
  const read = async (from: number, count: number) => {
    const bounds = scores && (descending ? [scores.max, scores.min] : [scores.min, scores.max]);
    const command: Argument[] = bounds
      ? [descending ? 'ZREVRANGEBYSCORE' : 'ZRANGEBYSCORE', key, ...bounds, 'WITHSCORES', 'LIMIT', from, count]
      : [descending ? 'ZREVRANGE' : 'ZRANGE', key, from, from + count - 1, 'WITHSCORES'];
    const [name = '', ...args] = command;
    const flat = bytesListIn(await send(String(name), ...args));
    return flat.flatMap((member, at) => (at % 2 === 0 ? [{ member, score: flat[at + 1]?.toString() ?? '' }] : []));
  };
  // One more than asked for says whether there are others.
  const { items: found, isEnd } = await stepwise<{ member: Buffer; score: string }>(
    limit + 1,
    ({ length }, count) => read(start + length, count),
    ({ member }) => member.length,
  );
  const views = found
    .slice(0, limit)
    .map(({ member, score }) => ({ member: viewedName(member), score: scoreOf(score) }));
  const shown = views.slice(0, fittingItems(views, besides));
  return {
    members: shown,
    ...(shown.length > 0 && (!isEnd || shown.length < found.length) && { next_start: start + shown.length }),
  };
}

/** JSON has no infinity. */
export const scoreOf = (text: string): number | string => (/inf/.test(text) ? text : Number(text));
