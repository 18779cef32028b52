import { goRegexp } from '../regexp/go-regexp.ts';
import { BadRule } from './bad-rule.ts';
import {
  asciiOnly,
  type Build,
  clientIp,
  hostIs,
  type Matchers,
  methodIs,
  pathIs,
  type Test,
  undotted,
  valuesAre,
} from './matchers.ts';
import type { Request } from './request.ts';
import { templatePattern } from './template.ts';

/** Matches if one of the templates does. */
function templates(
  given: readonly string[],
  kind: 'host' | 'path' | 'prefix',
  of: (request: Request) => string,
  has: Test['has'],
): Test {
  const all = given.map((template) => goRegexp(templatePattern(template, kind)));
  return { fits: (request, effort) => all.some((matches) => matches(of(request), effort)), has };
}

const path =
  (kind: 'path' | 'prefix'): Build =>
  (given) => {
    for (const one of given)
      if (!one.startsWith('/')) throw new BadRule(`the path ${one.slice(0, 60)} does not begin with a slash`);
    return templates(given, kind, (request) => request.path, pathIs);
  };

const host: Build = (given) => {
  given.forEach(asciiOnly);
  const names = given.map((name) => name.toLowerCase());
  return {
    fits: ({ host: found }) =>
      found !== '' && names.some((name) => found === name || found === undotted(name) || undotted(found) === name),
    has: hostIs,
  };
};

/** Pairs of names and values, all of which have to match. */
function pairs(given: readonly string[]): [string, string][] {
  if (given.length % 2 !== 0) throw new BadRule('a name has no value: names and values come in pairs');
  return Array.from({ length: given.length / 2 }, (_, n) => [given[2 * n] as string, given[2 * n + 1] as string]);
}

function headers(
  given: readonly string[],
  fitting: (wanted: string) => (value: string, effort: { left: number }) => boolean,
): Test {
  const all = pairs(given).map(([name, wanted]) => ({ name, fits: fitting(wanted) }));
  const misses = (request: Request, effort: { left: number }) =>
    all.find(({ name, fits }) => !(request.headers.get(name.toLowerCase()) ?? []).some((value) => fits(value, effort)));
  return {
    fits: (request, effort) => misses(request, effort) === undefined,
    has: (request) =>
      valuesAre(
        'header',
        all.find(({ name }) => !request.headers.has(name.toLowerCase()))?.name ?? (given[0] as string),
      )(request),
  };
}

/** `Query(`page=1`, `sort={by:[a-z]+}`)`: the first value of each parameter has to match. */
const query: Build = (given) => {
  const all = pairs(given.flatMap((one) => one.split(/=([\s\S]*)/, 2))).map(([name, wanted]) => ({
    name,
    matches: goRegexp(templatePattern(`${name}=${wanted}`, 'query')),
  }));
  return {
    fits: (request, effort) =>
      all.every(({ name, matches }) => {
        const value = request.query.get(name)?.[0];
        return matches(value === undefined ? '' : `${name}=${value}`, effort);
      }),
    has: (request) =>
      valuesAre(
        'query parameter',
        all.find(({ name }) => !request.query.has(name))?.name ?? all[0]?.name ?? '',
      )(request),
  };
};

/** The matchers of Traefik 2, and of routers with `ruleSyntax: v2`. */
export const matchersV2: Matchers = new Map<string, Build>([
  ['Host', host],
  ['HostHeader', host],
  [
    'HostRegexp',
    (given) => {
      given.forEach(asciiOnly);
      return templates(given, 'host', (request) => request.host, hostIs);
    },
  ],
  ['ClientIP', clientIp],
  ['Path', path('path')],
  ['PathPrefix', path('prefix')],
  [
    'Method',
    (given) => {
      const methods = new Set(given.map((one) => one.toUpperCase()));
      return { fits: ({ method }) => methods.has(method), has: methodIs };
    },
  ],
  ['Headers', (given) => headers(given, (wanted) => (value) => value === wanted)],
  ['HeadersRegexp', (given) => headers(given, goRegexp)],
  ['Query', query],
]);
