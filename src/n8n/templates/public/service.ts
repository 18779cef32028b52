import { AppError, messageOf } from '../../../kernel/errors.ts';
import { shown } from '../../../kernel/nearest-names.ts';
import { retryAfterMs } from '../../../kernel/retry.ts';
import { shortDuration } from '../../../host/short-duration.ts';
import type { Template } from '../template.ts';
import { usedBy } from '../workflow-in.ts';
import { bodyOf } from '../../client/body.ts';
import { categoriesIn, detailIn, importableIn, type Page, pageIn } from './shapes.ts';

const MB = 1024 * 1024;
const LIST_BYTES = 8 * MB;
const TEMPLATE_BYTES = 16 * MB;
const TIMEOUT_MS = 15_000;
const MOST_REDIRECTS = 3;
/** The service refuses more. */
export const PAGE_ROWS = 100;

export interface ServiceQuery {
  readonly page: number;
  readonly rows: number;
  readonly search?: string;
  readonly category?: string;
  /** Full types. */
  readonly nodes?: readonly string[];
  /** Most viewed first. */
  readonly byViews?: boolean;
}

/** n8n's public template service. No request has a credential. */
export interface Service {
  search(query: ServiceQuery, signal: AbortSignal): Promise<Page>;
  /** Throws `not_found` if there is none. */
  template(id: string, signal: AbortSignal): Promise<Template>;
  categories(signal: AbortSignal): Promise<string[]>;
}

