import { isObject } from '../../wire/jsonrpc.ts';
import { type Catalogue, capabilityOf, type ListKind } from './catalogue.ts';

/** Servers are not asked more often, however short a TTL they state. */
const LEAST_MS = 10_000;
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Decides when to read lists again from 2026 servers that do not announce changes: after the TTL they stated, and only
 * while a client is interested.
 */
export function createExpiry(options: { wanted(): boolean; expired(kinds: readonly ListKind[]): void }) {
  const due = new Map<ListKind, number>();
  let next = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function arm(): void {
    clearTimeout(timer);
    next = Math.min(Number.POSITIVE_INFINITY, ...due.values());
    if (next === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(() => options.wanted() && expire(), Math.min(LONGEST_MS, Math.max(0, next - Date.now())));
    timer.unref();
  }

  function expire(): void {
    const now = Date.now();
    const kinds = [...due].filter(([, at]) => at <= now).map(([kind]) => kind);
    for (const kind of kinds) due.delete(kind);
    arm();
    if (kinds.length > 0) options.expired(kinds);
  }

  return {
    /** These lists were just read from the server. */
    read(catalogue: Catalogue, kinds: readonly ListKind[]): void {
      for (const kind of kinds) {
        const capability = catalogue.capabilities[capabilityOf(kind)];
        const silent = catalogue.era === 'modern' && isObject(capability) && capability.listChanged !== true;
        if (silent) due.set(kind, Date.now() + Math.max(LEAST_MS, catalogue.hints[kind].ttlMs));
        else due.delete(kind);
      }
      arm();
    },
    /** A client connected, or asks: read now what has expired. */
    attend(): void {
      if (next <= Date.now()) expire();
    },
    stop: () => clearTimeout(timer),
  };
}
