import { z } from 'zod';

/** `*`, or an origin whose port may be `*`. */
const origin = z.string().superRefine((given, context) => {
  if (given === '*' || partsOf(given)) return;
  context.addIssue({
    code: 'custom',
    message: 'is not an origin',
    params: { fix: 'Write scheme and host: "https://example.com", "http://localhost:*". "*" allows all.' },
  });
});

/** A list, or a text with semicolons as Playwright's own variable has it. */
export const origins = z.preprocess(
  (given) => (typeof given === 'string' ? given.split(';').map((one) => one.trim()) : given),
  z.array(origin).min(1, 'is empty'),
);

interface Origin {
  readonly protocol: string;
  readonly host: string;
  /** Empty for the usual one, `*` for any. */
  readonly port: string;
}

function partsOf(text: string): Origin | undefined {
  const [, start, anyPort] = /^(https?:\/\/[^/?#@\s*]+?)(:\*)?\/?$/.exec(text) ?? [];
  if (start === undefined || !URL.canParse(start)) return undefined;
  const { protocol, hostname, port } = new URL(start);
  return { protocol, host: hostname, port: anyPort === undefined ? port : '*' };
}

/** Whether the allow-list covers the address. */
export function isAllowed(allowed: readonly string[], address: string): boolean {
  if (allowed.includes('*')) return true;
  // Browsers complete what people type: `example.com` is an address, too.
  const url = URL.parse(/^[a-z][a-z\d+.-]*:/i.test(address) ? address : `https://${address}`);
  // The empty page shows nothing of anybody.
  if (url?.href === 'about:blank') return true;
  return allowed.some((one) => {
    const parts = partsOf(one);
    const fits = parts?.protocol === url?.protocol && parts?.host === url?.hostname;
    return fits && (parts?.port === '*' || parts?.port === url?.port);
  });
}

/**
 * Rules by which Chromium finds the origins of an allow-list, and no others; undefined if it allows all. The first rule
 * that fits holds.
 */
export function hostRules(allowed: readonly string[]): string | undefined {
  if (allowed.includes('*')) return undefined;
  const rules = allowed.flatMap((one) => {
    const parts = partsOf(one);
    return parts ? [ruleFor(parts)] : [];
  });
  return [...new Set(rules), 'MAP * ~NOTFOUND'].join(' , ');
}

function ruleFor({ protocol, host, port }: Origin): string {
  // Without a port, an IPv6 address has no brackets.
  if (port === '*') return `EXCLUDE ${host.replace(/^\[|\]$/g, '')}`;
  const place = `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
  return `MAP ${place} ${place}`;
}
