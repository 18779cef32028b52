import { AppError, messageOf } from '../../kernel/errors.ts';
import { failureAt } from '../../kernel/unreachable.ts';
import type { CommonSettings } from '../settings.ts';
import { tlsOf } from '../tls.ts';
import { openVault, type VaultApi } from './api.ts';
import { codeOf, type Place, placeOf, readSecret } from './kv.ts';
import type { VaultSettings } from './settings.ts';

/** Secrets by path, or why one cannot be read. `absent`: there is none. */
export type Secrets = ReadonlyMap<
  string,
  | { readonly data: Readonly<Record<string, unknown>> }
  | { readonly absent: boolean; readonly message: string; readonly fix: string }
>;

type Failure = Extract<Secrets extends ReadonlyMap<string, infer One> ? One : never, { readonly absent: boolean }>;

/** Reads secrets for the configuration. Allow-lists do not matter: the file is its owner's. */
export interface Reader extends AsyncDisposable {
  /** Never throws. */
  read(paths: readonly string[]): Promise<Secrets>;
}

/** How long one path may take. */
const PATIENCE_MS = 10_000;
const AT_A_TIME = 8;

/** `hasSection`: whether the file has modules.vault. Otherwise the environment says where Vault is. */
export function createReader(settings: VaultSettings & CommonSettings, hasSection: boolean): Reader {
  const at = `vault at ${new URL(settings.url).host}`;
  /** Where secrets are, so that reading one again takes one request. */
  const places = new Map<string, Place>();
  let api: VaultApi | undefined;

  // The token that a login gives goes to Vault, and nowhere else.
  const open = async () => openVault(settings, { at, tls: await tlsOf(settings, 'vault'), revealed() {} });

  async function readOne(path: string): Promise<{ readonly data: Readonly<Record<string, unknown>> }> {
    const signal = AbortSignal.timeout(PATIENCE_MS + 100);
    const vault = (api ??= await open());
    const place = places.get(path) ?? (await placeOf(vault, path, signal));
    const { data } = await readSecret(vault, place, { signal });
    places.set(path, place);
    return { data };
  }

  function failureOf(path: string, error: unknown): Failure {
    const known = error instanceof AppError ? error : failureAt(at, hasSection ? 'modules.vault' : 'VAULT_ADDR', error);
    const isAbsent = codeOf(known) === 'not_found';
    const said = known ? known.message : `${at} does not answer: ${messageOf(error)}.`;
    const [first = '', ...rest] = said
      .split(/(?<=[.!?]) (?=[A-Z]|vault_)/)
      .filter((sentence) => !/\bvault_[a-z_]+/.test(sentence));
    const isMissing = isAbsent && (first === '' || first.startsWith('There is no secret'));
    const message = isMissing ? `there is no secret ${path} in ${at}` : first.replace(/\.$/, '');
    return {
      absent: isAbsent,
      message: ofEnvironment(message),
      fix: ofEnvironment(rest.join(' ')) || fixFor(path, known),
    };
  }

  /** Without a section, the settings have other names. */
  const ofEnvironment = (text: string): string =>
    hasSection
      ? text
      : text
          .replace(/modules\.vault\.token(?: in sluice\.yaml)?/g, 'VAULT_TOKEN')
          .replace(/modules\.vault(?:\.\w+)?(?: in sluice\.yaml)?/g, 'VAULT_ADDR');

  return {
    async read(paths) {
      const found = new Map<string, { readonly data: Readonly<Record<string, unknown>> } | Failure>();
      const waiting = [...new Set(paths)];
      let away: Failure | undefined;
      const work = async () => {
        for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
          // Do not wait for every path if Vault does not answer.
          if (away) {
            found.set(path, away);
            continue;
          }
          try {
            found.set(path, await within(readOne(path), at));
          } catch (error) {
            places.delete(path);
            const failure = failureOf(path, error);
            found.set(path, failure);
            if (isAway(error)) away = failure;
          }
        }
      };
      await Promise.all(Array.from({ length: AT_A_TIME }, work));
      return found;
    },
    async [Symbol.asyncDispose]() {
      await api?.[Symbol.asyncDispose]();
    },
  };
}

/** Logging in takes its own time, so the signal of a request is not enough. */
async function within<T>(work: Promise<T>, at: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = () => reject(new AppError('timeout', `${at} did not answer within ${PATIENCE_MS / 1000} s.`));
  const timer = setTimeout(late, PATIENCE_MS);
  work.catch(() => {});
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

const isAway = (error: unknown): boolean =>
  !(error instanceof AppError) || error.code === 'unavailable' || error.code === 'timeout';

function fixFor(path: string, error: AppError | undefined): string {
  switch (error?.code) {
    case 'not_found':
      return `Write it with \`vault kv put ${path} KEY=VALUE\`, or correct the path.`;
    case 'forbidden':
      return "Correct the path, or add it to the token's policy.";
    case 'unsupported':
      return 'References read KV engines only. Correct the path.';
    case 'invalid_input':
      return 'Write the path as secret/app/db.';
    default:
      return 'Check that Vault runs, and its address.';
  }
}
