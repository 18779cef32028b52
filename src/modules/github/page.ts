import type { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { GitHub, Path, Question } from './connection.ts';

export interface Listing {
  /** The name of the tool. */
  readonly tool: string;
  /** Its arguments but the cursor, which is valid for these alone. */
  readonly asked: { readonly limit: number } & Record<string, unknown>;
  readonly cursor: string | undefined;
}

export interface Pages<A, T, S> {
  readonly type: z.ZodType<A>;
  readonly path: Path;
  readonly query?: Question['query'];
  readonly headers?: Question['headers'];
  /** The items in an answer: the answer itself, or its `items`, `workflow_runs` and so on. */
  items(answer: A): readonly T[];
  /** How an item is shown; undefined leaves it out, because it does not match. */
  shape(item: T): S | undefined;
  /** Whether the section allows it. Those that it does not are left out and counted. */
  isAllowed?(item: T): boolean;
  /** What the reply has besides the items. */
  readonly besides?: object;
}

export interface Paged<A, S> {
  readonly items: S[];
  /** For the output: where the list goes on, and how many were left out because they are not allowed. */
  readonly more: { readonly cursor?: string; readonly left_out?: number };
  /** The last answer, for totals. */
  readonly answer: A;
}

/** If everything on a page is left out, the next ones are looked at, too. */
const MOST_PAGES = 5;

/** As many items of one of GitHub's pages as fit into a reply, with a cursor for the rest. */
export async function pageOf<A, T, S extends object>(
  github: Pick<GitHub, 'answer'>,
  { tool, asked, cursor }: Listing,
  { type, path, query, headers, items: itemsOf, shape, isAllowed = () => true, besides = {} }: Pages<A, T, S>,
  question: Pick<Question, 'signal' | 'progress'>,
): Promise<Paged<A, S>> {
  let { next, skip } = placeIn(tool, asked, cursor);
  let leftOut = 0;
  for (let turn = 1; ; turn += 1) {
    const { data, headers: answered } = await github.answer(type, path, {
      query: { ...query, per_page: asked.limit, ...pagingIn(next) },
      ...(headers && { headers }),
      ...question,
    });
    const some = itemsOf(data)
      .slice(skip)
      .map((item) => (isAllowed(item) ? { shown: shape(item) } : undefined));
    const shown = some.flatMap((one) => (one?.shown === undefined ? [] : [one.shown]));
    const count = shown.length === 0 ? 0 : fittingItems(shown, { ...besides, cursor: 'x'.repeat(100), left_out: 100 });
    const passed =
      count === shown.length ? some.length : some.findLastIndex((one) => one?.shown === shown[count - 1]) + 1;
    leftOut += some.slice(0, passed).filter((one) => one === undefined).length;
    const following = nextIn(answered.link);
    const place = passed < some.length ? { next, skip: skip + passed } : { next: following, skip: 0 };
    const isEnd = place.skip === 0 && following === undefined;
    if (count === 0 && !isEnd && turn < MOST_PAGES) {
      ({ next, skip } = place);
      continue;
    }
    return {
      items: shown.slice(0, count),
      more: {
        ...(!isEnd && { cursor: cursorFor(tool, asked, placed(place)) }),
        ...(leftOut > 0 && { left_out: leftOut }),
      },
      answer: data,
    };
  }
}

const placed = ({ next, skip }: { next: string | undefined; skip: number }) => ({
  skip,
  ...(next !== undefined && { next }),
});

/** Parameters with which GitHub pages. A cursor comes from outside: no others are taken from it. */
const PAGING = new Set(['page', 'after', 'before']);

/** The paging parameters of the next page in a Link header. */
export function nextIn(link: string | string[] | undefined): string | undefined {
  const url = /<([^>]*)>;[^,]*\brel="?next"?/.exec([link ?? ''].flat().join(', '))?.[1];
  if (url === undefined || !URL.canParse(url)) return undefined;
  const kept = new URLSearchParams([...new URL(url).searchParams].filter(([name]) => PAGING.has(name)));
  return kept.size === 0 ? undefined : kept.toString();
}

function pagingIn(next: string | undefined): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(next)].filter(([name]) => PAGING.has(name)));
}
