import type { EntryPoint, Router } from './answers.ts';
import { priorityOf, shownPriority } from './priority.ts';
import type { Effort } from './regexp/go-regexp.ts';
import { judge, type Reason, type Syntax, type Verdict } from './rules/judge.ts';
import type { Request } from './rules/request.ts';

export interface Judged {
  readonly router: Router;
  readonly verdict: Verdict;
}

/** What happens to a request. */
export interface Choice {
  /** The router that gets it, after those that it is a child of. Empty if none does. */
  readonly chain: readonly Judged[];
  /** Routers that match, too, and why another one wins. */
  readonly losers: readonly { readonly router: Router; readonly why: string }[];
  /** Routers that do not match, nearest first, and why. */
  readonly misses: readonly { readonly router: Router; readonly why: string; readonly nearness: number }[];
  /** Routers that would win if they match, which cannot be judged. */
  readonly unknown: readonly Judged[];
  /** Whether another router has the same priority, so that Traefik's choice is not defined. */
  readonly isTie: boolean;
}

/** Steps of all regular expressions of a question together: a fraction of a second. */
const EFFORT = 5_000_000;

/**
 * Which router gets a request. `entryPoint` is undefined if it is not known; then all routers are compared, and the port
 * decides nothing. `isV2` says which syntax rules have by default.
 */
export function choose(
  request: Request,
  { routers, entryPoint, isV2 }: { routers: readonly Router[]; entryPoint: string | undefined; isV2: boolean },
): Choice {
  const effort: Effort = { left: EFFORT };
  const judged = routers.map((router): Judged => {
    const syntax: Syntax = router.ruleSyntax === 'v2' || (isV2 && router.ruleSyntax !== 'v3') ? 'v2' : 'v3';
    return { router, verdict: judge(router.rule, syntax, request, effort) };
  });
  const isChild = ({ router }: Judged) => router.parentRefs.length > 0;
  const barred = new Map(
    judged.map((one) => [one, isChild(one) ? undefined : barrier(one.router, request, entryPoint)]),
  );
  const roots = judged.filter((one) => !isChild(one) && barred.get(one) === undefined);
  const first = ranked(roots);
  const chain: Judged[] = [];
  const losers = first.losers;
  let { winner } = first;
  while (winner && !chain.includes(winner)) {
    chain.push(winner);
    const parent: Router = winner.router;
    const children = judged.filter(
      ({ router }) => router.parentRefs.includes(parent.name) && router.status !== 'disabled',
    );
    if (children.length === 0) break;
    const below = ranked(children);
    losers.push(...below.losers);
    ({ winner } = below);
    // A router with children forwards nothing itself.
    if (!winner) chain.length = 0;
  }
  const misses = judged.flatMap((one) => {
    const { router, verdict } = one;
    const why = barred.get(one);
    if (verdict.result === 'unknown') return [];
    if (verdict.result === 'matches') return why === undefined ? [] : [{ router, why, nearness: 1 }];
    const nearness = why === undefined ? verdict.nearness : verdict.nearness / 2;
    return [{ router, why: reasonsOf(verdict.reasons), nearness }];
  });
  return {
    chain,
    losers,
    misses: misses.sort((a, b) => b.nearness - a.nearness),
    unknown: first.unknown,
    isTie: first.isTie,
  };
}

/** Why a router does not even see the request. */
function barrier(router: Router, { isTls }: Request, entryPoint: string | undefined): string | undefined {
  if (router.status === 'disabled')
    return `it is disabled${router.error.length > 0 ? `: ${router.error.join('; ')}` : ''}`;
  const points = router.using.length > 0 ? router.using : router.entryPoints;
  if (entryPoint !== undefined && !points.includes(entryPoint))
    return `it listens on ${points.join(', ') || 'no entry point'}, not on ${entryPoint}`;
  if (isTls && !router.tls) return 'it has no tls, so it gets plain HTTP only';
  if (!isTls && router.tls) return 'it has tls, so it gets HTTPS only';
  return undefined;
}

function ranked(candidates: readonly Judged[]) {
  const higher = (a: Judged, b: Judged) => {
    const [one, other] = [priorityOf(a.router).value, priorityOf(b.router).value];
    if (one !== other) return one > other ? -1 : 1;
    return a.router.name < b.router.name ? -1 : 1;
  };
  const [winner, ...others] = candidates.filter(({ verdict }) => verdict.result === 'matches').sort(higher);
  const ties = others.filter(({ router }) => winner && priorityOf(router).value === priorityOf(winner.router).value);
  const losers = others.map((one) => ({
    router: one.router,
    why: ties.includes(one)
      ? 'it has the same priority: Traefik may choose either of them. Set a priority.'
      : `its priority ${shownPriority(one.router)} is lower than ${winner ? shownPriority(winner.router) : ''}`,
  }));
  const unknown = candidates
    .filter((one) => one.verdict.result === 'unknown' && (!winner || higher(one, winner) < 0))
    .sort(higher);
  return { winner, losers, unknown, isTie: ties.length > 0 };
}

export const reasonsOf = (reasons: readonly Reason[]): string =>
  reasons.map(({ matcher, why }) => (why === undefined ? matcher : `${matcher}: ${why}`)).join('; ');

/** The entry point that a URL leads to: the one that is named, or the only one that listens on the port of the URL. */
export function entryPointFor(
  request: Request,
  entryPoints: readonly EntryPoint[],
  named: string | undefined,
): EntryPoint | undefined {
  if (named !== undefined) return entryPoints.find(({ name }) => name === named);
  const [only, ...more] = entryPoints.filter((one) => portOf(one) === request.port && !one.address.endsWith('/udp'));
  return more.length === 0 ? only : undefined;
}

/** The port of an address such as `:443`, `[::]:443` or `:443/tcp`. */
export const portOf = ({ address }: EntryPoint): number | undefined => {
  const [, port] = /:(\d{1,5})(?:\/\w+)?$/.exec(address) ?? [];
  return port === undefined ? undefined : Number(port);
};