export function createService(base: string, timeoutMs = TIMEOUT_MS): Service {
  const root = new URL(base.endsWith('/') ? base : `${base}/`);
  const place = root.host;

  async function ask(path: string, largest: number, signal: AbortSignal): Promise<unknown> {
    const limit = AbortSignal.timeout(timeoutMs);
    const either = AbortSignal.any([signal, limit]);
    try {
      return await follow(new URL(path, root), largest, either);
    } catch (error) {
      if (signal.aborted) throw new AppError('cancelled', 'The call was cancelled.', { cause: error });
      if (limit.aborted)
        throw new AppError('timeout', `The template library (${place}) took longer than ${timeoutMs / 1000} s.`, {
          cause: error,
        });
      if (error instanceof AppError) throw error;
      throw new AppError(
        'unavailable',
        `The template library (${place}) cannot be reached: ${causeOf(error)}. Check the network and templates.url.`,
        { cause: error },
      );
    }
  }

  async function follow(first: URL, largest: number, signal: AbortSignal): Promise<unknown> {
    let url = first;
    for (let count = 0; count <= MOST_REDIRECTS; count++) {
      const response = await fetch(url, {
        redirect: 'manual',
        signal,
        credentials: 'omit',
        headers: { accept: 'application/json' },
      });
      const to = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (to === null) return await read(response, largest);
      await response.body?.cancel();
      url = within(url, to);
    }
    throw new AppError('unavailable', `The template library (${place}) redirects in a circle. Check templates.url.`);
  }

  /** A redirect to another host or port could lead anywhere, even into this network: somebody has to configure it. */
  function within(from: URL, to: string): URL {
    const url = URL.parse(to, from.href);
    const isUpgrade = url?.protocol === 'https:' && url.hostname === root.hostname && url.port === '';
    if (url && (url.origin === root.origin || isUpgrade)) {
      // fetch refuses a URL with credentials, and quotes them.
      url.username = '';
      url.password = '';
      return url;
    }
    const where = url?.host ? shown(url.host) : 'an address that is none';
    throw new AppError(
      'unavailable',
      `The template library (${place}) redirects to ${where}, and Sluice does not follow that. If it has moved, set templates.url.`,
    );
  }

  async function read(response: Response, largest: number): Promise<unknown> {
    const { status, headers } = response;
    if (!response.ok) {
      await response.body?.cancel();
      throw refused(status, headers.get('retry-after'));
    }
    const text = await bodyOf(response, largest);
    if (text === undefined) {
      throw new AppError(
        'too_large',
        `The answer of the template library (${place}) has more than ${largest / MB} MB, and was not read.`,
      );
    }
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      const page = /^\s*</.test(text) ? 'a web page' : 'something';
      throw new AppError(
        'unavailable',
        `The template library (${place}) answered with ${page} instead of JSON. Check templates.url, and whether a proxy answers in its place.`,
        { cause: error },
      );
    }
  }

  function refused(status: number, retryAfter: string | null): AppError {
    if (status === 404) return new AppError('not_found', `The template library (${place}) has nothing there.`);
    const again = retryAfter === null ? undefined : retryAfterMs(retryAfter);
    if (status === 429) {
      const when = again === undefined ? 'in a minute' : `in ${shortDuration(Math.max(again, 1000))}`;
      return new AppError(
        'rate_limited',
        `The template library (${place}) gets too many requests. Try again ${when}.`,
        {
          saysWhen: true,
          data: { status, ...(again !== undefined && { retry_after_ms: again }) },
        },
      );
    }
    const code = status >= 500 ? 'unavailable' : 'unsupported';
    return new AppError(code, `The template library (${place}) answered with status ${status}.`, { data: { status } });
  }

  // Not `unavailable`: one strange answer does not mean that the others are.
  const strange = (what: string) =>
    new AppError('unsupported', `The template library (${place}) did not answer with ${what}. Check templates.url.`);

  const unreadable = (id: string, paid: boolean) =>
    new AppError(
      'unsupported',
      paid
        ? `Template ${id} has to be bought at n8n.io before its workflow can be read.`
        : `The template library (${place}) has no workflow for template ${id} that Sluice can read. n8n_search_templates finds others.`,
    );

  async function importable(id: string, signal: AbortSignal): Promise<Template['workflow'] | undefined> {
    try {
      return importableIn(await ask(`workflows/templates/${id}`, TEMPLATE_BYTES, signal));
    } catch (error) {
      // Its entry is there, so it exists.
      if (error instanceof AppError && (error.code === 'not_found' || error.code === 'unsupported')) return undefined;
      throw error;
    }
  }

  return {
    async search(query, signal) {
      const page = pageIn(await ask(searchPath(query), LIST_BYTES, signal));
      if (!page) throw strange('a list of templates');
      // No more than was asked for: a page of 8 MB could have hundreds of thousands.
      return { total: page.total, templates: page.templates.slice(0, query.rows) };
    },
    async template(id, signal) {
      const detail = detailIn(await ask(`templates/workflows/${id}`, TEMPLATE_BYTES, signal));
      if (!detail) throw strange('a template');
      const workflow = detail.workflow ?? (await importable(id, signal));
      if (!workflow) throw unreadable(id, detail.summary.paid === true);
      const { nodes, versions } = usedBy(workflow.nodes);
      return { ...detail.summary, id, nodes, versions, workflow };
    },
    async categories(signal) {
      const names = categoriesIn(await ask('templates/categories', LIST_BYTES, signal));
      if (!names) throw strange('a list of categories');
      return names;
    },
  };
}

function searchPath({ page, rows, search, category, nodes, byViews }: ServiceQuery): string {
  const query = new URLSearchParams({
    page: String(page),
    // n8n's editor sends `limit`, the service itself calls it `rows`.
    limit: String(rows),
    rows: String(rows),
    ...(search !== undefined && { search }),
    ...(category !== undefined && { category }),
    ...(nodes && nodes.length > 0 && { nodes: nodes.join(',') }),
    ...(byViews && { sort: 'totalViews:desc' }),
  });
  return `templates/search?${query.toString()}`;
}

/** fetch says only "fetch failed"; the reason is inside. */
function causeOf(error: unknown): string {
  const { code } = Object((error as Error).cause) as { code?: unknown };
  return typeof code === 'string' ? code : messageOf(error);
}
