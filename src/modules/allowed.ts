import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { globMatcher } from '../kernel/glob.ts';

/** Names or globs: `app_*`. */
export const allowList = z.array(z.string().min(1)).min(1).optional();

/** The names that a section allows. Without a list, all of them. */
export interface Allowed {
  has(name: string): boolean;
  /** Throws, and says where the list is, if the name is not on it. */
  need(name: string): void;
}

/** `setting` is the list's place in the file, such as `modules.redis.keys`. */
export function allowed(globs: readonly string[] | undefined, what: string, setting: string): Allowed {
  const has = globs ? globMatcher(globs) : () => true;
  return {
    has,
    need(name) {
      if (has(name)) return;
      throw new AppError(
        'forbidden',
        `The ${what} ${name.slice(0, 200)} is out of reach: ${setting} in sluice.yaml allows ${globs?.join(', ')}.`,
      );
    },
  };
}
