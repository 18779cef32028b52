import type { HttpError } from '../http.ts';

export const isRedirect = ({ status }: HttpError): boolean => status >= 300 && status < 400 && status !== 304;

/** The URL that a redirect leads to. */
export function locationOf({ headers }: HttpError, base: string): URL | undefined {
  const given = headers.location;
  return given !== undefined && URL.canParse(given, base) ? new URL(given, base) : undefined;
}

/** A repository by its id, as GitHub redirects to it, or by its name. */
export type Moved = ({ readonly id: string } | { readonly name: string }) & {
  /** The path behind the repository. */
  readonly rest: readonly string[];
};

/** Where a repository or branch is that was renamed; undefined if the redirect leads somewhere else. */
export function movedTo(error: HttpError, base: string): Moved | undefined {
  const url = locationOf(error, base);
  const root = new URL(base);
  const prefix = root.pathname.replace(/\/+$/, '');
  if (url?.origin !== root.origin || !url.pathname.startsWith(`${prefix}/`)) return undefined;
  const [kind, first, second, ...others] = decoded(url.pathname.slice(prefix.length + 1));
  if (kind === 'repositories' && first !== undefined && /^\d{1,20}$/.test(first))
    return { id: first, rest: [second, ...others].filter((part) => part !== undefined) };
  if (kind !== 'repos' || first === undefined || second === undefined) return undefined;
  return { name: `${first}/${second}`, rest: others };
}

function decoded(path: string): string[] {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}
