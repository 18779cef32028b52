import { z } from 'zod';
import { httpUrl } from '../../host/config/scalars.ts';
import { allowList } from '../allowed.ts';
import type { Problem } from '../module.ts';
import { isBase32 } from './totp.ts';

export const uptimekumaSettings = z.object({
  /** May have a path, and a user and password for a proxy before it. */
  url: httpUrl.default('http://127.0.0.1:3001'),
  username: z.string().min(1).optional(),
  password: z.string().min(1).optional(),
  /** The JWT of an earlier login, instead of a user and password. */
  token: z.string().min(1).optional(),
  /** The secret of two-factor authentication in base32, as the QR code has it. Codes are computed from it. */
  totp: z
    .string()
    .refine(isBase32, {
      error: 'is not base32',
      params: { fix: 'Copy the secret, which has the letters A-Z and 2-7.' },
    })
    .optional(),
  /** Names or globs, or ids: the monitors that may be seen and changed; default all. */
  monitors: allowList,
});

export type UptimekumaSettings = z.output<typeof uptimekumaSettings>;

/** There is one way to log in, or none if Uptime Kuma has its authentication switched off. */
export function problemsIn({ username, password, token, totp }: UptimekumaSettings): readonly Problem[] {
  if (token !== undefined && (username !== undefined || password !== undefined || totp !== undefined))
    return [
      {
        key: 'token',
        message: 'is set together with username, password or totp',
        fix: 'Keep the token, or the username with the password. UPTIMEKUMA_USERNAME and UPTIMEKUMA_PASSWORD count, too.',
      },
    ];
  if ((username === undefined) !== (password === undefined))
    return [
      {
        key: username === undefined ? 'password' : 'username',
        message: `is set, but ${username === undefined ? 'username' : 'password'} is missing`,
        fix: 'Set both, or set token instead.',
      },
    ];
  if (totp !== undefined && username === undefined)
    return [{ key: 'totp', message: 'is set without a username and password', fix: 'Set all three, or remove totp.' }];
  return [];
}
