import type { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { placeOf, addressOf } from '../failures.ts';
import { HttpError, httpTo, segment } from '../http.ts';
import type { Around, SettingsOf } from '../module.ts';
import { answered, type PublicPage, publicPage } from './answers.ts';
import { createAwaited } from './awaited.ts';
import { explain, refused } from './explain.ts';
import { login } from './login.ts';
import { applied, isComplete, nothingYet, type Pushed } from './pushed.ts';
import { monitorsInReach, type Reach } from './reach.ts';
import type { uptimekumaSettings } from './settings.ts';
import { openSocket } from './socket.ts';

/** A session at an Uptime Kuma. */
export interface Kuma extends AsyncDisposable {
  /** What the server tells unasked: monitors, their states, status pages. Always up to date. */
  readonly pushed: Pushed;
  readonly reach: Reach;
  /** Whether it is 1.23, which lacks some questions and fields. */
  readonly isOld: boolean;
  /** Where people open it, without credentials. */
  readonly base: string;
  /** An answer of the server, checked. Throws what the server refuses. */
  ask<T>(type: z.ZodType<T>, event: string, args: readonly unknown[], signal: AbortSignal): Promise<T>;
  /** What visitors of a status page see; undefined if there is no such page. */
  publicPage(slug: string, signal: AbortSignal): Promise<PublicPage | undefined>;
  /** Redacts this value from now on. */
  revealed(value: string): void;
  readonly isLost: boolean;
}

/** Nobody tells a client about status pages that others change, so a session is renewed now and then. */
const OLDEST_MS = 600_000;

export async function connectKuma(settings: SettingsOf<typeof uptimekumaSettings>, around: Around): Promise<Kuma> {
  const { name, tls, signal, timeoutMs } = around;
  const { url, monitors } = settings;
  const setting = `modules.${name}`;
  const at = `${name} at ${placeOf(addressOf(url))}`;
  const pushed = nothingYet();
  const awaited = createAwaited();
  const since = Date.now();
  const socket = await openSocket(
    url,
    { tls, signal, timeoutMs },
    {
      heard(event, args) {
        applied(pushed, event, args);
        awaited.look();
      },
      lost: (error) => awaited.end(error),
    },
  );
  const patienceMs = Math.min(10_000, timeoutMs) * 0.4;
  try {
    await login(settings, { socket, pushed, awaited, patienceMs, at, setting, signal });
    // Whatever has not come by then is shown without its numbers.
    await awaited.until(() => isComplete(pushed), patienceMs, signal);
  } catch (error) {
    socket[Symbol.dispose]();
    throw error;
  }
  const http = httpTo({ base: url, tls });
  const { origin, pathname } = new URL(url);

  return {
    pushed,
    reach: monitorsInReach(monitors, `${setting}.monitors`),
    isOld: pushed.version?.startsWith('1.') ?? false,
    base: `${origin}${pathname.replace(/\/+$/, '')}`,
    revealed: around.revealed,
    get isLost() {
      return socket.isLost || Date.now() - since > OLDEST_MS;
    },
    async ask(type, event, args, limit) {
      const answer = await socket.ask(event, args, limit);
      const said = answered.safeParse(answer);
      if (said.data?.ok === false) throw refused(said.data.msg ?? '', at);
      const { success, data, error } = type.safeParse(answer);
      if (said.success && success) return data;
      throw new AppError(
        'unavailable',
        `${at} answered ${event} with something else than Uptime Kuma does. Check ${setting}.url, and that its version is 1.23 or newer.`,
        { cause: error },
      );
    },
    async publicPage(slug, limit) {
      try {
        return await http.json(publicPage, `/api/status-page/${segment(slug)}`, {
          signal: limit,
          // The server would give an answer of the last five minutes.
          headers: { 'x-apicache-bypass': 'true' },
        });
      } catch (error) {
        if (error instanceof HttpError && error.status === 404) return undefined;
        throw error instanceof HttpError ? (explain(error, at) ?? error) : error;
      }
    },
    async [Symbol.asyncDispose]() {
      socket[Symbol.dispose]();
      await http[Symbol.asyncDispose]();
    },
  };
}
