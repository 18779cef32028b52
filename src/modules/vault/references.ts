import { z } from 'zod';
import type { AroundReference, NameRead, NamesRead } from '../../host/config/scheme.ts';
import { findingsOf } from '../../host/config/schema-problems.ts';
import { isTree } from '../../host/config/tree.ts';
import { own } from '../../kernel/own.ts';
import { anchored, common } from '../settings.ts';
import { createReader, type Reader, type Secrets } from './reader.ts';
import { problemsIn, vaultSettings } from './settings.ts';

const schema = z.object({ ...common, ...vaultSettings.shape });

type Settings = z.output<typeof schema>;

const REFRESH_MS = 60_000;

/** The connection of the last time. References are read again and again. */
let kept: { readonly from: string; readonly reader: Reader } | undefined;

/** Reads `path#key` for `${vault:path#key}` in the file. Every path is read once. */
export async function readVaultReferences(names: readonly string[], around: AroundReference): Promise<NamesRead> {
  const found = settingsIn(around);
  if ('problem' in found) {
    const values = new Map(names.map((name) => [name, found.problem]));
    return { from: '', refreshMs: REFRESH_MS, values };
  }
  const { settings, hasSection } = found;
  const from = identityOf(settings);
  if (kept?.from !== from) {
    await kept?.reader[Symbol.asyncDispose]();
    kept = { from, reader: createReader(settings, hasSection) };
  }
  const secrets = await kept.reader.read(names.map((name) => splitName(name).path));
  const values = new Map(names.map((name) => [name, valueOf(name, secrets)]));
  return { from, refreshMs: settings.refresh, values };
}

function settingsIn({
  env,
  file,
  resolve,
}: AroundReference): { readonly settings: Settings; readonly hasSection: boolean } | { readonly problem: NameRead } {
  const { VAULT_ADDR, VAULT_TOKEN } = env;
  const modules = isTree(file.modules) ? file.modules : {};
  // A section that says nothing is one, too.
  const section = own(modules, 'vault') ?? (Object.hasOwn(modules, 'vault') ? {} : undefined);
  const isVault = isTree(section) && (section.type === undefined || section.type === 'vault');
  if (!isVault && !VAULT_ADDR && !VAULT_TOKEN)
    return {
      problem: {
        absent: true,
        message: 'no Vault is configured',
        fix: 'Set VAULT_ADDR and VAULT_TOKEN in the environment, or add modules.vault to the file.',
      },
    };
  const given = {
    ...(VAULT_ADDR && { url: VAULT_ADDR }),
    ...(VAULT_TOKEN && { token: VAULT_TOKEN }),
    ...(isVault && anchored(section, resolve)),
  };
  const parsed = schema.safeParse(given);
  const where = isVault ? 'modules.vault' : 'VAULT_ADDR';
  const [finding] = parsed.success
    ? problemsIn(parsed.data).map(({ key, ...rest }) => ({ path: key === undefined ? [] : [key], ...rest }))
    : findingsOf(parsed.error.issues, schema, given);
  if (!finding && parsed.success) return { settings: parsed.data, hasSection: isVault };
  const key = [where, ...(isVault ? (finding?.path ?? []) : [])].map(String).join('.');
  return {
    problem: { absent: false, message: `${key} ${finding?.message ?? 'is wrong'}`, fix: finding?.fix ?? 'Correct it.' },
  };
}

/** What decides which secret a path leads to. */
function identityOf(settings: Settings): string {
  const { url, namespace, token, tokenFile, appRole, kubernetes, ca, cert, key, insecure } = settings;
  return JSON.stringify([url, namespace, token, tokenFile, appRole, kubernetes, ca, cert, key, insecure]);
}

function splitName(name: string): { readonly path: string; readonly key: string | undefined } {
  const at = name.indexOf('#');
  return at === -1 ? { path: name, key: undefined } : { path: name.slice(0, at), key: name.slice(at + 1) };
}

const MOST_KEYS = 20;

function valueOf(name: string, secrets: Secrets): NameRead {
  const { path, key } = splitName(name);
  const read = secrets.get(path);
  if (read === undefined) return { absent: false, message: `${path} was not read`, fix: 'Try again.' };
  if ('message' in read) return read;
  const value = key === undefined ? undefined : own(read.data, key);
  if (typeof value === 'string') return { value };
  if (typeof value === 'number' || typeof value === 'boolean') return { value: String(value) };
  if (value !== undefined && value !== null)
    return {
      absent: false,
      message: `the key ${key} of ${path} in Vault is not a text`,
      fix: 'Store a text or a number under this key.',
    };
  const keys = Object.keys(read.data).sort();
  const shown = [...keys.slice(0, MOST_KEYS), ...(keys.length > MOST_KEYS ? ['…'] : [])].join(', ');
  return {
    absent: key !== undefined,
    message: key === undefined ? `\${vault:${path}} names no key` : `${path} in Vault has no key ${key}`,
    fix: `${keys.length === 0 ? 'It has no keys.' : `Its keys are ${shown}.`} Write \${vault:${path}#KEY}.`,
  };
}
