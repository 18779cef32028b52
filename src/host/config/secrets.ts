import type { Env } from '../../kernel/env.ts';

export const SECRET_NAME = /(key|token|secret|secret_?id|password|passphrase|passwd|pwd|authorization|cookie)$/i;

/** Secrets that show by themselves what they are. */
export const KNOWN_FORMS =
  /\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abeprs]-[\w-]{10,}|glpat-[\w-]{16,}|AKIA[0-9A-Z]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+)/;

// Shorter guesses would redact ordinary words. Values from .env or references are always redacted.
const GUESSED_LENGTH = 8;

/**
 * Values to redact in logs and errors, longest first so that no part of a longer one stays readable: values from `.env`
 * and references, and values whose name sounds like a secret.
 */
export function secretsOf(given: { dotenv: Env; used: readonly string[]; env: Env; tree: unknown }): string[] {
  const certain = [...Object.values(given.dotenv), ...given.used].filter((value) => value !== undefined);
  // The names of a shell's working directories sound like passwords.
  const { PWD: _, OLDPWD: __, ...env } = given.env;
  const guessed = [
    ...namedSecrets(env),
    ...otlpHeaders(given.env),
    ...namedSecrets(given.tree),
    ...urlPasswords(given.tree),
  ];
  const all = new Set([...certain, ...guessed.filter((value) => value.length >= GUESSED_LENGTH)]);
  all.delete('');
  return [...all].sort((a, b) => b.length - a.length);
}

function* strings(tree: unknown, key = ''): Generator<[key: string, value: string]> {
  if (typeof tree === 'string') yield [key, tree];
  else if (Array.isArray(tree)) for (const item of tree) yield* strings(item, key);
  else if (tree !== null && typeof tree === 'object') {
    for (const [inner, value] of Object.entries(tree)) yield* strings(value, inner);
  }
}

function* namedSecrets(tree: unknown): Generator<string> {
  for (const [key, value] of strings(tree)) {
    if (!SECRET_NAME.test(key)) continue;
    yield value;
    // `Authorization: Bearer abc`: the part after the scheme is the secret.
    const bare = /^\w+ +(\S+)$/.exec(value)?.[1];
    if (bare) yield bare;
  }
}

/** `OTEL_EXPORTER_OTLP_HEADERS: authorization=Basic%20abc` holds the credentials for a collector. */
function* otlpHeaders(env: Env): Generator<string> {
  for (const name of ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS']) {
    for (const pair of env[name]?.split(',') ?? []) {
      const value = pair.slice(pair.indexOf('=') + 1).trim();
      yield value;
      const plain = /^(?:[^%]|%[\da-f]{2})*$/i.test(value) ? decodeURIComponent(value) : value;
      yield plain;
      yield plain.split(' ').at(-1) as string;
    }
  }
}

function* urlPasswords(tree: unknown): Generator<string> {
  for (const [, value] of strings(tree)) {
    if (!value.includes('://') || !URL.canParse(value)) continue;
    const { password } = new URL(value);
    if (!password) continue;
    yield password;
    // With a stray % it is not percent-encoded, so only the written form exists.
    if (/^(?:[^%]|%[\da-f]{2})*$/i.test(password)) yield decodeURIComponent(password);
  }
}
