import { z } from 'zod';
import { isLoopback, isPlainHttp } from '../kernel/plain-http.ts';
import { atStart } from '../host/config/at-start.ts';
import { type Finding, valueAt } from '../host/config/schema-problems.ts';
import type { Tree } from '../host/config/tree.ts';
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
const authSection = z.strictObject({
  mode: z
    .union([z.enum(['none', 'keys', 'oauth', 'both']), z.array(z.enum(['keys', 'oauth'])).min(1)], {
      error: 'must be none, keys, oauth or [keys, oauth]',
    })
    .transform((mode) => {
      if (!Array.isArray(mode)) return mode;
      return new Set(mode).size === 2 ? 'both' : (mode[0] ?? 'none');
    }),
  /** One key for everything, beside the others: what MCP_AUTH_TOKEN says. */
  token: z.string().min(16, 'must have at least 16 characters').optional(),
  oauth: oauth.optional(),
});

export type AuthSettings = z.output<typeof authSection>;

export const signsIn = ({ mode }: AuthSettings): boolean => mode === 'oauth' || mode === 'both';

/** What signing in needs is set up at the start; keys come and go. */
const changesSignIn = (before: AuthSettings, after: AuthSettings) => signsIn(before) || signsIn(after);

export const authSettings = { auth: atStart(authSection.default({ mode: 'none' }), changesSignIn) };

/** What the section cannot see by itself. */
export function authProblems({ auth }: { readonly auth: AuthSettings }, file: Tree): Finding[] {
  if (!signsIn(auth)) return [];
  const findings: Finding[] = [];
  const complain = (path: string[], message: string, fix: string) => void findings.push({ path, message, fix });
  const publicUrl = valueAt(file, ['server', 'publicUrl']) as string | undefined;
  const host = (valueAt(file, ['server', 'host']) ?? '127.0.0.1') as string;
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
  if (publicUrl === undefined && !isLoopback(host)) {
    complain(
      ['server', 'publicUrl'],
      'is missing, and tokens are issued for a URL',
      'Write the address clients use, for example https://sluice.example.com.',
    );
  }
  if (publicUrl !== undefined && own !== undefined && isPlainHttp(publicUrl)) {
    complain(
      ['server', 'publicUrl'],
      'must be an https URL: passwords and tokens go there',
      'Put a proxy with a certificate in front, and write its https:// address.',
    );
  }
  return findings;
}
