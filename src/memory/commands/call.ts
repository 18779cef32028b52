import type { Place } from '../../host/place.ts';
import type { Json } from '../../kernel/source.ts';

export type MemoryPlace = Pick<Place, 'cwd' | 'terminal'>;

/** Calls a tool of the gateway. */
export type Call = <T>(tool: string, args: Json) => Promise<T>;
