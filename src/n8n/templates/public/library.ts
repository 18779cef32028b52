import { once } from 'node:events';
import { AppError } from '../../../kernel/errors.ts';
import { nearestNames, shown } from '../../../kernel/nearest-names.ts';
import type { Progress } from '../../../kernel/progress.ts';
import { ago } from '../age.ts';
import type { Synced, Template, TemplateSummary } from '../template.ts';
import type { Kept, TemplateCache } from './cache.ts';
import { PAGE_ROWS, type Service } from './service.ts';
import type { Page } from './shapes.ts';
import { syncPages } from './sync.ts';

/** How long the service is left alone after it did not answer: calls of that time are answered from the cache at once. */
const AWAY_MS = 30_000;

/** What was read, when, and why it is old. */
export interface Answer<T> extends Kept<T> {
  readonly note?: string;
}

export interface Filter {
  readonly search?: string;
  readonly category?: string;
  /** Full types. */
  readonly nodes?: readonly string[];
}

/** n8n's public library, through the cache. */
export interface PublicLibrary {
  get(id: string, signal: AbortSignal): Promise<Template>;
  /** Asks the service, or returns what it answered before. */
  search(filter: Filter, signal: AbortSignal): Promise<Answer<Page>>;
  categories(signal: AbortSignal): Promise<Answer<readonly string[]>>;
  /** Everything that was read so far. */
  known(): Promise<ReadonlyMap<string, Kept<TemplateSummary>>>;
  /** When the most viewed templates were downloaded; undefined if they were not. */
  syncedAt(): Promise<number | undefined>;
  sync(limit: number, signal: AbortSignal, progress: Progress): Promise<Synced>;
}

export function publicLibrary(service: Service, cache: TemplateCache, refreshMs: () => number): PublicLibrary {
  let away: { readonly error: AppError; readonly until: number } | undefined;
  let syncing: Promise<unknown> = Promise.resolve();

  /** The kept answer while it is current; otherwise a new one; the kept one again if there is none. */
  async function current<T>(
    kept: Kept<T> | undefined,
    read: () => Promise<T>,
    keep: (value: T) => Promise<unknown>,
  ): Promise<Answer<T>> {
    if (kept && Date.now() - kept.at < refreshMs()) return kept;
    try {
      if (away && Date.now() < away.until) throw away.error;
      const value = await read();
      away = undefined;
      await keep(value);
      return { value, at: Date.now() };
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'cancelled' || error.code === 'not_found') throw error;
      if (isAway(error) && error !== away?.error) away = { error, until: Date.now() + pauseOf(error) };
      if (!kept) throw error;
      return { ...kept, note: `${error.message} This is from ${ago(kept.at)}.` };
    }
  }

  async function unknown(id: string): Promise<AppError> {
    const names = [...(await cache.summaries()).keys()];
    const near = nearestNames(id, names);
    const advice = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
    return new AppError(
      'not_found',
      `The public template library has no template ${shown(id)}.${advice} n8n_search_templates finds templates.`,
    );
  }

  return {
    async get(id, signal) {
      const kept = await cache.template(id);
      try {
        const { value, at, note } = await current(
          kept,
          () => service.template(id, signal),
          (template) => cache.keepTemplate(template),
        );
        const isOld = kept !== undefined && at === kept.at;
        return { ...value, ...(isOld && { readAt: new Date(at).toISOString() }), ...(note !== undefined && { note }) };
      } catch (error) {
        throw error instanceof AppError && error.code === 'not_found' ? await unknown(id) : error;
      }
    },
    async search(filter, signal) {
      const query = { page: 1, rows: PAGE_ROWS, ...filter };
      return current(
        await cache.page(query),
        async () => inCategory(await service.search(query, signal), filter.category),
        (page) => cache.keepPage(query, page),
      );
    },
    async categories(signal) {
      return current(
        await cache.categories(),
        () => service.categories(signal),
        (names) => cache.keepCategories(names),
      );
    },
    known: () => cache.summaries(),
    syncedAt: async () => (await cache.synced())?.at,
    async sync(limit, signal, progress) {
      // One after the other: the second one finds the pages of the first.
      const done = Promise.race([syncing, aborted(signal)])
        .then(() => syncPages({ service, cache, refreshMs }, limit, signal, progress))
        .catch((error: unknown) => {
          throw signal.aborted ? new AppError('cancelled', 'The sync was cancelled.', { cause: error }) : error;
        });
      syncing = Promise.allSettled([syncing, done]);
      return done;
    },
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Entries in lists do not tell their categories, but all of this list have the one that was asked for. */
function inCategory({ total, templates }: Page, category: string | undefined): Page {
  if (category === undefined) return { total, templates };
  const withIt = ({ categories = [], ...one }: TemplateSummary): TemplateSummary => ({
    ...one,
    categories: [...new Set([...categories, category])],
  });
  return { total, templates: templates.map(withIt) };
}

/** A request that fails inside the service (500) may be the only one that does, and nobody waited for it. */
const isAway = ({ code, data }: AppError): boolean =>
  (code === 'unavailable' && data?.status !== 500) || code === 'timeout' || code === 'rate_limited';

function pauseOf({ data }: AppError): number {
  const wanted = data?.retry_after_ms;
  return typeof wanted === 'number' ? Math.max(wanted, 1000) : AWAY_MS;
}
