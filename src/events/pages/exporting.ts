import { get } from '../../console/client/api.ts';
import { csvHead, csvLine, jsonLine } from './csv.ts';
import type { Event } from './event.ts';

/** A spreadsheet takes a million rows, but the browser has to hold the file. */
export const MOST_EXPORTED = 100_000;
const PAGE = 1000;

const formats = {
  csv: { type: 'text/csv;charset=utf-8', head: `\uFEFF${csvHead}`, line: csvLine },
  jsonl: { type: 'application/jsonl', head: '', line: jsonLine },
} as const;

export type Format = keyof typeof formats;

export interface Collected {
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
  let events = 0;
  for await (const page of pagesOf(filter, MOST_EXPORTED, signal)) {
    pieces.push(new Blob([page.events.map(line).join('')]));
    progress((events += page.events.length));
    if (page.isLast) return { blob: new Blob(pieces, { type }), events, isWhole: true };
  }
  return { blob: new Blob(pieces, { type }), events, isWhole: false };
}

export interface EventsPage {
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
  query.set('limit', String(Math.min(PAGE, most)));
  for (let read = 0; read < most; ) {
    const page = await get<{ events: Event[]; cursor?: string }>(`api/v1/events?${query}`, signal);
    read += page.events.length;
    yield { events: page.events, isLast: page.cursor === undefined };
    if (page.cursor === undefined) return;
    query.set('cursor', page.cursor);
  }
}
