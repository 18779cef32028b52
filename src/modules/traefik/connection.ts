import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Progress } from '../../kernel/progress.ts';
import { HttpError, httpTo } from '../http.ts';
import type { Around, SettingsOf } from '../module.ts';
import { untilAllowed } from '../rate-limited.ts';
import { explain } from './explain.ts';
import type { traefikSettings } from './settings.ts';

/** The API of a Traefik. */
export interface Traefik extends AsyncDisposable {
  /** One thing. `path` begins with `/api/` and is percent-encoded. */
  ask<T>(type: z.ZodType<T>, path: string, asking: Asking): Promise<T>;
  /** A list with all its pages. Empty if this version does not have it. */
  all<T>(type: z.ZodType<T>, path: string, asking: Asking): Promise<T[]>;
}

interface Asking {
  readonly signal: AbortSignal;
  readonly progress?: Progress | undefined;
  readonly query?: Readonly<Record<string, string | undefined>>;
}

const MB = 1024 * 1024;
const MOST_BYTES = 16 * MB;
const PER_PAGE = 500;
const MOST_PAGES = 40;

export function connectTraefik(
  { url, token, headers }: SettingsOf<typeof traefikSettings>,
  { name, tls }: Pick<Around, 'name' | 'tls'>,
): Traefik {
  const setting = `modules.${name}`;
  const at = `${name} at ${new URL(url).host}`;
  const http = httpTo({
    base: url,
    tls,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
  });

  async function patiently<T>(path: string, work: () => Promise<T>, { signal, progress }: Asking): Promise<T> {
    try {
      return await untilAllowed(work, { at, signal, progress });
    } catch (error) {
      if (error instanceof HttpError) throw explain(error, { path, at, setting });
      throw error;
    }
  }

  /** A page of a list, and the number of the next. */
  async function page(path: string, number: number, { query = {}, signal }: Asking) {
    const paging = { ...query, page: String(number), per_page: String(PER_PAGE) };
    const { headers: answered, body } = await http.stream(path, { query: paging, signal });
    const next = Number(answered['x-next-page'] ?? 1);
    return { text: await textOf(body, at), next: next > number ? next : undefined };
  }

  return {
    ask: (type, path, asking) =>
      patiently(
        path,
        () =>
          http.json(type, path, {
            ...(asking.query && { query: asking.query }),
            signal: asking.signal,
            mostBytes: MOST_BYTES,
          }),
        asking,
      ),
    async all(type, path, asking) {
      const found = [];
      let number: number | undefined = 1;
      while (number !== undefined) {
        const wanted: number = number;
        if (wanted > MOST_PAGES) throw tooMuch(at);
        const read = await patiently(path, () => page(path, wanted, asking), asking).catch((error: unknown) => {
          // The list has become shorter since the page before, or this version does not have it.
          const gone =
            error instanceof AppError && (error.code === 'not_found' || (wanted > 1 && error.code === 'invalid_input'));
          if (!gone) throw error;
          return undefined;
        });
        if (!read) break;
        found.push(...itemsIn(read.text, type, at, setting));
        number = read.next;
      }
      return found;
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

async function textOf(body: AsyncIterable<Buffer>, at: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > MOST_BYTES) throw tooMuch(at);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const tooMuch = (at: string): AppError =>
  new AppError(
    'too_large',
    `${at} answered with more than ${MOST_BYTES / MB} MB or ${MOST_PAGES * PER_PAGE} elements. Ask for less: use search or status.`,
  );

function itemsIn<T>(text: string, type: z.ZodType<T>, at: string, setting: string): T[] {
  try {
    return z.array(type).parse(JSON.parse(text));
  } catch (error) {
    throw new AppError(
      'unavailable',
      `${at} answered with something else than Traefik's API. Check that ${setting}.url leads to the API itself, and not to a proxy or a login page.`,
      { cause: error },
    );
  }
}
