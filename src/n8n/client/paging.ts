import { z } from 'zod';
import type { Ask } from './answer.ts';
import type { N8nHttp } from './http.ts';

export interface Page<T> {
  readonly items: T[];
  /** Present if there is another page. */
  readonly cursor?: string;
}

const LARGEST = 250;

export async function readPage<T>(
  http: N8nHttp,
  path: string,
  item: z.ZodType<T>,
  query: NonNullable<Ask['query']>,
  signal?: AbortSignal,
): Promise<Page<T>> {
  const body = await http.ask('GET', path, { query, ...(signal && { signal }) });
  const { data, nextCursor } = z.object({ data: z.array(item), nextCursor: z.string().nullish() }).parse(body);
  return { items: data, ...(nextCursor && { cursor: nextCursor }) };
}

/** All items of a list, page by page. */
export async function* readAll<T>(
  http: N8nHttp,
  path: string,
  item: z.ZodType<T>,
  query: NonNullable<Ask['query']> = {},
  signal?: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await readPage(http, path, item, { limit: LARGEST, ...query, cursor }, signal);
    yield* page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
