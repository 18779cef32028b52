import type { Span } from './spans.ts';

/** Ids of this n8n, and what to write instead of each. */
export type KnownIds = ReadonlyMap<string, string>;

/** A UUID, an id as n8n makes them for workflows, credentials and data tables, or that of an n8n. */
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const alone = new RegExp(`^(?:${uuid}|(?=.*[A-Za-z])[A-Za-z0-9]{16}|[0-9a-f]{64})$`, 'i');
const within = new RegExp(`(?<![\\w-])(?:${uuid}|[A-Za-z0-9]{16}|[0-9a-f]{64})(?![\\w-])`, 'gi');

/** Whether nothing but n8n makes such an id, so that it cannot be a word of the text. Older ids are plain numbers. */
export const isMadeId = (id: string): boolean => alone.test(id);

/** The known ids in a text. */
export function idSpans(text: string, ids: KnownIds): Span[] {
  if (ids.size === 0) return [];
  return [...text.matchAll(within)].flatMap(({ 0: found, index }) => {
    const put = ids.get(found);
    return put === undefined ? [] : [{ start: index, end: index + found.length, put }];
  });
}
