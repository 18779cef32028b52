import { z } from 'zod';
import { isLoopback, isPlainHttp } from '../kernel/plain-http.ts';
import { flag, httpUrl } from '../host/config/scalars.ts';

const list = z
  .union(
    [
      z
        .string()
        .min(1, 'must not be empty')
        .transform((one) => [one]),
      z.array(z.string().min(1)).min(1),
    ],
    {
      error: 'must be a text or a list of texts',
    },
  )
  .optional();

const builtin = z
  .union(
    [
      flag.transform((on): { password?: string | undefined } | undefined => (on ? {} : undefined)),
      z.strictObject({ password: z.string().min(12, 'must have at least 12 characters').optional() }),
    ],
    { error: 'must be true, or { password: … }' },
  )
  .optional();

const oauth = z.strictObject({
  /** The authorization server whose tokens are accepted. */
  issuer: httpUrl.optional(),
  /** What its tokens name us by, besides our URL. */
  audience: list,
  /** Where its keys are, if its metadata do not say. */
  jwksUri: httpUrl.optional(),
  /** Its scopes -> ours. */
  scopes: z.record(z.string(), z.array(z.string())).optional(),
  /** An authorization server of our own, for one owner. */
  builtin,
});

/** `mode` has no default inside the section: a misspelt one must never turn authentication off. */
export const authSection = z.strictObject({
  mode: z
    .union([z.enum(['none', 'keys', 'oauth', 'both']), z.array(z.enum(['keys', 'oauth'])).min(1)], {
      error: 'must be none, keys, oauth or [keys, oauth]',
    })
    .transform((mode) => {
      if (!Array.isArray(mode)) return mode;
      return new Set(mode).size === 2 ? 'both' : (mode[0] ?? 'none');
    }),
  oauth: oauth.optional(),
});

interface Checked {
  auth: z.output<typeof authSection>;
  server: { host: string; publicUrl?: string | undefined };
}

/** What no section can see by itself. */
export function checkAuth({ auth, server }: Checked, context: z.core.$RefinementCtx): void {
  if (auth.mode !== 'oauth' && auth.mode !== 'both') return;
  const complain = (path: string[], message: string, fix: string) =>
    context.addIssue({ code: 'custom', path, message, params: { fix } });
  const { issuer, jwksUri, builtin: own } = auth.oauth ?? {};
  if (issuer === undefined && own === undefined) {
    complain(
      ['auth', 'mode'],
      `is ${auth.mode}, and nobody issues tokens`,
      'Name your authorization server in auth.oauth.issuer, or write auth.oauth.builtin: true to have one here.',
    );
  }
  for (const [name, url] of Object.entries({ issuer, jwksUri })) {
    if (url === undefined || !isPlainHttp(url)) continue;
    complain(
      ['auth', 'oauth', name],
      'must be an https URL: keys that come by plain http can be anybody’s',
      'Write https://…, unless it runs on this machine.',
    );
  }
  if (server.publicUrl === undefined && !isLoopback(server.host)) {
    complain(
      ['server', 'publicUrl'],
      'is missing, and tokens are issued for a URL',
      'Write the address clients use, for example https://sluice.example.com.',
    );
  }
  if (server.publicUrl !== undefined && own !== undefined && isPlainHttp(server.publicUrl)) {
    complain(
      ['server', 'publicUrl'],
      'must be an https URL: passwords and tokens go there',
      'Put a proxy with a certificate in front, and write its https:// address.',
    );
  }
}
