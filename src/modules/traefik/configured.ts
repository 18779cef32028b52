import type { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Progress } from '../../kernel/progress.ts';
import { segment } from '../http.ts';
import { shortened } from '../shown.ts';
import {
  type Middleware,
  middlewareAnswer,
  type Router,
  routerAnswer,
  type Service,
  serviceAnswer,
} from './answers.ts';
import type { Traefik } from './connection.ts';
import type { Configured, Protocol } from './problems.ts';

interface Elements {
  readonly routers: Router;
  readonly services: Service;
  readonly middlewares: Middleware;
}
type Kind = keyof Elements;

const kinds: { readonly [K in Kind]: z.ZodType<Elements[K]> } = {
  routers: routerAnswer,
  services: serviceAnswer,
  middlewares: middlewareAnswer,
};

interface Asking {
  readonly signal: AbortSignal;
  readonly progress?: Progress | undefined;
}

interface Filters {
  readonly status?: string | undefined;
  readonly provider?: string | undefined;
  readonly search?: string | undefined;
}

/** UDP has no middlewares. */
const has = (protocol: Protocol, kind: Kind): boolean => protocol !== 'udp' || kind !== 'middlewares';

/** The elements of one kind that fit the filters, with their protocol. */
export async function elements<K extends Kind>(
  traefik: Traefik,
  kind: K,
  among: readonly Protocol[],
  { provider, ...query }: Filters,
  { signal, progress }: Asking,
): Promise<(Elements[K] & { protocol: Protocol })[]> {
  const lists = await Promise.all(
    among
      .filter((protocol) => has(protocol, kind))
      .map(async (protocol) => {
        const all = await traefik.all(kinds[kind], `/api/${protocol}/${kind}`, {
          query,
          signal,
          progress,
        });
        return all.map((one) => ({ ...one, protocol }));
      }),
  );
  const wanted = provider?.toLowerCase();
  return lists.flat().filter((one) => wanted === undefined || one.provider.toLowerCase() === wanted);
}

/** One element. A name without provider is enough if there is only one of it. */
export async function element<K extends Kind>(
  traefik: Traefik,
  kind: K,
  { name, protocol }: { name: string; protocol: Protocol },
  { signal, progress }: Asking,
): Promise<Elements[K]> {
  const ask = (full: string) =>
    traefik.ask(kinds[kind], `/api/${protocol}/${kind}/${segment(full)}`, { signal, progress });
  try {
    return await ask(name);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    const short = name.replace(/@.*$/, '');
    // Traefik searches in rules, too.
    const near = (await elements(traefik, kind, [protocol], { search: short }, { signal, progress })).filter((one) =>
      one.name.toLowerCase().includes(short.toLowerCase()),
    );
    const same = near.filter((one) => !name.includes('@') && one.name.startsWith(`${name}@`));
    if (same.length === 1 && same[0]) return await ask(same[0].name);
    const names = (same.length > 0 ? same : near).slice(0, 3).map((one) => shortened(one.name, 100));
    throw new AppError(
      'not_found',
      `There is no ${protocol} ${kind.replace(/s$/, '')} ${shortened(name, 200)}.${names.length > 0 ? ` Did you mean ${names.join(' or ')}?` : ''} traefik_list_${kind} shows the names.`,
      { cause: error },
    );
  }
}

/** Everything of a protocol. */
export async function configured(traefik: Traefik, protocol: Protocol, asking: Asking): Promise<Configured> {
  const [routers, services, middlewares] = await Promise.all([
    elements(traefik, 'routers', [protocol], {}, asking),
    elements(traefik, 'services', [protocol], {}, asking),
    elements(traefik, 'middlewares', [protocol], {}, asking),
  ]);
  return { protocol, routers, services, middlewares };
}
