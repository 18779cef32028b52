import type { Absent } from '../kernel/health.ts';
import type { ToolSource } from '../kernel/source.ts';
import { type Claim, isOfPrefix, takerOf } from './config/claims.ts';

export interface Yielding {
  /** The source: without tools, prompts and resources while a server of the file has its name. */
  readonly source: ToolSource;
  /** The server that has the name. */
  taker(): Claim | undefined;
  /** Says who has the name. For the part's `absent`. */
  absent(): readonly Absent[];
  /** Announces that the name was taken or is free again. For the part's `reload`. */
  reload(): void;
}

/**
 * A source of ours that gives its name to a server of the file. Its part claims the name with `yieldingSource`:
 *
 *     const { source, absent, reload } = yielding(createOwnSource({ id: 'memory', … }), host.all.claims);
 *     return { api, sources: [source], absent, reload: async () => reload() };
 *
 * `isOff` says whether the owner switched it off: then it is empty, too.
 */
export function yielding(
  own: ToolSource,
  claims: () => readonly Claim[],
  isOff: () => boolean = () => false,
): Yielding {
  const listeners = new Set<() => void>();
  let known: { of: readonly Claim[]; taker: Claim | undefined } | undefined;

  /** Looks again only if the file was read again: lists ask for every tool. */
  function taker(): Claim | undefined {
    const now = claims();
    if (known?.of !== now) known = { of: now, taker: takerOf(own.id, now) };
    return known.taker;
  }

  const isEmpty = () => isOff() || taker() !== undefined;
  let announced = isEmpty();
  return {
    taker,
    source: {
      ...own,
      entries: () => (isEmpty() ? [] : own.entries()),
      onChange(listener) {
        const stop = own.onChange(listener);
        listeners.add(listener);
        return () => {
          stop();
          listeners.delete(listener);
        };
      },
    },
    absent() {
      const by = isOff() ? undefined : taker();
      return by ? [{ name: own.id, reason: reasonFor(by) }] : [];
    },
    reload() {
      if (isEmpty() === announced) return;
      announced = !announced;
      for (const listener of listeners) listener();
    },
  };
}

function reasonFor(taker: Claim): string {
  const owner = taker.owner.replace(/^the/, 'your');
  return isOfPrefix(taker)
    ? `${owner} has this prefix. Change it to use Sluice's own.`
    : `${owner} has this name. Rename it to use Sluice's own.`;
}
