import { SECRET_NAME } from './secrets.ts';

const MASK = '••••••';

/** Maps of which every value may be a secret, whatever its name. */
const SECRET_MAPS: ReadonlySet<string> = new Set(['env', 'headers']);

const REFERENCE = /\$\{[^{}\n]*\}/g;
/** `--token=abc`, and `--token` before another argument. */
const FLAG = /^(--?[\w-]*(?:key|token|secret|password|passwd|pwd))(?:=.*)?$/i;

interface About {
  /** The same value as the file has it, with its references. */
  readonly written: unknown;
  /** Its name. */
  readonly key: string;
  readonly secret?: boolean;
  redact(text: string): string;
}

/** A value of the configuration without its secrets. References are shown instead of what they stand for. */
export function masked(value: unknown, about: About): unknown {
  const { written, key, secret = false, redact } = about;
  const isSecret = secret || SECRET_NAME.test(key);
  if (typeof value === 'string') return textMasked(value, { ...about, secret: isSecret });
  if (value === null || typeof value !== 'object')
    return isSecret && value !== null && typeof value !== 'boolean' ? MASK : value;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      masked(item, {
        written: Array.isArray(written) ? written[index] : undefined,
        key: '',
        secret: isSecret || followsSecretFlag(value, index),
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

function textMasked(value: string, { written, secret, redact }: About): string {
  const reference = typeof written === 'string' && written.search(REFERENCE) >= 0 ? written : undefined;
  if (secret) return reference === undefined ? (value === '' ? '' : MASK) : onlyReferences(reference);
  const flag = FLAG.exec(value);
  if (flag) return value.includes('=') ? `${flag[1]}=${MASK}` : value;
  return redact(withoutPasswords(reference ?? value));
}

/** `Bearer ${TOKEN:-fallback}` as `Bearer ${TOKEN}`: what stands around a reference in a secret is usually its scheme. */
function onlyReferences(text: string): string {
  const around = text.split(REFERENCE);
  const references = (text.match(REFERENCE) ?? []).map((one) => one.replace(/:-.*(?=\}$)/, ''));
  const isScheme = (part: string) => /^(?:[A-Za-z]{1,16} )?$/.test(part);
  return around.map((part, index) => (isScheme(part) ? part : MASK) + (references[index] ?? '')).join('');
}

/** Addresses keep their user, and lose passwords and the values of their query. */
function withoutPasswords(text: string): string {
  return text
    .replace(/(:\/\/[^\s/?#:@]*):[^\s/?#@]*@/g, `$1:${MASK}@`)
    .replace(
      /(:\/\/[^\s?#]*\?)([^\s#]*)/g,
      (_, before: string, query: string) => before + query.replace(/=[^&]*/g, `=${MASK}`),
    );
}

const followsSecretFlag = (list: readonly unknown[], index: number): boolean => {
  const before = index > 0 ? list[index - 1] : undefined;
  return typeof before === 'string' && !before.includes('=') && FLAG.test(before);
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
