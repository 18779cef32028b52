import { offeredScopes } from '../../auth/resource.ts';
import type { Attempt, Party, Tokens } from '../../login/grants.ts';
import { hostOf } from '../../login/party.ts';
import { AppError } from '../../kernel/errors.ts';
import { late } from '../../kernel/late.ts';
import { isLoopback } from '../../kernel/plain-http.ts';
import { RETURN_PATH } from './paths.ts';

/** Signing in at the authorization server of the configuration: people know its page. */
export interface IssuerDoor {
  /** Its host, for people. */
  readonly name: string;
  /** Where to send the browser, and what to remember until it comes back. `base` is our URL as the browser sees it. */
  begin(base: string): Promise<{ url: string; attempt: IssuerAttempt }>;
  finish(attempt: IssuerAttempt, answer: URLSearchParams): Promise<Issued>;
  /** New tokens for those that expire. */
  renew(issued: Issued): Promise<Issued>;
}

export interface IssuerAttempt extends Attempt {
  readonly resource: string;
}

/** Tokens, and the name of this gateway for which they were issued. */
export interface Issued {
  readonly resource: string;
  readonly tokens: Tokens;
}

export interface IssuerDoorDeps {
  readonly issuer: string;
  readonly client: {
    readonly clientId: string;
    readonly clientSecret?: string | undefined;
    readonly scopes?: readonly string[] | undefined;
  };
  /** The scopes of the issuer that the configuration maps to ours. */
  readonly mapped: readonly string[];
}

/** What a person looks at, besides what assistants are told to ask for. */
const forPeople = [...offeredScopes, 'health:check'];

export function createIssuerDoor({ issuer, client, mapped }: IssuerDoorDeps): IssuerDoor {
  const party = late(async (): Promise<Omit<Party, 'resource'>> => {
    const [{ serverOf }, { configuredClient }] = await Promise.all([
      import('../../login/discovery.ts'),
      import('../../login/client.ts'),
    ]);
    const server = await serverOf(issuer, await fetching());
    const own = configuredClient(server, {
      clientId: client.clientId,
      ...(client.clientSecret !== undefined && { clientSecret: client.clientSecret }),
      grant: 'authorization_code',
    });
    if (!own) throw new AppError('invalid_input', 'auth.oauth.console has no clientId.');
    return { server, client: own };
  });

  async function fetching() {
    const { createFetch } = await import('../../login/fetch.ts');
    return createFetch({ isLocal: () => isLoopback(new URL(issuer).hostname) });
  }

  function scopeFor(supported: readonly string[] | undefined): string | undefined {
    const wanted = client.scopes ?? (mapped.length > 0 ? mapped : forPeople);
    // Only what the owner lists is asked for without knowing it: some issuers refuse a scope that they do not know.
    const asked = client.scopes || !supported ? wanted : wanted.filter((scope) => supported.includes(scope));
    const all = supported?.includes('offline_access') ? [...asked, 'offline_access'] : asked;
    return all.length > 0 ? [...new Set(all)].join(' ') : undefined;
  }

  return {
    name: hostOf(issuer),
    async begin(base) {
      const [{ beginAttempt }, known] = await Promise.all([import('../../login/grants.ts'), party()]);
      const resource = `${base}/mcp`;
      const { url, attempt } = await beginAttempt(
        { ...known, resource },
        { redirect: `${base}${RETURN_PATH}`, scope: scopeFor(known.server.scopes_supported) },
      );
      return { url, attempt: { ...attempt, resource } };
    },
    async finish(attempt, answer) {
      const { resource } = attempt;
      const { finishAttempt } = await import('../../login/grants.ts');
      const tokens = await finishAttempt({ ...(await party()), resource }, attempt, answer, await fetching());
      return { resource, tokens };
    },
    async renew({ resource, tokens }) {
      const { refresh } = await import('../../login/grants.ts');
      return { resource, tokens: await refresh({ ...(await party()), resource }, tokens, await fetching()) };
    },
  };
}
