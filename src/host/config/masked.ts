import { KNOWN_FORMS, SECRET_NAME } from './secrets.ts';

const MASK = '••••••';

/** Maps of which every value may be a secret, whatever its name. */
const SECRET_MAPS: ReadonlySet<string> = new Set(['env', 'headers']);

const REFERENCE = /\$\{[^{}\n]*\}/g;
/** `--token`, before its value. */
const FLAG = /^--?([\w-]+)$/;
/** Before a header or a variable, of which every value may be a secret. */
const MAP_FLAG = /^(?:-H|-e|--header|--env)$/;
/** `--token=abc`, `API_KEY=abc`, `Authorization: Bearer abc`. */
const ASSIGNED = /^(-{0,2}([\w.-]+)(?:=|: *))(.+)$/s;

interface About {
  /** The same value as the file has it, with its references. */
  readonly written: unknown;
  /** Its name. */
  readonly key: string;
  readonly secret?: boolean;
  /** It is a header or a variable: `NAME=value`. */
  readonly inMap?: boolean;
  redact(text: string): string;
}

/** A value of the configuration without its secrets. References are shown instead of what they stand for. */
export function masked(value: unknown, about: About): unknown {
  const { written, key, secret = false, redact } = about;
  const isSecret = secret || SECRET_NAME.test(key) || /credentials?$/i.test(key);
  if (typeof value === 'string') return textMasked(value, { ...about, secret: isSecret });
  if (value === null || typeof value !== 'object')
    return isSecret && value !== null && typeof value !== 'boolean' ? MASK : value;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      masked(item, {
        written: Array.isArray(written) ? written[index] : undefined,
        key: '',
        secret: isSecret || sounds(FLAG.exec(before(value, index))?.[1] ?? ''),
        inMap: MAP_FLAG.test(before(value, index)),
        redact,
      }),
    );
  }
  const entries = Object.entries(value).map(([name, inner]) => {
    const before = isObject(written) && Object.hasOwn(written, name) ? written[name] : undefined;
    return [
      name,
      masked(inner, { written: before, key: name, secret: isSecret || SECRET_MAPS.has(key), redact }),
    ] as const;
  });
  return Object.fromEntries(entries);
}

function textMasked(value: string, { written, secret, redact, inMap }: About): string {
  const reference = typeof written === 'string' && written.search(REFERENCE) >= 0 ? written : undefined;
  if (secret) return value === '' ? '' : hidden(reference ?? value);
  const text = reference ?? value;
  const [, start = '', name = '', rest = ''] = ASSIGNED.exec(text) ?? [];
  if ((inMap && start !== '') || sounds(name)) return start + hidden(rest);
  // `--header=X-Team: blue`
  if (MAP_FLAG.test(start.slice(0, -1)))
    return start + textMasked(rest, { written: rest, key: '', redact, inMap: true });
  return redact(withoutSecrets(text));
}

const sounds = (name: string): boolean =>
  SECRET_NAME.test(name) || /(?:^|[_-])(?:pat|pass|auth|credentials?)$/i.test(name);

/** The references in a secret, or nothing of it. */
const hidden = (text: string): string => (text.search(REFERENCE) >= 0 ? onlyReferences(text) : MASK);

/** `Bearer ${TOKEN:-fallback}` as `Bearer ${TOKEN}`: what stands around a reference in a secret is usually its scheme. */
function onlyReferences(text: string): string {
  const around = text.split(REFERENCE);
  const references = (text.match(REFERENCE) ?? []).map((one) => one.replace(/:-.*(?=\}$)/, ''));
  const isScheme = (part: string) => /^(?:[A-Za-z]{1,16} )?$/.test(part);
  return around.map((part, index) => (isScheme(part) ? part : MASK) + (references[index] ?? '')).join('');
}

function withoutSecrets(text: string): string {
  return text
    .replace(/([a-z][\w+.-]*:\/\/)([^\s"'<>]*)/gi, (_, scheme: string, rest: string) => scheme + address(scheme, rest))
    .replace(/(?<![\w$-])(-{0,2}([\w.-]+)=)([^\s&]+)/g, (all, start: string, name: string, rest: string) =>
      sounds(name) ? start + hidden(rest) : all,
    )
    .replace(new RegExp(KNOWN_FORMS, 'g'), MASK);
}

/** What follows `://`, without what opens it: passwords, tokens in the path, values of the query. */
function address(scheme: string, given: string): string {
  const [, found = '', after = given] = login(scheme + given, given);
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(after) ?? [];
  return (
    loginMasked(scheme, found) +
    path.split('/').map(segmentMasked).join('/') +
    pairsMasked(query) +
    (/[=&]/.test(fragment) ? pairsMasked(fragment) : fragment)
  );
}

/** `user:password@` and what follows. A password with a slash makes an address that nothing can parse. */
const login = (whole: string, given: string) =>
  (URL.canParse(whole) || whole.includes('${') ? /^([^/?#]*@)?(.*)$/s : /^(.*@)?(.*)$/s).exec(given) ?? [];

/** Web addresses often have a token for the user. Databases have names of users. */
function loginMasked(scheme: string, text: string): string {
  if (text === '') return '';
  if (/^https?:/i.test(scheme)) return `${hidden(text.slice(0, -1))}@`;
  const colon = text.indexOf(':');
  return colon < 0 ? text : `${text.slice(0, colon)}:${hidden(text.slice(colon + 1, -1))}@`;
}

const segmentMasked = (segment: string): string => (looksRandom(segment) ? MASK : segment);

const pairsMasked = (text: string): string =>
  text.replace(/([?#&])([^&=]*)(=[^&]*)?/g, (_, mark: string, name: string, value?: string) =>
    value === undefined ? mark + segmentMasked(name) : `${mark}${name}=${hidden(value.slice(1))}`,
  );

/** Letters and digits that are no words: a host, a version or a name is shown. */
function looksRandom(text: string): boolean {
  if (text.length < 16 || !/^[\w~-]+$/.test(text) || !/\d/.test(text) || !/[a-z]/i.test(text)) return false;
  return !text.split(/[-_]/).every((part) => /^(?:\d{1,8}|[a-z]+\d{0,2})$/i.test(part));
}

/** The argument before this one. */
const before = (list: readonly unknown[], index: number): string => {
  const given = index > 0 ? list[index - 1] : undefined;
  return typeof given === 'string' ? given : '';
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
