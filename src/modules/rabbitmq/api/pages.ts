import { z } from 'zod';
import { cursorFor, placeIn } from '../../../kernel/cursor.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { type Asked, HttpError } from '../../http.ts';
import type { RabbitMq } from '../connection.ts';

export interface Paged {
  readonly path: readonly string[];
  /** The fields that are used: the broker leaves out the rest, which is ten times as much. */
  readonly columns: string;
  readonly query?: Asked['query'];
  /** From `nameFilter`. */
  readonly filter?: string | undefined;
  readonly skip: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** The broker's page that has the item at `skip`, from there on. */
export async function pageOf<T>(rabbit: RabbitMq, type: z.ZodType<T>, asked: Paged): Promise<Page<T>> {
  const { path, columns, query, filter, skip, limit, signal } = asked;
  const shape = z.object({ items: z.array(type), filtered_count: z.int() });
  try {
    const { items, filtered_count } = await rabbit.get(shape, path, {
      query: {
        page: Math.floor(skip / limit) + 1,
        page_size: limit,
        ...(filter !== undefined && { name: filter, use_regex: true }),
        ...query,
        columns,
      },
      signal,
    });
    return { items: items.slice(skip % limit), total: filtered_count };
  } catch (error) {
    // Others deleted so much that the page is gone.
    if (error instanceof HttpError && error.body.includes('page_out_of_range')) return { items: [], total: skip };
    throw error;
  }
}

export interface Listing {
  /** The name of the tool. */
  readonly tool: string;
  /** Its arguments but the cursor, which is valid for these alone. */
  readonly asked: { readonly limit: number } & Record<string, unknown>;
  readonly cursor: string | undefined;
}

export const skipOf = ({ tool, asked, cursor }: Listing): number => placeIn(tool, asked, cursor).skip;

/**
 * As many of a page's items as fit into a reply, with the cursor for the rest. `shape` returns undefined for what may
 * not be shown.
 */
export function fitted<T, S extends object>(
  listing: Listing,
  { items, total }: Page<T>,
  shape: (item: T) => S | undefined,
): { items: S[]; total: number; cursor?: string } {
  const shaped = items.map(shape);
  const kept = shaped.filter((item) => item !== undefined);
  const count = kept.length === 0 ? 0 : fittingItems(kept, { total, cursor: 'x'.repeat(80) });
  const passed = count === kept.length ? items.length : shaped.lastIndexOf(kept[count - 1]) + 1;
  const next = skipOf(listing) + passed;
  return {
    items: kept.slice(0, count),
    total,
    ...(next < total && passed > 0 && { cursor: cursorFor(listing.tool, listing.asked, { skip: next }) }),
  };
}

/** The same for a list that the broker gives as a whole. */
export function sliced<T, S extends object>(listing: Listing, all: readonly T[], shape: (item: T) => S) {
  const skip = skipOf(listing);
  return fitted(listing, { items: all.slice(skip, skip + listing.asked.limit), total: all.length }, shape);
}
