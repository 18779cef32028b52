import { z } from 'zod';

export const user = z.object({ login: z.string() });

/** GitHub shows the user `ghost` in place of a deleted one. */
export const loginOf = (given: z.output<typeof user> | null | undefined): string => given?.login ?? 'ghost';

/** Undefined instead of an empty list, which says nothing. */
export const some = <T>(list: readonly T[] | null | undefined): T[] | undefined =>
  list && list.length > 0 ? [...list] : undefined;
