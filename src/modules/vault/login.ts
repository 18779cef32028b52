import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { fileTrouble } from '../../kernel/file-errors.ts';
import { type Asked, HttpError } from '../http.ts';
import { saidIn } from './said.ts';
import type { VaultSettings } from './settings.ts';

/** Sends one request with this token, or with none. Parts of the path are names as they are. */
export type Send = <T>(
  type: z.ZodType<T>,
  path: readonly string[],
  asked: Asked,
  token: string | undefined,
) => Promise<T>;

/** A token, with what is known about its life. */
export interface Issued {
  readonly token: string;
  /** In seconds; undefined if it does not expire, or if that is not known. */
  readonly ttl?: number;
  readonly renewable?: boolean;
}

/** How Sluice gets a token. */
export interface Login {
  /** Which key of the section says so. */
  readonly setting: 'token' | 'tokenFile' | 'appRole' | 'kubernetes';
  /** Whether logging in again can give another token. */
  readonly repeatable: boolean;
  logIn(send: Send, signal: AbortSignal): Promise<Issued>;
}

/** Answers that stay the same if the request is repeated. */
export const REFUSED: ReadonlySet<number> = new Set([400, 403, 404, 405]);

const granted = z.object({
  auth: z.object({ client_token: z.string(), lease_duration: z.number(), renewable: z.boolean() }),
});

const looked = z.object({ data: z.object({ ttl: z.number(), renewable: z.boolean().optional() }) });

export function loginOf({ token, tokenFile, appRole, kubernetes }: VaultSettings, at: string): Login {
  if (appRole)
    return atMethod('appRole', appRole.mount, at, async () => ({
      role_id: appRole.roleId,
      ...(appRole.secretId !== undefined && { secret_id: appRole.secretId }),
    }));
  if (kubernetes)
    return atMethod('kubernetes', kubernetes.mount, at, async () => ({
      role: kubernetes.role,
      jwt: await textIn(kubernetes.tokenFile, 'kubernetes.tokenFile'),
    }));
  if (tokenFile !== undefined)
    return {
      setting: 'tokenFile',
      repeatable: true,
      // Vault Agent, which writes the file, also renews the token.
      logIn: async () => ({ token: await textIn(tokenFile, 'tokenFile') }),
    };
  return {
    setting: 'token',
    repeatable: false,
    async logIn(send, signal) {
      const given = token ?? '';
      try {
        const { data } = await send(looked, ['auth', 'token', 'lookup-self'], { signal }, given);
        return { token: given, renewable: data.renewable ?? false, ...(data.ttl > 0 && { ttl: data.ttl }) };
      } catch (error) {
        // A token may lack the right to ask about itself. If it is wrong, the request that follows says so.
        if (error instanceof HttpError && REFUSED.has(error.status)) return { token: given };
        throw error;
      }
    },
  };
}

function atMethod(
  setting: 'appRole' | 'kubernetes',
  mount: string,
  at: string,
  body: () => Promise<Record<string, string>>,
): Login {
  return {
    setting,
    repeatable: true,
    async logIn(send, signal) {
      const asked = { method: 'POST', body: await body(), signal } as const;
      try {
        const { auth } = await send(granted, ['auth', ...mount.split('/'), 'login'], asked, undefined);
        const { client_token: token, lease_duration: ttl, renewable } = auth;
        return { token, renewable, ...(ttl > 0 && { ttl }) };
      } catch (error) {
        if (!(error instanceof HttpError) || !REFUSED.has(error.status)) throw error;
        throw new AppError(
          'unavailable',
          `${at} refuses the login (${saidIn(error) || `HTTP ${error.status}`}). Correct modules.vault.${setting} in sluice.yaml, and check that the auth method is enabled at ${mount}/.`,
          { cause: error },
        );
      }
    },
  };
}

async function textIn(path: string, key: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new AppError('unavailable', `modules.vault.${key}: ${path} ${fileTrouble(error)}. Correct the path.`, {
      cause: error,
    });
  });
  if (text.trim() !== '') return text.trim();
  throw new AppError('unavailable', `modules.vault.${key}: ${path} is empty. Check that Vault Agent writes it.`);
}

/** Asks Vault to prolong the life of a token. */
export async function renew(send: Send, token: string, signal: AbortSignal): Promise<Issued> {
  const asked = { method: 'POST', body: {}, signal } as const;
  const { auth } = await send(granted, ['auth', 'token', 'renew-self'], asked, token);
  return { token, renewable: auth.renewable, ...(auth.lease_duration > 0 && { ttl: auth.lease_duration }) };
}
