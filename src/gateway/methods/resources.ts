import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import { code, errorOutcome, type Request } from '../../wire/jsonrpc.ts';
import type { Answer, Exchange } from '../../wire/service.ts';
import type { Backend } from '../backends/backend.ts';
import type { Notices } from '../notices.ts';
import type { Parking } from '../parking.ts';
import type { Relay } from '../relay.ts';
import type { ResourceIndex, RoutedUri } from '../resources.ts';
import type { Viewer, Visibility } from '../visibility.ts';
import { listed, type Methods, refuseCursor } from './method.ts';

const notFound: ReadonlySet<number> = new Set([code.resourceNotFoundLegacy, code.invalidParams, code.methodNotFound]);

export const LONGEST_WATCHED = 8192;

/** The backend of a resource that a client wants to watch, if the client may see it. */
export function watchable(
  uri: string,
  who: Viewer,
  deps: { resources: ResourceIndex; visibility: Visibility },
): RoutedUri | undefined {
  const allowed = deps.visibility.backends(who);
  return deps.resources.routes(uri).find(({ backend }) => allowed.includes(backend));
}

/** Stops watching. If the settings of the server changed since, another backend has taken its place. */
export async function unwatched(
  { backend, uri }: RoutedUri,
  { backends }: { backends(): readonly Backend[] },
): Promise<void> {
  await backends()
    .find(({ name }) => name === backend.name)
    ?.subscriptions.remove(uri);
}

export function resourceMethods(deps: {
  relay: Relay;
  resources: ResourceIndex;
  notices: Notices;
  parking: Parking;
  visibility: Visibility;
  backends(): readonly Backend[];
}): Methods {
  const { resources, notices, visibility } = deps;

  const ofVisible = (items: readonly { owner: Backend; item: Json }[], exchange: Exchange): Json[] => {
    const allowed = visibility.backends(exchange);
    return items.filter(({ owner }) => allowed.includes(owner)).map(({ item }) => item);
  };

  async function read(request: Request, exchange: Exchange): Promise<Answer> {
    const uri = request.params?.uri;
    if (typeof uri !== 'string') return errorOutcome(code.invalidParams, 'Invalid params: resources/read needs a uri.');
    const allowed = visibility.backends(exchange);
    const routes = resources.routes(uri).filter((candidate) => allowed.includes(candidate.backend));
    let unreachable: unknown;
    for (const { backend, uri: own } of routes) {
      const asked = { method: 'resources/read', params: { ...request.params, uri: own }, name: own, idempotent: true };
      try {
        const answer = await deps.parking.run(exchange, request, (context) => deps.relay(backend, asked, context));
        // If only one backend could have it, its own error says best what is wrong.
        if (routes.length === 1 || !('error' in answer) || !notFound.has(answer.error.code)) return answer;
      } catch (error) {
        unreachable ??= error;
      }
    }
    // A backend that did not answer may have it.
    if (unreachable !== undefined) throw unreachable;
    const missing = exchange.client.era === 'modern' ? code.invalidParams : code.resourceNotFoundLegacy;
    return errorOutcome(missing, `Resource not found: ${uri}`, { uri });
  }

  async function subscribe(request: Request, exchange: Exchange): Promise<Answer> {
    const uri = request.params?.uri;
    const { connection } = exchange;
    if (typeof uri !== 'string' || !connection)
      return errorOutcome(code.invalidParams, 'Invalid params: a uri is needed.');
    const target = uri.length <= LONGEST_WATCHED ? watchable(uri, exchange, deps) : undefined;
    if (!target) return errorOutcome(code.resourceNotFoundLegacy, `Resource not found: ${uri}`, { uri });
    if (notices.room(connection.principal.id) <= 0)
      throw new AppError('rate_limited', 'You are watching too many resources. Unsubscribe from some of them.');
    if (!notices.watch(connection, uri, () => unwatched(target, deps))) return { result: {} };
    try {
      await target.backend.subscriptions.add(target.uri);
    } catch (error) {
      await notices.unwatch(connection, uri)?.();
      throw error;
    }
    return { result: {} };
  }

  async function unsubscribe({ params }: Request, { connection }: Exchange): Promise<Answer> {
    if (typeof params?.uri !== 'string' || !connection)
      return errorOutcome(code.invalidParams, 'Invalid params: a uri is needed.');
    await notices.unwatch(connection, params.uri)?.();
    return { result: {} };
  }

  return {
    both: {
      'resources/list': (request, exchange) =>
        refuseCursor(request) ??
        listed('resources', 'resources', ofVisible(resources.resources(), exchange), exchange, visibility),
      'resources/templates/list': (request, exchange) =>
        refuseCursor(request) ??
        listed('resourceTemplates', 'templates', ofVisible(resources.templates(), exchange), exchange, visibility),
      'resources/read': read,
    },
    legacy: { 'resources/subscribe': subscribe, 'resources/unsubscribe': unsubscribe },
  };
}
