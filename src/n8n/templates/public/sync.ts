import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../kernel/errors.ts';
import type { Progress } from '../../../kernel/progress.ts';
import type { Synced } from '../template.ts';
import type { TemplateCache } from './cache.ts';
import { PAGE_ROWS, type Service, type ServiceQuery } from './service.ts';
import type { Page } from './shapes.ts';

/** The service is public and free: two requests a second are enough. */
const PAUSE_MS = 500;
const ATTEMPTS = 3;
/** Whoever waits at a command is told to come back if the service wants more patience than this. */
const LONGEST_WAIT_MS = 60_000;

export interface SyncDeps {
  readonly service: Service;
  readonly cache: TemplateCache;
  refreshMs(): number;
}

/**
 * Downloads the entries of the most viewed templates, page by page. A page that is current is not read again, so a sync
 * that was interrupted continues there.
 */
export async function syncPages(
  { service, cache, refreshMs }: SyncDeps,
  limit: number,
  signal: AbortSignal,
  progress: Progress,
): Promise<Synced> {
  const ids = new Set<string>();
  const pages = { read: 0, current: 0 };
  let total = limit;
  let byViews = true;
  let oldest = Date.now();
  for (let page = 1; (page - 1) * PAGE_ROWS < Math.min(limit, total); page++) {
    signal.throwIfAborted();
    const query: ServiceQuery = { page, rows: PAGE_ROWS, byViews: true };
    const kept = await cache.page(query);
    const isCurrent = kept !== undefined && Date.now() - kept.at < refreshMs();
    if (!isCurrent && pages.read > 0) await delay(PAUSE_MS, undefined, { signal });
    const got = isCurrent ? kept.value : await patiently(() => read(query), signal).catch(stopped);
    if (!isCurrent && !(await cache.keepPage(query, got))) throw notKept();
    if (isCurrent) oldest = Math.min(oldest, kept.at);
    pages[isCurrent ? 'current' : 'read']++;
    ({ total } = got);
    const before = ids.size;
    for (const { id } of got.templates) ids.add(id);
    progress(Math.min(ids.size, limit), Math.min(limit, total), 'reading the list of templates');
    // The end, or a service that repeats itself without one.
    if (ids.size === before) break;
  }
  if (!(await cache.keepSynced({ limit, templates: ids.size, total }, oldest))) throw notKept();
  return { templates: ids.size, total, pages };

  async function read(query: ServiceQuery): Promise<Page> {
    try {
      return await service.search({ ...query, byViews }, signal);
    } catch (error) {
      // A service that cannot sort lists its own order, which is by rank.
      if (!byViews || !(error instanceof AppError) || error.code !== 'unsupported') throw error;
      byViews = false;
      return service.search({ ...query, byViews }, signal);
    }
  }

  function notKept(): AppError {
    return new AppError(
      'conflict',
      `The list of templates cannot be kept: ${cache.folder} cannot be written. Check its permissions and the free space, then repeat the sync.`,
    );
  }

  function stopped(error: unknown): never {
    if (!(error instanceof AppError) || error.code === 'cancelled' || pages.read + pages.current === 0) throw error;
    throw new AppError(
      error.code,
      `${error.message} ${ids.size} templates are here; repeat the sync to continue from there.`,
      { cause: error, ...(error.data && { data: error.data }), ...(error.saysWhen && { saysWhen: true }) },
    );
  }
}

/** Waits and tries again if the service asks for that. */
async function patiently<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      const wait = error instanceof AppError && error.code === 'rate_limited' ? error.data?.retry_after_ms : undefined;
      if (typeof wait !== 'number' || wait > LONGEST_WAIT_MS || attempt === ATTEMPTS) throw error;
      await delay(Math.max(wait, PAUSE_MS), undefined, { signal });
    }
  }
}
