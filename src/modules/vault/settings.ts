import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { duration } from '../../host/config/duration.ts';
import { httpUrl } from '../../host/config/scalars.ts';
import { allowList } from '../allowed.ts';
import type { Problem } from '../module.ts';

/** Sluice may be started from any directory, so that a relative path would mean different files. */
const file = z.string().superRefine((given, context) => {
  if (isAbsolute(given)) return;
  context.addIssue({
    code: 'custom',
    message: 'is not an absolute path',
    params: { fix: 'Write the path from the root, for example /run/vault/token.' },
  });
});

const LEAST_REFRESH_MS = 5000;

const refresh = duration.superRefine((ms, context) => {
  if (ms >= LEAST_REFRESH_MS) return;
  context.addIssue({ code: 'custom', message: 'is too short', params: { fix: 'Write 5s or more.' } });
});

/** Where an auth method is enabled: `approle`, or `team/approle`. */
const mount = z.string().regex(/^[^/\s]+(?:\/[^/\s]+)*$/, 'is not the path of an auth method');

export const vaultSettings = z.object({
  url: httpUrl.default('http://127.0.0.1:8200'),
  token: z.string().min(1).optional(),
  /** Where Vault Agent puts the token. Read again when Vault refuses it. */
  tokenFile: file.optional(),
  appRole: z
    .strictObject({
      roleId: z.string().min(1),
      /** A role with `bind_secret_id=false` needs none. */
      secretId: z.string().min(1).optional(),
      mount: mount.default('approle'),
    })
    .optional(),
  kubernetes: z
    .strictObject({
      role: z.string().min(1),
      mount: mount.default('kubernetes'),
      tokenFile: file.default('/var/run/secrets/kubernetes.io/serviceaccount/token'),
    })
    .optional(),
  /** Of Vault Enterprise and OpenBao, such as `admin/team-a`. */
  namespace: z
    .string()
    .regex(/^[\w.-]+(?:\/[\w.-]+)*\/?$/, 'is not the path of a namespace')
    .optional(),
  /** Globs over whole paths of secrets, without `data/`: `secret/app/*`. */
  paths: allowList,
  /** How often the secrets that the file refers to are read again. */
  refresh: refresh.default(60_000),
});

export type VaultSettings = z.output<typeof vaultSettings>;

const LOGINS = ['token', 'tokenFile', 'appRole', 'kubernetes'] as const;

export function problemsIn(settings: VaultSettings): readonly Problem[] {
  const given = LOGINS.filter((login) => settings[login] !== undefined);
  if (given.length === 1) return [];
  if (given.length === 0)
    return [
      {
        message: 'does not say how to log in to Vault',
        fix: 'Add token (or set VAULT_TOKEN), tokenFile, appRole: { roleId: …, secretId: … } or kubernetes: { role: … }.',
      },
    ];
  return [
    {
      message: `has several ways to log in to Vault: ${given.join(', ')}`,
      fix: `Keep one of them.${given[0] === 'token' ? ' VAULT_TOKEN in the environment counts as token.' : ''}`,
    },
  ];
}
