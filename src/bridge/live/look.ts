import { z } from 'zod';
import { AppError, toAppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../../n8n/client/client.ts';
import { type Workflow, workflowShape } from '../../n8n/client/shapes.ts';
import { discover, type Found } from '../discover.ts';
import type { Choosing } from '../settings.ts';
import { markOf } from './mark.ts';

/** n8n's maximum. */
const PAGE = 250;
/** How many chosen workflows are read in parallel. */
const AT_ONCE = 8;

const pageShape = z.object({ data: z.array(z.looseObject({ id: z.string() })), nextCursor: z.string().nullish() });

interface Page {
  readonly etag: string | undefined;
  readonly ids: readonly string[];
  readonly next: string | undefined;
}

interface Known {
  readonly mark: string;
  readonly found: Found | undefined;
}

export interface Seen {
  /** The changed workflows that have, or had, something to bridge. */
  readonly changed: readonly string[];
}

const nothing: Seen = { changed: [] };

/**
 * Scans the workflows of one n8n. Its list always contains whole workflows, so an ETag saves the transfer of unchanged
 * pages, and of a changed page only the changed workflows are examined. The workflows themselves are not kept.
 */
export function createLook() {
  let known = new Map<string, Known>();
  let pages: Page[] = [];

  async function readPage(
    client: N8nClient,
    cursor: string | undefined,
    before: Page | undefined,
    signal: AbortSignal,
  ) {
    const path = '/api/v1/workflows';
    const answer = await client.http.send('GET', path, {
      query: { limit: PAGE, cursor, excludePinnedData: true },
      // Without its own cache-control, fetch adds no-cache to a conditional request, and n8n then never answers 304.
      ...(before?.etag !== undefined && { headers: { 'if-none-match': before.etag, 'cache-control': 'max-age=0' } }),
      signal,
    });
    if (answer.status === 304 && before) return { page: before, data: undefined };
    if (answer.status !== 200) throw await client.http.refusal(answer, 'GET', path);
    const { data, nextCursor } = pageShape.parse(answer.body);
    const page: Page = {
      etag: answer.headers.get('etag') ?? undefined,
      ids: data.map(({ id }) => id),
      next: nextCursor ?? undefined,
    };
    return { page, data };
  }

  /** A chosen workflow is read on its own: lists omit the description and pinned data, which describe the tool. */
  async function lookInto(client: N8nClient, item: unknown, choosing: Choosing, signal: AbortSignal) {
    const listed = workflowShape.safeParse(item);
    // A workflow of unknown shape must not block the others.
    const found = listed.success ? discover(listed.data, choosing) : undefined;
    if (found?.chosen === undefined) return found;
    return discover(await client.workflows.get(found.id, signal).catch(gone), choosing);

    function gone(error: unknown): Workflow {
      if (listed.data && toAppError(error).code === 'not_found') return listed.data;
      throw error;
    }
  }

  return {
    /** Sorted by id, so that nothing depends on n8n's order. */
    found: (): readonly Found[] =>
      [...known.values()].flatMap(({ found }) => found ?? []).sort((a, b) => (a.id < b.id ? -1 : 1)),
    /** Number of all workflows. */
    size: () => known.size,
    /** The next scan examines everything again, because the configuration changed. Results stay until then. */
    reset(): void {
      known = new Map([...known].map(([id, { found }]) => [id, { mark: '', found }]));
      pages = [];
    },
    async all(client: N8nClient, choosing: Choosing, signal: AbortSignal): Promise<Seen> {
      const changed: string[] = [];
      const now = new Map<string, Known>();
      const nextPages: Page[] = [];
      let cursor: string | undefined;
      do {
        const before = pages[nextPages.length];
        const { page, data } = await readPage(client, cursor, before, signal);
        for (const id of data ? [] : page.ids) {
          const old = known.get(id);
          if (old) now.set(id, old);
        }
        const others: { id: string; mark: string; item: unknown }[] = [];
        for (const item of data ?? []) {
          const mark = markOf(item);
          const old = known.get(item.id);
          if (old?.mark === mark) now.set(item.id, old);
          else others.push({ id: item.id, mark, item });
        }
        for (let at = 0; at < others.length; at += AT_ONCE) {
          const some = others.slice(at, at + AT_ONCE);
          const found = await Promise.all(some.map(({ item }) => lookInto(client, item, choosing, signal)));
          for (const [index, { id, mark }] of some.entries()) {
            now.set(id, { mark, found: found[index] });
            if (found[index] ?? known.get(id)?.found) changed.push(id);
          }
        }
        nextPages.push(page);
        cursor = page.next;
      } while (cursor !== undefined);
      for (const [id, { found }] of known) {
        if (now.has(id)) continue;
        // n8n pages by offset: a deletion during the scan can hide a workflow between two pages. Check before dropping it.
        if (found && nextPages.length > 1 && (await isThere(client, id, signal))) {
          now.set(id, { mark: '', found });
          continue;
        }
        if (found) changed.push(id);
      }
      known = now;
      pages = nextPages;
      return { changed };
    },
    async one(client: N8nClient, id: string, choosing: Choosing, signal: AbortSignal): Promise<Seen> {
      const old = known.get(id);
      let workflow: Workflow;
      try {
        workflow = await client.workflows.get(id, signal);
      } catch (error) {
        if (toAppError(error).code !== 'not_found') throw error;
        known.delete(id);
        return { changed: old?.found ? [id] : [] };
      }
      if (workflow.id !== id) throw new AppError('unavailable', `n8n returned another workflow than ${id}.`);
      const mark = markOf(workflow);
      if (old?.mark === mark) return nothing;
      const found = discover(workflow, choosing);
      known.set(id, { mark, found });
      return { changed: (found ?? old?.found) ? [id] : [] };
    },
  };
}

async function isThere(client: N8nClient, id: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.workflows.get(id, signal);
    return true;
  } catch (error) {
    if (toAppError(error).code === 'not_found') return false;
    throw error;
  }
}
