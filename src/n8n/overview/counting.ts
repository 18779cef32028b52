import { AppError } from '../../kernel/errors.ts';
import type { Page } from '../client/paging.ts';

const LARGEST = 250;

/** The part of a list that was read within the limits of number and time. */
export interface Counted<T> {
  readonly items: readonly T[];
  /** There are more. */
  readonly cut: boolean;
}

/** Reads a list page by page until it ends, has `most` items, or the time is up. */
export async function countUpTo<T>(
  page: (query: { limit: number; cursor?: string }) => Promise<Page<T>>,
  most: number,
  until: number,
): Promise<Counted<T>> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    if (items.length >= most || Date.now() > until) return { items, cut: true };
    const next = await page({ limit: Math.min(LARGEST, most - items.length), ...(cursor !== undefined && { cursor }) });
    items.push(...next.items);
    cursor = next.cursor;
  } while (cursor !== undefined);
  return { items, cut: false };
}

/** A part of an answer, or the error if the key may not read it: the other parts are still shown. */
export type Part<T> = { readonly value: T } | { readonly refused: AppError };

export async function partOf<T>(work: Promise<T>): Promise<Part<T>> {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof AppError && (error.code === 'forbidden' || error.code === 'unsupported')) {
      return { refused: error };
    }
    throw error;
  }
}

export const valueOf = <T>(part: Part<T>): T | undefined => ('value' in part ? part.value : undefined);

/** The note about a count that was cut short. */
export function cutNote(what: string, { items, cut: isCut }: Counted<unknown>): string[] {
  return isCut ? [`Counting stopped at ${items.length} ${what}; there are more.`] : [];
}
