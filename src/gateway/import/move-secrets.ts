import type { Env } from '../../host/part.ts';
import { KNOWN_FORMS, SECRET_NAME } from '../../host/config/secrets.ts';
import { isTree, type Tree } from '../../host/config/tree.ts';

/** The position of a secret in a text, and its name there. */
interface Found {
  start: number;
  end: number;
  name: string;
}

/**
 * Moves the secrets out of imported servers: each becomes a reference `${NAME}`, and its value a variable for `.env`.
 * A name that already has another value, in `known` or for another server, is not reused.
 */
export function moveSecrets(
  servers: Readonly<Record<string, unknown>>,
  known: Env,
): { servers: Record<string, unknown>; variables: Record<string, string> } {
  const variables: Record<string, string> = {};

  function variable(server: string, wanted: string, value: string, own: boolean): string {
    const plain = constantCase(wanted);
    const scoped = constantCase(`${server}_${wanted}`);
    for (let attempt = 0; ; attempt++) {
      const name = attempt === 0 ? (own ? plain : scoped) : attempt === 1 ? scoped : `${scoped}_${attempt}`;
      const meaning = variables[name] ?? known[name];
      if (meaning !== undefined && meaning !== value) continue;
      variables[name] = value;
      return name;
    }
  }

  function replaced(server: string, text: string, key: string, own = false): string {
    const found = text.includes('${') ? undefined : secretIn(text, key);
    if (!found || found.start === found.end) return text;
    const name = variable(server, found.name, text.slice(found.start, found.end), own);
    return `${text.slice(0, found.start)}\${${name}}${text.slice(found.end)}`;
  }

  function cleaned(server: string, entry: Tree): Tree {
    const each = (group: unknown, own: boolean) =>
      Object.fromEntries(
        Object.entries(group as Tree).map(([key, value]) => [
          key,
          typeof value === 'string' ? replaced(server, value, key, own) : value,
        ]),
      );
    return {
      ...entry,
      ...(isTree(entry.env) && { env: each(entry.env, true) }),
      ...(isTree(entry.headers) && { headers: each(entry.headers, false) }),
      ...(Array.isArray(entry.args) && {
        // `--api-key abc`: the flag before it tells that a word is a secret.
        args: entry.args.map((word: unknown, index, all: unknown[]) =>
          typeof word === 'string' ? replaced(server, word, flagName(all[index - 1])) : word,
        ),
      }),
      ...Object.fromEntries(
        ['url', 'serverUrl', 'httpUrl']
          .filter((key) => typeof entry[key] === 'string')
          .map((key) => [key, replaced(server, entry[key] as string, '')]),
      ),
      ...(Array.isArray(entry.urls) && {
        urls: entry.urls.map((url: unknown) => (typeof url === 'string' ? replaced(server, url, '') : url)),
      }),
    };
  }

  const moved = Object.entries(servers).map(([name, entry]) => [name, isTree(entry) ? cleaned(name, entry) : entry]);
  return { servers: Object.fromEntries(moved) as Record<string, unknown>, variables };
}

const SCHEME = /^(?:bearer|basic|token|apikey) +/i;
const ASSIGNMENT = /^(?:--?)?([\w.-]+)(?:=|: *)/;
const QUERY = /[?&]([\w.-]+)=([^&#\s]+)/g;
const URL_PASSWORD = /^[a-z][\w+.-]*:\/\/[^\s:@/]*:([^\s@/]+)@/i;

function secretIn(text: string, key: string): Found | undefined {
  const address = URL_PASSWORD.exec(text);
  if (address?.[1]) return span(address[0].length - 1 - address[1].length, address[1].length, 'password');
  if (sounds(key)) return afterScheme(text, 0, key);
  // `-e GITHUB_TOKEN=abc`, `--token=abc`, `Authorization: Bearer abc` as one word of a command.
  const assigned = ASSIGNMENT.exec(text);
  if (assigned?.[1] && sounds(assigned[1])) return afterScheme(text, assigned[0].length, assigned[1]);
  for (const match of text.matchAll(QUERY)) {
    const [whole, name = '', value = ''] = match;
    if (sounds(name)) return span(match.index + whole.length - value.length, value.length, name);
  }
  const known = KNOWN_FORMS.exec(text);
  return known ? span(known.index, known[0].length, key === '' ? 'token' : key) : undefined;
}

/** `Bearer abc`: the scheme stays readable. */
function afterScheme(text: string, from: number, key: string): Found {
  const scheme = SCHEME.exec(text.slice(from))?.[0].length ?? 0;
  return { start: from + scheme, end: text.length, name: /^authorization$/i.test(key) ? 'token' : key };
}

const span = (start: number, length: number, name: string): Found => ({ start, end: start + length, name });

function sounds(key: string): boolean {
  return SECRET_NAME.test(key) || /(?:_pat|credentials?)$/i.test(key);
}

function flagName(word: unknown): string {
  return typeof word === 'string' ? (/^--?([\w.-]+)$/.exec(word)?.[1] ?? '') : '';
}

function constantCase(text: string): string {
  const name = text
    .replace(/\W+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
  return /^\d/.test(name) ? `_${name}` : name;
}
