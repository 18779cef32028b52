import { type Effort, goRegexp } from '../regexp/go-regexp.ts';
import { CannotJudge } from '../regexp/syntax.ts';
import { BadRule } from './bad-rule.ts';
import { addressIn } from './ip-range.ts';
import type { Request } from './request.ts';

/** What a matcher says about a request. */
export interface Test {
  fits(request: Request, effort: Effort): boolean;
  /** What the request has instead, for whoever wonders why it does not match. */
  has(request: Request): string;
}

export type Build = (values: readonly string[]) => Test;
export type Matchers = ReadonlyMap<string, Build>;

export const hostIs = (request: Request): string => `the host is ${request.host}`;
export const pathIs = (request: Request): string => `the path is ${request.path}`;
export const methodIs = (request: Request): string => `the method is ${request.method}`;

export const valuesAre =
  (what: 'header' | 'query parameter', name: string) =>
  (request: Request): string => {
    const found = what === 'header' ? request.headers.get(name.toLowerCase()) : request.query.get(name);
    return found ? `the ${what} ${name} has another value` : `the request has no ${what} ${name}`;
  };

export function asciiOnly(value: string): void {
  // oxlint-disable-next-line no-control-regex
  if (!/^[\u0000-\u007f]*$/.test(value)) throw new BadRule(`the host ${value.slice(0, 60)} is not ASCII: use punycode`);
}

export function clientIp(values: readonly string[]): Test {
  const within = addressIn(values);
  return {
    fits({ clientIp: address }) {
      if (address === undefined) throw new CannotJudge('it depends on the address of the client: give client_ip');
      return within(address);
    },
    has: (request) => `the client is ${request.clientIp ?? 'not known'}`,
  };
}

/** The name without the dot at its end, if it has one. */
export const undotted = (name: string): string => name.replace(/\.$/, '');

const values = (given: readonly string[], ...counts: readonly number[]): void => {
  if (!counts.includes(given.length))
    throw new BadRule(`it has ${given.length} values instead of ${counts.join(' or ')}; several need ||`);
};

function host([name = '']: readonly string[]): Test {
  if (name === '*') return { fits: () => true, has: hostIs };
  asciiOnly(name);
  const wanted = name.toLowerCase();
  const fits = (given: string, expected: string) =>
    expected.startsWith('*') ? `*${given.replace(/^[^.]*/, '')}` === expected : given === expected;
  return {
    // A dot at the end of either is ignored, but not of both at once.
    fits: ({ host: given }) =>
      given !== '' && (fits(given, wanted) || fits(given, undotted(wanted)) || fits(undotted(given), wanted)),
    has: hostIs,
  };
}

function path([wanted = '']: readonly string[], fits: (path: string) => boolean): Test {
  if (!wanted.startsWith('/')) throw new BadRule(`the path ${wanted.slice(0, 60)} does not begin with a slash`);
  return { fits: (request) => fits(request.path), has: pathIs };
}

function regexp(pattern: string, of: (request: Request) => readonly string[], has: Test['has']): Test {
  const matches = goRegexp(pattern);
  return { fits: (request, effort) => of(request).some((text) => matches(text, effort)), has };
}

const headerOf =
  (name: string) =>
  ({ headers }: Request): readonly string[] =>
    headers.get(name.toLowerCase()) ?? [];

const queryOf =
  (name: string) =>
  ({ query }: Request): readonly string[] =>
    query.get(name) ?? [];

const counted =
  (counts: readonly number[], build: Build): Build =>
  (given) => {
    values(given, ...counts);
    return build(given);
  };

const query: Build = ([name = '', wanted = '']) => ({
  fits: (request) => queryOf(name)(request).includes(wanted),
  has: valuesAre('query parameter', name),
});

/** The matchers of Traefik 3. Names are those of its documentation. */
export const matchers: Matchers = new Map<string, Build>([
  ['ClientIP', counted([1], clientIp)],
  [
    'Method',
    counted([1], ([wanted = '']) => ({ fits: ({ method }) => method === wanted.toUpperCase(), has: methodIs })),
  ],
  ['Host', counted([1], host)],
  [
    'HostRegexp',
    counted([1], ([pattern = '']) => {
      asciiOnly(pattern);
      // Without CNAME flattening, Traefik also tries the empty name.
      return regexp(pattern, (request) => [request.host, ''], hostIs);
    }),
  ],
  ['Path', counted([1], (given) => path(given, (found) => found === given[0]))],
  ['PathPrefix', counted([1], (given) => path(given, (found) => found.startsWith(given[0] ?? '')))],
  ['PathRegexp', counted([1], ([pattern = '']) => regexp(pattern, (request) => [request.path], pathIs))],
  [
    'Header',
    counted([2], ([name = '', wanted = '']) => ({
      fits: (request) => headerOf(name)(request).includes(wanted),
      has: valuesAre('header', name),
    })),
  ],
  [
    'HeaderRegexp',
    counted([2], ([name = '', pattern = '']) => regexp(pattern, headerOf(name), valuesAre('header', name))),
  ],
  ['Query', counted([1, 2], query)],
  [
    'QueryRegexp',
    counted([1, 2], (given) =>
      given.length === 1
        ? query(given)
        : regexp(given[1] ?? '', queryOf(given[0] ?? ''), valuesAre('query parameter', given[0] ?? '')),
    ),
  ],
]);
