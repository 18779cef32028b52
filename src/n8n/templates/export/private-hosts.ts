import { isIP } from 'node:net';
import { isInternalAddress, isInternalName } from '../../../wire/url-guard.ts';
import { apart, type Span } from './spans.ts';

const STAND_IN = 'example.com';

/** Endings of names that only a local network knows, besides those of `isInternalName`. */
const localEnding = /\.(?:localdomain|intranet|corp|private|svc|home\.arpa)$/;

/** Hosts of documentation: they lead nowhere. */
const standIn = /(?:^|\.)example(?:\.[a-z]{2,10})?$|your[-_.]|^your/;
/** `https://QDRANT_URL/`, `https://SERVER/`: shows what goes there. */
const capitals = /^[A-Z0-9_-]*(?:URL|YOUR|DOMAIN|SERVER|HOST|XXX)[A-Z0-9_-]*$/;

/** Whether a host, as a URL has it, is in a private network or is `own`. */
function isPrivateHost(host: string, own?: string): boolean {
  const bare = canonical(host);
  if (bare === '' || standIn.test(bare)) return false;
  if (own !== undefined && bare === own) return true;
  if (isIP(bare) !== 0) return isInternalAddress(bare);
  return isInternalName(bare) || localEnding.test(bare);
}

/** `0x7f.1` is 127.0.0.1, and `LOCALHOST.` is localhost. */
export function canonical(host: string): string {
  const url = `http://${host}/`;
  const name = URL.canParse(url) ? new URL(url).hostname : host.toLowerCase();
  return name.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** `://`, the same in JSON within JSON, and percent-encoded. */
const separator = /:\/\/|:\\{1,3}\/\\{1,3}\/|%3A%2F%2F/gi;
/** What ends the host and port of a URL in a text. */
const end = /[\s/?#"'`<>()|\\^,;{}]/;
const endOfEncoded = /[^\w.-]/;
const LONGEST_AUTHORITY = 600;

/** Private addresses of URLs in the text: user, host and port, which are replaced. */
function* inUrls(text: string, own: string | undefined): Generator<Span> {
  for (const match of text.matchAll(separator)) {
    const start = match.index + match[0].length;
    // Skip an expression at the beginning of the host: `https://{{ $json.team }}.corp.internal/`.
    const begin = afterExpression(text, start);
    const ends = match[0].startsWith('%') ? endOfEncoded : end;
    let stop = begin;
    while (stop < text.length && stop - begin < LONGEST_AUTHORITY && !ends.test(text[stop] as string)) stop++;
    yield* furtherHosts(text, stop, own);
    const authority = text.slice(begin, stop);
    const at = authority.lastIndexOf('@');
    const host = authority.slice(at + 1).replace(/:\d{0,5}$/, '');
    if (host === '' || isUnfinished(authority.slice(at + 1), host, text, stop)) continue;
    // Other schemes name things, not hosts: `gid://shopify/Order/1`.
    if (!host.includes('.') && !isNetwork(text, match.index)) continue;
    if (begin > start && !host.startsWith('.')) continue;
    const whole = begin > start ? `x${host}` : host;
    if (/^[$*…]/.test(whole) || capitals.test(whole) || !isPrivateHost(whole, own)) continue;
    yield { start: begin > start ? start : start + at + 1, end: begin + authority.length, put: STAND_IN };
  }
}

/** The others of `mongodb://mongo1:27017,mongo2:27017/`. */
function* furtherHosts(text: string, from: number, own: string | undefined): Generator<Span> {
  const further = /,([\w.-]{1,253}):\d{1,5}(?=[,/?\s"'`]|$)/y;
  further.lastIndex = from;
  for (let match = further.exec(text); match; match = further.exec(text)) {
    if (isPrivateHost(match[1] as string, own)) {
      yield { start: match.index + 1, end: further.lastIndex, put: STAND_IN };
    }
  }
}

/** Whether the name of the host goes on in a way that nobody can read here, so that it may be a public one. */
function isUnfinished(hostAndPort: string, host: string, text: string, stop: number): boolean {
  if (hostAndPort !== host || /^localhost\.?$/i.test(host)) return false;
  // `https://[your url]`, and `https://www.` or `https://video-` as a text to compare with.
  if (host.startsWith('[') ? !/^\[[0-9a-f:.]+\]$/i.test(host) : /^[^.]*[.-]$/.test(host)) return true;
  if (host.includes('.')) return false;
  // An expression (`http://api{{ $json.zone }}`), or a regular expression (`https:\/\/drive\.google`).
  return /^(?:\$?\{|\\{1,4}\.)/.test(text.slice(stop, stop + 5));
}

const networkScheme =
  /(?:^|[^a-z0-9+.-])(?:https?|wss?|s?ftps?|ssh|git|smb|nfs|postgres(?:ql)?|mysql|mariadb|mssql|sqlserver|mongodb(?:\+srv)?|rediss?|amqps?|mqtts?|ldaps?|smtps?|imaps?|nats|kafka|tcp|udp|grpcs?|bolt|neo4j)$/i;

const isNetwork = (text: string, at: number): boolean => networkScheme.test(text.slice(Math.max(0, at - 20), at));

function afterExpression(text: string, start: number): number {
  if (!text.startsWith('{{', start)) return start;
  const close = text.slice(start, start + LONGEST_AUTHORITY).indexOf('}}');
  return close < 0 ? start : start + close + 2;
}

/** Not the version of a browser: `Chrome/10.0.0.0`. */
const ipv4 = /(?<![\w./-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)/g;

function* bareAddresses(text: string): Generator<Span> {
  for (const { 0: found, index } of text.matchAll(ipv4)) {
    if (found !== '0.0.0.0' && isIP(found) === 4 && isInternalAddress(found)) {
      const port = /^:\d{1,5}/.exec(text.slice(index + found.length, index + found.length + 6))?.[0] ?? '';
      yield { start: index, end: index + found.length + port.length, put: STAND_IN };
    }
  }
}

const localName = String.raw`(?:[a-z0-9_-]{1,63}\.){1,8}(?:internal|intranet|local|localdomain|lan|corp|private|svc|home\.arpa)`;

/** Names that only a local network knows, where they cannot be code: with a port, after a user, or as a host's name. */
const named: readonly RegExp[] = [
  new RegExp(`(?<![\\w.@/-])(${localName}):\\d{2,5}(?!\\w)`, 'gi'),
  new RegExp(`(?<=[\\w-]@)(${localName})(?![\\w.-])`, 'gi'),
  new RegExp(
    `(?<=(?:host(?:name)?|server|endpoint|domain|broker|address)\\\\{0,3}["'\`]?\\s{0,5}[:=]\\s{0,5}\\\\{0,3}["'\`])(${localName})(?=\\\\{0,3}["'\`])`,
    'gi',
  ),
  new RegExp(`(?<=\\b(?:host|server|data source)=)(${localName})(?![\\w.(-])`, 'gi'),
];

/** A quick check: few texts have such a name. */
const hasLocalName = /\.(?:internal|intranet|local|localdomain|lan|corp|private|svc|home\.arpa)(?![\w-])/i;

function* localNames(text: string): Generator<Span> {
  if (!hasLocalName.test(text)) return;
  for (const form of named) {
    for (const { 0: found, index } of text.matchAll(form)) {
      if (!standIn.test(found.toLowerCase())) yield { start: index, end: index + found.length, put: STAND_IN };
    }
  }
}

/** Addresses of local networks: `fd12:3456::1`, `fe80::1`. */
const ipv6 = /(?<![\w:.])(?:f[cd][0-9a-f]{2}|fe80):[0-9a-f:]{2,40}(?![\w:])/gi;

function* bareIpv6(text: string): Generator<Span> {
  for (const { 0: found, index } of text.matchAll(ipv6)) {
    if (isIP(found) === 6) yield { start: index, end: index + found.length, put: STAND_IN };
  }
}

/** The server in `\\\\nas\\share`. */
function* fileServer(text: string): Generator<Span> {
  const [found, lead = '', host = ''] = /^(=?\\\\)([\w.-]{3,253})(?=\\)/.exec(text) ?? [];
  if (found !== undefined && isPrivateHost(host)) yield { start: lead.length, end: found.length, put: STAND_IN };
}

/** The name of this n8n, even without `https://`. A name of one word, or an address, is found elsewhere. */
function* ownName(text: string, own: string | undefined): Generator<Span> {
  if (own === undefined || !own.includes('.') || isIP(own) !== 0) return;
  const name = new RegExp(`(?<![\\w.-])${RegExp.escape(own)}(?::\\d{1,5})?(?![\\w-]|\\.\\w)`, 'gi');
  for (const { 0: found, index } of text.matchAll(name)) {
    yield { start: index, end: index + found.length, put: STAND_IN };
  }
}

const hostField = /host|server|url|uri|endpoint|address|domain|broker/i;
const wholeHost = /^(=?)((?:[a-z0-9_-]{1,63}\.){0,8}[a-z0-9_-]{1,63}|\[?[0-9a-f:]{2,45}\]?)(:\d{1,5})?$/i;

/** A field that holds nothing but a host: `host: "db.internal"`. In other texts, `data.local` is no host. */
function* wholeValue(text: string, field: string, own: string | undefined): Generator<Span> {
  if (text.length > 300 || field.length > 200) return;
  const [, lead = '', host = '', port = ''] = wholeHost.exec(text) ?? [];
  if (host === '') return;
  const isLocal = /^localhost$/i.test(host) || (host.includes(':') && isIP(host.replace(/^\[|\]$/g, '')) === 6);
  if (!isLocal && !hostField.test(field)) return;
  // One word is a host only beside a port or in a field for hosts, not in `hostType: "shared"`.
  if (!isLocal && !host.includes('.') && port === '' && !/^(?:host|hostname|server)$/i.test(field)) return;
  if (/^\d+$/.test(host) || !isPrivateHost(host.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host, own))
    return;
  yield { start: lead.length, end: text.length, put: STAND_IN };
}

/** The private hosts and addresses in a text. Takes time in proportion to the text. */
export function privateHosts(text: string, field: string, own: string | undefined): Span[] {
  return apart([
    ...inUrls(text, own),
    ...bareAddresses(text),
    ...bareIpv6(text),
    ...localNames(text),
    ...fileServer(text),
    ...ownName(text, own),
    ...wholeValue(text, field, own),
  ]);
}

/** Whether the text has an e-mail address. */
export function hasMailAddress(text: string): boolean {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const before = text.slice(Math.max(0, at - 64), at);
    const after = text.slice(at + 1, at + 256);
    // In a URL it is a user.
    if (/:\/\/\S*$/.test(before)) continue;
    if (/[\w.%+-]$/.test(before) && /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,5}\.[a-z]{2,24}(?![\w-])/i.test(after)) {
      if (!standIn.test((/^[a-z0-9.-]+/i.exec(after)?.[0] ?? '').toLowerCase())) return true;
    }
  }
  return false;
}
