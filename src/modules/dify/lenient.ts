import { z } from 'zod';

const orNothing = <T extends z.ZodType>(type: T) => type.nullish().catch(undefined);

/** Fields that a version may lack, or leave null. */
export const text = orNothing(z.string());
export const number = orNothing(z.number());
export const bool = orNothing(z.boolean());
export const map = z.record(z.string(), z.unknown());

/** Unix seconds. */
export const timeOf = (seconds: number | null | undefined): string | undefined =>
  typeof seconds === 'number' && seconds > 0 && seconds < 1e11
    ? new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
    : undefined;

/** An object, or the JSON of one: versions differ. */
export const looseMap = z.unknown().transform((given): Readonly<Record<string, unknown>> => {
  const read = typeof given === 'string' ? parsed(given) : given;
  const { success, data } = map.safeParse(read);
  return success ? data : {};
});

function parsed(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}
