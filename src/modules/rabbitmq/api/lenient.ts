import { z } from 'zod';

/** A field that a version may lack, or fill with Erlang's words for nothing. */
export const maybe = <T extends z.ZodType>(type: T) => type.nullish().catch(undefined);

/** An empty map of Erlang is written as an empty list. */
const noList = (given: unknown): unknown => (Array.isArray(given) && given.length === 0 ? {} : given);

export const map = z.preprocess(noList, z.record(z.string(), z.unknown())).catch({});

const rate = maybe(z.object({ rate: maybe(z.number()) }));

export const messageStats = maybe(
  z.preprocess(
    noList,
    z.object({
      publish_details: rate,
      deliver_get_details: rate,
      ack_details: rate,
      publish_in_details: rate,
      publish_out_details: rate,
    }),
  ),
);

export const withRate = rate;

/** Messages a second. */
export const rateIn = (details: z.output<typeof rate>): number => Math.round((details?.rate ?? 0) * 100) / 100;

type Known<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** The fields that are there. */
export const known = <T extends object>(fields: T): Known<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as Known<T>;
