import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import type { HttpError, Asked as Request } from '../http.ts';
import { shortened } from '../shown.ts';
import { saidIn } from './said.ts';

type Method = NonNullable<Request['method']> | 'LIST';

/** What was asked, for errors. */
export interface Asked {
  /** The service with its place: `vault at 127.0.0.1:8200`. */
  readonly at: string;
  readonly method: Method;
  /** Below /v1. */
  readonly path: readonly string[];
}

/** What Vault, or a proxy before it, says about a request that it refuses. */
export function explain(error: HttpError, { at, method, path: parts }: Asked): AppError {
  const { status } = error;
  const said = saidIn(error);
  const path = shortened(parts.join('/'), 300);
  const made = (code: ErrorCode, text: string) => new AppError(code, `${at} ${text}`, { cause: error });
  if (status >= 300 && status < 400) return made('unavailable', redirects(error));
  if (status === 503 && /sealed/i.test(said))
    return made(
      'unavailable',
      'is sealed: it gives out nothing before somebody unseals it with `vault operator unseal`. vault_get_status shows its progress.',
    );
  if (status === 503 && /standby|active/i.test(said))
    return made('unavailable', `is a standby without an active node: ${sentence(said)} Try again in a moment.`);
  if (status === 501 || /not initialized/i.test(said))
    return made('unavailable', 'is not initialized. Run `vault operator init`, then unseal it.');
  if (/check-and-set parameter required/i.test(said))
    return made(
      'conflict',
      'needs the version that this write replaces. Pass cas with the current version; vault_list_versions shows it.',
    );
  if (/check-and-set parameter did not match/i.test(said))
    return made(
      'conflict',
      'has another version of this secret than cas says, and nothing was written. Look at it with vault_read_secret, then write with its version as cas.',
    );
  if (/no handler for route|route entry not found/i.test(said))
    return made('not_found', `has no secrets engine at ${path}. vault_list_mounts shows those that it has.`);
  if (status === 403)
    return made(
      'forbidden',
      `does not let this token ${words[method].verb} ${path}. Add it to the token's policy: path "${path}" { capabilities = [${words[method].capability}] }. vault_check_access shows what the token may do.`,
    );
  if (status === 400 && /missing client token/i.test(said))
    return made('unavailable', 'got no token. Correct the login in modules.vault in sluice.yaml.');
  if (status === 404 && isVaults(error)) return made('not_found', `has nothing at ${path}. ${sentence(said)}`.trim());
  if (status === 404 || status === 401)
    return made(
      'unavailable',
      `does not answer as Vault does (HTTP ${status}). Set modules.vault.url in sluice.yaml to the address of Vault itself, without /v1 and without /ui.`,
    );
  if (status === 405)
    return made(
      'unsupported',
      `cannot do this at ${path}: the secrets engine there is not a KV engine. ${sentence(said)}`,
    );
  if (status === 412) return made('unavailable', 'has not caught up with the last write yet. Try again in a moment.');
  if (status === 413 || /request body too large/i.test(said))
    return made('too_large', 'refuses the secret because it is too large. Write less.');
  if (/upgrading from non-versioned/i.test(said))
    return made('unavailable', 'is still preparing this secrets engine for versions. Try again in a moment.');
  if (status === 400)
    return made(
      'invalid_input',
      `refuses the request: ${sentence(said) || 'it gives no reason.'} Change it and try again.`,
    );
  return made(
    'unavailable',
    `answered with HTTP ${status}${said === '' ? '' : `: ${said}`}. Its log says more. Try again in a moment.`,
  );
}

/** A standby redirects to the active node, a proxy to its login page. */
function redirects({ headers }: HttpError): string {
  const target = headers.location ?? '';
  const host = URL.canParse(target) ? ` to ${new URL(target).host}` : '';
  return `redirects${host}. If it is a standby, set modules.vault.url in sluice.yaml to the active node or to the address of the cluster; if it is a login page, to the address of Vault itself.`;
}

/** Answers of Vault are empty, or have `errors` or `data`; those of something else are pages. */
const isVaults = ({ body }: HttpError): boolean => body === '' || /^\s*\{[\s\S]*"(?:errors|data)"/.test(body);

const sentence = (said: string): string => (said === '' || /[.!?]$/.test(said) ? said : `${said}.`);

/** What a request is called, and what a policy has to allow for it. */
const words: Readonly<Record<Method, { readonly verb: string; readonly capability: string }>> = {
  GET: { verb: 'read', capability: '"read"' },
  HEAD: { verb: 'read', capability: '"read"' },
  LIST: { verb: 'list', capability: '"list"' },
  POST: { verb: 'write', capability: '"create", "update"' },
  PUT: { verb: 'write', capability: '"create", "update"' },
  PATCH: { verb: 'patch', capability: '"patch"' },
  DELETE: { verb: 'delete', capability: '"delete"' },
};
