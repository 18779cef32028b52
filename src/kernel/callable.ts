import type { Entry, Json } from './source.ts';

/** A tool as it is called: the entry, and the names it goes by. */
export interface Callable {
  readonly name: string;
  readonly source: string;
  readonly entry: Entry;
}

/** Whether a rule that names tools is about this one. It may have been written when the tool had another name. */
export function isNamedBy(fits: (name: string) => boolean, { name, entry }: Callable): boolean {
  return fits(name) || (entry.aliases?.keys().some(fits) ?? false);
}

/**
 * How the arguments of a call are read, where it came under a former name: `redis_fetch`, or in a wrapper also `fetch` and
 * `redis:redis_fetch`.
 */
export function formerly({ source, entry: { aliases } }: Callable, asked: string): ((given: Json) => Json) | undefined {
  if (!aliases) return undefined;
  return aliases.get(asked) ?? aliases.get(`${source}_${asked}`) ?? aliases.get(asked.slice(source.length + 1));
}
