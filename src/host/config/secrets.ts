import type { Env } from '../../kernel/env.ts';

export const SECRET_NAME = /(key|token|secret|secret_?id|password|passphrase|passwd|pwd|authorization|cookie)$/i;

/** Secrets that show by themselves what they are. */
export const KNOWN_FORMS =
  /\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abeprs]-[\w-]{10,}|glpat-[\w-]{16,}|AKIA[0-9A-Z]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+)/;

// Shorter guesses would redact ordinary words. Values from .env or references are always redacted.
const GUESSED_LENGTH = 8;

/** Variables that say where something is or who somebody is. Redacting them would hide the point of many errors. */
const PLACE_NAME =
  /^(?:workspaceFolder|userHome)$|(?:^|_)(?:home|dir|directory|folder|path|root|user|username|host|hostname|domain|port|database|db|dbname|region)$/i;

/** Whether the value of a variable is no secret: it names a place, or is an address that holds nothing else. */
export function isPlace(name: string, value: string): boolean {
  if (SECRET_NAME.test(name)) return false;
  if (!URL.canParse(value)) return PLACE_NAME.test(name);
  const { origin, href } = new URL(value);
  return `${origin}/` === href;
}

/**
 * Values to redact in logs and errors, longest first so that no part of a longer one stays readable: values from `.env`
 * and references, and values whose name sounds like a secret. A value that is part of a `shown` text is no secret:
 * everybody sees it anyway.
 */
export function secretsOf(given: {
  dotenv: Env;
  used: readonly string[];
  env: Env;
  tree: unknown;
  shown?: readonly string[];
}): string[] {
  const { dotenv, used, shown = [] } = given;
  const ofFile = Object.entries(dotenv).flatMap(([name, value = '']) => (isPlace(name, value) ? [] : [value]));
  // The names of a shell's working directories sound like passwords.
  const { PWD: _, OLDPWD: __, ...env } = given.env;
  const guessed = [
    ...namedSecrets(env),
    ...otlpHeaders(given.env),
    ...namedSecrets(given.tree),
    ...urlSecrets(given.tree),
  ];
  const all = new Set([...ofFile, ...used, ...guessed.filter((value) => value.length >= GUESSED_LENGTH)]);
  all.delete('');
  const hidden = [...all].filter((value) => !shown.some((text) => text.includes(value)));
  return hidden.sort((a, b) => b.length - a.length);
}

function* strings(tree: unknown, key = ''): Generator<[key: string, value: string]> {
  if (typeof tree === 'string') yield [key, tree];
  else if (Array.isArray(tree)) {
    // `--api-key`, `abc` in a list: the option names what follows it.
    for (const [index, item] of tree.entries()) yield* strings(item, optionBefore(tree, index) ?? key);
  } else if (tree !== null && typeof tree === 'object') {
    for (const [inner, value] of Object.entries(tree)) yield* strings(value, inner);
  }
}

function optionBefore(list: readonly unknown[], index: number): string | undefined {
  const before = list[index - 1];
  return typeof before === 'string' ? /^--?([\w-]+)$/.exec(before)?.[1] : undefined;
}

function* namedSecrets(tree: unknown): Generator<string> {
  for (const [key, text] of strings(tree)) {
    const form = KNOWN_FORMS.exec(text);
    if (form) yield form[0];
    // `--api-key=abc` and `Authorization: Bearer abc` in a list name themselves.
    const [, name = key, value = text] = /^-{0,2}([\w-]+)(?:=|: *)(.+)$/s.exec(text) ?? [];
    for (const [named, secret] of [
      [key, text],
      [name, value],
    ] as const) {
      if (!SECRET_NAME.test(named)) continue;
      yield secret;
      // `Authorization: Bearer abc`: the part after the scheme is the secret.
      const bare = /^\w+ +(\S+)$/.exec(secret)?.[1];
      if (bare) yield bare;
    }
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

function* urlSecrets(tree: unknown): Generator<string> {
  for (const [, value] of strings(tree)) {
    if (!value.includes('://') || !URL.canParse(value)) continue;
    const { protocol, username, password, searchParams } = new URL(value);
    yield* namedSecrets(Object.fromEntries(searchParams));
    // Alone before the @ of a web address stands a token.
    if (!password && protocol.startsWith('http')) yield decodeURIComponent(username);
    if (!password) continue;
    yield password;
    // With a stray % it is not percent-encoded, so only the written form exists.
    if (/^(?:[^%]|%[\da-f]{2})*$/i.test(password)) yield decodeURIComponent(password);
  }
}
