import type { z } from 'zod';

/** A field that GitHub may leave out or set to null. */
export const maybe = <T extends z.ZodType>(type: T) => type.nullish().catch(undefined);

type Known<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** The fields that are there. */
export const known = <T extends object>(fields: T): Known<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as Known<T>;
