import { AppError } from '../../kernel/errors.ts';
import { answered } from './answers.ts';
import type { Awaited } from './awaited.ts';
import { loginRefused } from './explain.ts';
import type { Pushed } from './pushed.ts';
import type { UptimekumaSettings } from './settings.ts';
import type { KumaSocket } from './socket.ts';
import { totpCode } from './totp.ts';

type Credentials = Pick<UptimekumaSettings, 'username' | 'password' | 'token' | 'totp'>;

export interface LoginAround {
  readonly socket: KumaSocket;
  readonly pushed: Pushed;
  readonly awaited: Awaited;
  /** How long the greeting may take. */
  readonly patienceMs: number;
  readonly at: string;
  readonly setting: string;
  readonly signal: AbortSignal;
}

/** 1.23 does not say that it wants a login. It says at once if it does not. */
const QUIET_MS = 300;
const QUIET_WITHOUT_CREDENTIALS_MS = 1500;

/** Logs in, unless the server has its authentication switched off. */
export async function login(credentials: Credentials, around: LoginAround): Promise<void> {
  const { socket, pushed, awaited, patienceMs, at, setting, signal } = around;
  const has = (event: string) => pushed.has.has(event);
  const hasCredentials = credentials.token !== undefined || credentials.username !== undefined;
  // Its handlers are in place when it has sent this; what is sent earlier gets lost.
  if (!(await awaited.until(() => has('info') || has('setup'), patienceMs, signal)))
    throw new AppError(
      'unavailable',
      `${at} does not greet as Uptime Kuma does. Check that ${setting}.url leads to Uptime Kuma 1.23 or newer.`,
    );
  const quiet = Math.min(patienceMs, hasCredentials ? QUIET_MS : QUIET_WITHOUT_CREDENTIALS_MS);
  await awaited.until(() => has('setup') || has('autoLogin') || has('loginRequired'), quiet, signal);
  if (has('setup'))
    throw new AppError(
      'unavailable',
      `${at} is not set up yet: it has no user. Open it in a browser and create one, then set ${setting}.username and ${setting}.password.`,
    );
  if (has('autoLogin')) return;
  if (!hasCredentials)
    throw new AppError(
      'unavailable',
      `${at} wants a login. Set ${setting}.username and ${setting}.password in sluice.yaml, or UPTIMEKUMA_USERNAME and UPTIMEKUMA_PASSWORD.`,
    );

  const ask = async (event: string, given: unknown) => answered.parse(await socket.ask(event, [given], signal));
  const { username, password, token, totp } = credentials;
  const first =
    token === undefined ? await ask('login', { username, password, token: '' }) : await ask('loginByToken', token);
  if (first.ok) return;
  if (!first.tokenRequired) throw loginRefused(first.msg ?? '', at, setting);
  if (totp === undefined)
    throw new AppError(
      'unavailable',
      `${at} wants a code: two-factor authentication is on. Set ${setting}.totp in sluice.yaml to the secret of the QR code, or ${setting}.token to the token of an earlier login instead of username and password.`,
    );
  // It takes each code once, and those of the neighbouring half minutes, too.
  for (const steps of [0, 1, -1]) {
    const { ok, msg } = await ask('login', { username, password, token: totpCode(totp, Date.now(), steps) });
    if (ok) return;
    if (!/invalid ?token/i.test(msg ?? '')) throw loginRefused(msg ?? '', at, setting);
  }
  throw new AppError(
    'unavailable',
    `${at} refuses the code of two-factor authentication. Correct ${setting}.totp in sluice.yaml, and check the clocks of both machines. If three logins came within a minute, try again in a minute.`,
  );
}
