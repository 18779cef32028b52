import type { Entry, Json } from './source.ts';

/** A callable tool with its exposed name and its source. */
export interface Callable {
  readonly name: string;
  readonly source: string;
  readonly entry: Entry;
}

/** Whether a rule that names tools applies to this one. The rule may use a former name of the tool. */
export function isNamedBy(fits: (name: string) => boolean, { name, entry }: Callable): boolean {
  return fits(name) || (entry.aliases?.keys().some(fits) ?? false);
}

/**
 * How to read the arguments of a call that used a former name: `redis_fetch`, or in a wrapper also `fetch` and
 * `redis:redis_fetch`.
 */
export function formerly({ source, entry: { aliases } }: Callable, asked: string): ((given: Json) => Json) | undefined {
  if (!aliases) return undefined;
  return aliases.get(asked) ?? aliases.get(`${source}_${asked}`) ?? aliases.get(asked.slice(source.length + 1));
}
