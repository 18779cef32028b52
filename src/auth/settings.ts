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
    { error: 'must be true or { password: … }' },
  )
  .optional();

const oauth = z.strictObject({
  /** The authorization server whose tokens we accept. */
  issuer: httpUrl.optional(),
  /** Audiences to accept in its tokens, besides our URL. */
  audience: list,
  /** Where its keys are, if its metadata does not say. */
  jwksUri: httpUrl.optional(),
  /** Maps its scopes to ours. */
  scopes: z.record(z.string(), z.array(z.string())).optional(),
  /** The client that the console is at `issuer`, so that people sign in there. */
  console: z
    .strictObject({
      clientId: z.string().min(1, 'must not be empty'),
      clientSecret: z.string().min(1, 'must not be empty').optional(),
      /** What it asks for; by default what the issuer supports of our scopes. */
      scopes: list,
    })
    .optional(),
  /** A built-in authorization server for one owner. */
  builtin,
});

/** `mode` has no default inside the section: a misspelled key must never turn authentication off. */
const authSection = z.strictObject({
  mode: z
    .union([z.enum(['none', 'keys', 'oauth', 'both']), z.array(z.enum(['keys', 'oauth'])).min(1)], {
      error: 'must be none, keys, oauth or [keys, oauth]',
    })
    .transform((mode) => {
      if (!Array.isArray(mode)) return mode;
      return new Set(mode).size === 2 ? 'both' : (mode[0] ?? 'none');
    }),
  /** One key for everything, in addition to the others. MCP_AUTH_TOKEN sets it. */
  token: z.string().min(16, 'must have at least 16 characters').optional(),
  oauth: oauth.optional(),
});

export type AuthSettings = z.output<typeof authSection>;

export const signsIn = ({ mode }: AuthSettings): boolean => mode === 'oauth' || mode === 'both';

/** Signing in is set up at start, so changing it needs a restart. Keys can change any time. */
const changesSignIn = (before: AuthSettings, after: AuthSettings) => signsIn(before) || signsIn(after);

export const authSettings = { auth: atStart(authSection.default({ mode: 'none' }), changesSignIn) };

/** Problems that depend on other sections. */
export function authProblems({ auth }: { readonly auth: AuthSettings }, file: Tree): Finding[] {
  if (!signsIn(auth)) return [];
  const findings: Finding[] = [];
  const complain = (path: string[], message: string, fix: string) => void findings.push({ path, message, fix });
  const publicUrl = valueAt(file, ['server', 'publicUrl']) as string | undefined;
  const host = (valueAt(file, ['server', 'host']) ?? '127.0.0.1') as string;
  const { issuer, jwksUri, builtin: own, console: client } = auth.oauth ?? {};
  if (issuer === undefined && own === undefined) {
    complain(
      ['auth', 'mode'],
      `is ${auth.mode}, but no authorization server is configured`,
      'Set auth.oauth.issuer to your authorization server, or auth.oauth.builtin: true to use the built-in one.',
    );
  }
  if (client !== undefined && issuer === undefined) {
    complain(
      ['auth', 'oauth', 'console'],
      'is a client at auth.oauth.issuer, which is missing',
      'Set auth.oauth.issuer, or remove this: the built-in authorization server needs no client.',
    );
  }
  for (const [name, url] of Object.entries({ issuer, jwksUri })) {
    if (url === undefined || !isPlainHttp(url)) continue;
    complain(
      ['auth', 'oauth', name],
      'must be an https URL: keys fetched over plain http could be forged',
      'Write https://…; http is allowed only on this machine.',
    );
  }
  if (publicUrl === undefined && !isLoopback(host)) {
    complain(
      ['server', 'publicUrl'],
      'is missing, but tokens are issued for this URL',
      'Write the URL that clients use, for example https://sluice.example.com.',
    );
  }
  if (publicUrl !== undefined && own !== undefined && isPlainHttp(publicUrl)) {
    complain(
      ['server', 'publicUrl'],
      'must be an https URL: passwords and tokens are sent to it',
      'Put a proxy with a certificate in front and write its https:// URL.',
    );
  }
  return findings;
}
