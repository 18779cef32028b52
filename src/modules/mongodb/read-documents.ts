import type { AbstractCursor } from 'mongodb';
import { fittingItems } from '../../kernel/reply-size.ts';
import { SHORTENED, shownDocument } from './shown-document.ts';

/** Few enough that a batch of large documents stays small; the server sends at most 16 MB at once. */
export const BATCH = 20;

export interface ReadDocuments {
  readonly documents: unknown[];
  /** Whether there are more. */
  readonly more: boolean;
  /** How to see what was cut. */
  readonly note?: string;
}

/** As many documents as fit into a reply. The rest stays in the server. */
export async function readDocuments(
  cursor: AbstractCursor<object>,
  { limit, besides }: { readonly limit: number; readonly besides?: unknown },
): Promise<ReadDocuments> {
  const documents: unknown[] = [];
  let isShortened = false;
  let more = false;
  const around = () => ({ besides, more: true, next_skip: 100_000, ...(isShortened && { note: SHORTENED }) });
  try {
    for await (const document of cursor) {
      if (documents.length === limit) {
        more = true;
        break;
      }
      const shown = shownDocument(document);
      const was = isShortened;
      isShortened ||= shown.isShortened;
      documents.push(shown.value);
      if (documents.length === 1 || fittingItems(documents, around()) === documents.length) continue;
      documents.pop();
      isShortened = was;
      more = true;
      break;
    }
  } finally {
    await cursor.close();
  }
  return { documents, more, ...(isShortened && { note: SHORTENED }) };
}
