import { type Allowed, allowed } from '../allowed.ts';

/** The repositories that the section allows, by `owner/name` in any case. */
export interface Repositories extends Allowed {
  /** As the file has them; undefined if there is no list. */
  readonly globs: readonly string[] | undefined;
  /** Whether every repository of this account is allowed. */
  hasOwner(owner: string): boolean;
  /** Throws if no repository of this account is allowed. */
  needOwner(owner: string): void;
}

export function repositoriesIn(globs: readonly string[] | undefined, setting: string): Repositories {
  const list = allowed(globs?.map(lower), 'repository', `${setting}.repositories`);
  // The account of `*` is any.
  const owners = allowed(
    globs?.map((glob) => lower(glob.split('/')[0] ?? '')),
    'account',
    `${setting}.repositories`,
  );
  return {
    globs,
    needOwner: (owner) => owners.need(lower(owner)),
    has: (name) => list.has(lower(name)),
    need: (name) => list.need(lower(name)),
    hasOwner: (owner) =>
      globs === undefined ||
      globs.some((glob) => glob === '*' || glob === '*/*' || lower(glob) === `${lower(owner)}/*`),
  };
}

const lower = (name: string): string => name.toLowerCase();
