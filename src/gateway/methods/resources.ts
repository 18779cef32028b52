import { AppError, toAppError } from '../../kernel/errors.ts';
import type { CallPath } from '../../kernel/call.ts';
import type { Json, OwnResources } from '../../kernel/source.ts';
import { code, errorOutcome, type Request } from '../../wire/jsonrpc.ts';
import type { Answer, Exchange } from '../../wire/service.ts';
import type { Backend } from '../backends/backend.ts';
import { answerFor, ours } from '../era.ts';
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

/** Our own resources that a client wants to watch one of, if it may. */
export async function ownWatchable(
  uri: string,
  who: Viewer,
  deps: { resources: ResourceIndex; visibility: Visibility },
): Promise<OwnResources | undefined> {
  const own = deps.resources.own(uri);
  if (!own || !deps.visibility.offers(who).resources.includes(own)) return undefined;
  return (await own.mayWatch(uri, who.principal)) ? own : undefined;
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
  callPath: CallPath;
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

  /** Our own first. If one of our sources cannot list its resources, those of the others are still listed. */
  async function list(exchange: Exchange): Promise<Json[]> {
    const own = await Promise.allSettled(
      visibility.offers(exchange).resources.map(async (one) => one.list(exchange.principal)),
    );
    const failures = own.flatMap((each) =>
      each.status === 'rejected' ? [deps.callPath.told(each.reason, exchange.trace)] : [],
    );
    const all = [
      ...own.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])),
      ...ofVisible(resources.resources(), exchange),
    ];
    if (failures[0] && all.length === 0) throw failures[0];
    return all;
  }

  const templates = (exchange: Exchange): Json[] => [
    ...visibility.offers(exchange).resources.flatMap((own) => own.templates),
    ...ofVisible(resources.templates(), exchange),
  ];

  const missing = (uri: string, { client }: Exchange, why = `Resource not found: ${uri}`): Answer =>
    errorOutcome(client.era === 'modern' ? code.invalidParams : code.resourceNotFoundLegacy, why, { uri });

  async function readOwn(own: OwnResources, uri: string, request: Request, exchange: Exchange): Promise<Answer> {
    if (!visibility.offers(exchange).resources.includes(own)) return missing(uri, exchange);
    try {
      return await deps.parking.run(exchange, request, async (context) =>
        answerFor(context.client, ours, 'resources/read', { result: { ...(await own.read(uri, context)) } }),
      );
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code !== 'not_found') throw error;
      return missing(uri, exchange, error.message);
    }
  }

  async function read(request: Request, exchange: Exchange): Promise<Answer> {
    const uri = request.params?.uri;
    if (typeof uri !== 'string') return errorOutcome(code.invalidParams, 'Invalid params: resources/read needs a uri.');
    const own = resources.own(uri);
    if (own) return readOwn(own, uri, request, exchange);
    const allowed = visibility.backends(exchange);
    const routes = resources.routes(uri).filter((candidate) => allowed.includes(candidate.backend));
    let unreachable: unknown;
    for (const { backend, uri: its } of routes) {
      const asked = { method: 'resources/read', params: { ...request.params, uri: its }, name: its, idempotent: true };
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
    return missing(uri, exchange);
  }

  async function subscribe(request: Request, exchange: Exchange): Promise<Answer> {
    const uri = request.params?.uri;
    const { connection } = exchange;
    if (typeof uri !== 'string' || !connection)
      return errorOutcome(code.invalidParams, 'Invalid params: a uri is needed.');
    const isShort = uri.length <= LONGEST_WATCHED;
    const own = isShort ? await ownWatchable(uri, exchange, deps) : undefined;
    const target = isShort ? watchable(uri, exchange, deps) : undefined;
    if (!own && !target) return missing(uri, exchange);
    // The client may have left while its right was looked up.
    if ((exchange.stop ?? exchange.signal).aborted) throw new AppError('cancelled', 'The client disconnected.');
    if (notices.room(connection.principal.id) <= 0)
      throw new AppError('rate_limited', 'You are watching too many resources. Unsubscribe from some of them.');
    if (!target) {
      notices.watch(connection, uri, async () => {});
      return { result: {} };
    }
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
        list(exchange).then((all) => listed('resources', 'resources', all, exchange, visibility)),
      'resources/templates/list': (request, exchange) =>
        refuseCursor(request) ?? listed('resourceTemplates', 'templates', templates(exchange), exchange, visibility),
      'resources/read': read,
    },
    legacy: { 'resources/subscribe': subscribe, 'resources/unsubscribe': unsubscribe },
  };
}
