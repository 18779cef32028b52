import { get } from '../../console/client/api.ts';
import { csvHead, csvLine, jsonLine } from './csv.ts';
import type { Event } from './event.ts';

/** A spreadsheet takes a million rows, but the browser has to hold the file. */
export const MOST_EXPORTED = 100_000;
const MOST_BYTES = 250_000_000;
const FIRST_PAGE = 200;
const PAGE = 1000;
/** Watched files may have events of a megabyte. */
const PAGE_BYTES = 10_000_000;

const formats = {
  csv: { type: 'text/csv;charset=utf-8', head: `\uFEFF${csvHead}`, line: csvLine },
  jsonl: { type: 'application/jsonl', head: '', line: jsonLine },
} as const;

export type Format = keyof typeof formats;

interface Collected {
  readonly blob: Blob;
  readonly events: number;
  /** Whether there are no more. */
  readonly isWhole: boolean;
}

/** Reads all events of a filter, newest first, page by page. */
export async function collect(
  filter: string,
  format: Format,
  progress: (events: number) => void,
  signal: AbortSignal,
): Promise<Collected> {
  const { type, head, line } = formats[format];
  // The pieces go into blobs, which the browser may keep on disk.
  const pieces: (Blob | string)[] = [head];
  let [events, bytes] = [0, 0];
  for await (const page of pagesOf(filter, MOST_EXPORTED, signal)) {
    const piece = new Blob([page.events.map(line).join('')]);
    pieces.push(piece);
    bytes += piece.size;
    progress((events += page.events.length));
    if (page.isLast) return { blob: new Blob(pieces, { type }), events, isWhole: true };
    if (bytes > MOST_BYTES) break;
  }
  return { blob: new Blob(pieces, { type }), events, isWhole: false };
}

interface EventsPage {
  readonly events: readonly Event[];
  readonly isLast: boolean;
}

/** The events of a filter in pages, at most so many. */
export async function* pagesOf(
  filter: string,
  most: number,
  signal: AbortSignal,
  more: Readonly<Record<string, string>> = {},
): AsyncGenerator<EventsPage, void, void> {
  const query = new URLSearchParams([...new URLSearchParams(filter), ...Object.entries(more)]);
  let size = FIRST_PAGE;
  for (let read = 0; read < most; ) {
    query.set('limit', String(Math.min(size, most - read)));
    const page = await get<{ events: Event[]; cursor?: string }>(`api/v1/events?${query}`, signal);
    read += page.events.length;
    yield { events: page.events, isLast: page.cursor === undefined };
    if (page.cursor === undefined) return;
    query.set('cursor', page.cursor);
    size = sizeAfter(page.events);
  }
}

/** How many of such events are a page. */
function sizeAfter(events: readonly Event[]): number {
  const bytes = events.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
  return Math.max(1, Math.min(PAGE, Math.floor(PAGE_BYTES / (bytes / events.length || 1))));
}
