import { toAppError } from '../../kernel/errors.ts';
import { needsLogin } from '../../wire/credentials.ts';
import type { Upstream } from '../../wire/upstream.ts';

export interface CompanionOptions {
  /** Opens it; undefined if the server does not speak 2025. */
  connect(signal: AbortSignal): Promise<Upstream | undefined>;
  /** One request that shows the server is alive. */
  check(upstream: Upstream): Promise<void>;
}

const TRY_AGAIN_MS = 60_000;
const MISSED_CHECKS = 2;

/**
 * A second connection to a server that speaks both eras: in 2025, beside the lane's own of 2026. Only in 2025 can a server
 * ask its caller something during a call. It opens when a client first needs it, and does not count for the server's
 * health: if it fails, calls use the lane's own connection.
 */
export function createCompanion(options: CompanionOptions) {
  let current: Upstream | undefined;
  let opening: { attempt: Promise<Upstream | undefined>; abort: AbortController } | undefined;
  let pauseUntil = 0;
  let lastUsed = 0;
  let missed = 0;

  async function attempt(signal: AbortSignal): Promise<Upstream | undefined> {
    try {
      const upstream = await options.connect(signal);
      if (signal.aborted || upstream?.ended) {
        await upstream?.close();
        return undefined;
      }
      missed = 0;
      current = upstream;
      return upstream;
    } catch (error) {
      // Pause after a failure, so that not every call waits for the same one. A login may come at any time: no pause.
      if (!signal.aborted && !needsLogin(toAppError(error))) pauseUntil = Date.now() + TRY_AGAIN_MS;
      return undefined;
    }
  }

  async function close(): Promise<void> {
    const before = current;
    const begun = opening;
    current = undefined;
    opening = undefined;
    pauseUntil = 0;
    begun?.abort.abort();
    await Promise.all([before?.close(), begun?.attempt]);
  }

  return {
    current: () => current,

    /** The connection, opened if necessary; undefined if it is not available now. */
    open(): Promise<Upstream | undefined> | Upstream | undefined {
      lastUsed = Date.now();
      if (current) return current;
      if (opening) return opening.attempt;
      if (lastUsed < pauseUntil) return undefined;
      const abort = new AbortController();
      const begun = { abort, attempt: attempt(abort.signal) };
      opening = begun;
      void begun.attempt.then(() => {
        if (opening === begun) opening = undefined;
      });
      return begun.attempt;
    },

    /** Forgets a connection that ended. The next call opens a new one. */
    lost(upstream: Upstream): void {
      if (current === upstream) current = undefined;
    },

    /** Gives up the connection, which the caller closes: the lane may connect somewhere else. */
    leave(): Upstream | undefined {
      const before = current;
      current = undefined;
      opening?.abort.abort();
      opening = undefined;
      pauseUntil = 0;
      return before;
    },

    /** Closes a connection that no longer answers. */
    async check(): Promise<void> {
      const upstream = current;
      if (!upstream) return;
      try {
        await options.check(upstream);
        missed = 0;
      } catch {
        if (current === upstream && ++missed === MISSED_CHECKS) await close();
      }
    },

    closeIfIdle(ms: number): void {
      if (!current) return;
      if (current.inFlight > 0) lastUsed = Date.now();
      else if (Date.now() - lastUsed >= ms) void close();
    },

    close,
  };
}
