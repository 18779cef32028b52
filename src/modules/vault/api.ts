import type { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Progress } from '../../kernel/progress.ts';
import { type Asked, HttpError, httpTo, segment } from '../http.ts';
import { untilAllowed } from '../rate-limited.ts';
import type { Tls } from '../tls.ts';
import { explain } from './explain.ts';
import { loginOf, type Send } from './login.ts';
import { createSession, type Session } from './session.ts';
import type { VaultSettings } from './settings.ts';

export type Question = Asked & { readonly signal: AbortSignal; readonly progress?: Progress };

/** The HTTP API of a Vault or OpenBao. Errors of it are explained. */
export interface VaultApi extends AsyncDisposable {
  /** `path` is below /v1; each part is a name as it is. An empty last part stands for the slash at the end of a folder. */
  ask<T>(type: z.ZodType<T>, path: readonly string[], asked: Question): Promise<T>;
  /** The same without a token and outside of namespaces, for what a Vault tells everybody about itself. */
  askOpenly<T>(type: z.ZodType<T>, path: readonly string[], asked: Question): Promise<T>;
}

interface Surroundings {
  /** For errors, such as `vault at 127.0.0.1:8200`. */
  readonly at: string;
  readonly tls?: Tls | undefined;
  /** Keeps a token that Vault issued out of logs. */
  revealed(token: string): void;
}

/** By section: a connection that was closed because nobody used it leaves its token to the next one. */
const sessions = new WeakMap<VaultSettings, Session>();

export function openVault(settings: VaultSettings, { at, tls, revealed }: Surroundings): VaultApi {
  const { url, namespace } = settings;
  // Vault Agent and Vault Proxy can demand X-Vault-Request, as a protection against requests that others forge.
  const http = httpTo({ base: url, tls, headers: { 'x-vault-request': 'true' } });
  const session = sessions.get(settings) ?? createSession(loginOf(settings, at), revealed);
  sessions.set(settings, session);

  const sent: Send = (type, path, asked, token) =>
    http.json(type, pathOf(path), {
      ...asked,
      headers: {
        ...asked.headers,
        ...(token !== undefined && { 'x-vault-token': token }),
        ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
      },
    });

  async function withToken<T>(type: z.ZodType<T>, path: readonly string[], asked: Question): Promise<T> {
    const token = await session.token(sent);
    try {
      return await sent(type, path, asked, token);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 403) throw error;
      const next = await session.afterRefusal(token, error, sent);
      // What was refused had no effect, so it may be sent again.
      if (next === 'retry') return await sent(type, path, asked, await session.token(sent));
      if (next === 'not_allowed') throw error;
      throw new AppError(
        'unavailable',
        `${at} refuses the token: it is wrong, expired or revoked. Correct modules.vault.${session.login.setting} in sluice.yaml.`,
        { cause: error },
      );
    }
  }

  const explained =
    (send: typeof withToken): VaultApi['ask'] =>
    async (type, path, asked) => {
      const { signal, progress, method = 'GET', query } = asked;
      try {
        return await untilAllowed(() => send(type, path, asked), { at, signal, progress });
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        throw explain(error, { at, path, method: query?.list === true ? 'LIST' : method });
      }
    };

  return {
    ask: explained(withToken),
    askOpenly: explained((type, path, asked) => http.json(type, pathOf(path), asked)),
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

const pathOf = (path: readonly string[]): string =>
  `/v1/${path.map((part, index) => (part === '' && index === path.length - 1 ? '' : segment(part))).join('/')}`;
