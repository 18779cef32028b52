import type { CallPath } from '../kernel/call.ts';
import type { Era, Json } from '../kernel/source.ts';
import { code, errorOutcome } from '../wire/jsonrpc.ts';
import type { Connection, Listener, Service, SubscriptionFilter } from '../wire/service.ts';
import type { Backend } from './backends/backend.ts';
import { withoutOurs } from './border.ts';
import { helloMethods } from './methods/hello.ts';
import type { Method } from './methods/method.ts';
import { promptMethods } from './methods/prompts.ts';
import { LONGEST_WATCHED, ownWatchable, resourceMethods, unwatched, watchable } from './methods/resources.ts';
import { taskMethods } from './methods/tasks.ts';
import { toolMethods } from './methods/tools.ts';
import type { Notices } from './notices.ts';
import type { Parking } from './parking.ts';
import type { PromptIndex } from './prompts.ts';
import type { Registry } from './registry.ts';
import type { Relay } from './relay.ts';
import type { ResourceIndex } from './resources.ts';
import type { RouteRule, Toolset } from './settings.ts';
import type { TaskIndex } from './tasks.ts';
import type { Visibility } from './visibility.ts';

export interface ServiceDeps {
  serverInfo: Json;
  registry: Registry;
  callPath: CallPath;
  relay: Relay;
  resources: ResourceIndex;
  prompts: PromptIndex;
  notices: Notices;
  parking: Parking;
  tasks: TaskIndex;
  visibility: Visibility;
  backends(): readonly Backend[];
  /** A client is interested in what the backends offer now: read lists that have expired. */
  attend(): void;
  toolsets(): Record<string, Toolset>;
  routes(): readonly RouteRule[];
}

/** Resources that one subscription may name. */
const MOST_SUBSCRIPTIONS = 1000;

/** MCP as the gateway speaks it to clients, on every transport and in both eras. */
export function createService(deps: ServiceDeps): Service {
  const { notices, visibility } = deps;
  const families = [
    helloMethods(deps),
    toolMethods(deps),
    resourceMethods(deps),
    promptMethods(deps),
    taskMethods(deps),
  ];
  const methods: Record<Era, ReadonlyMap<string, Method>> = {
    legacy: new Map(families.flatMap(({ both, legacy }) => Object.entries({ ...both, ...legacy }))),
    modern: new Map(families.flatMap(({ both, modern }) => Object.entries({ ...both, ...modern }))),
  };

  /** The resources of our own that a subscription names and its client may watch. */
  async function watchableOurs(listener: Listener): Promise<ReadonlySet<string>> {
    const uris = namedIn(listener.filter).filter((uri) => deps.resources.own(uri));
    const may = await Promise.all(
      uris.map(async (uri) => (await ownWatchable(uri, listener, deps).catch(() => undefined)) !== undefined),
    );
    return new Set(uris.filter((_, at) => may[at]));
  }

  function honour(listener: Listener, ours: ReadonlySet<string>): SubscriptionFilter {
    const can = visibility.capabilities(listener, 'modern') as Record<string, Json | undefined>;
    const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions } = listener.filter;
    const seen = (uri: string) => ours.has(uri) || watchable(uri, listener, deps) !== undefined;
    return {
      ...(toolsListChanged && { toolsListChanged }),
      ...(promptsListChanged && can.prompts && { promptsListChanged }),
      ...(resourcesListChanged && can.resources && { resourcesListChanged }),
      ...(Array.isArray(resourceSubscriptions) &&
        can.resources?.subscribe === true && {
          resourceSubscriptions: namedIn(listener.filter).slice(0, notices.room(listener.principal.id)).filter(seen),
        }),
    };
  }

  return {
    serverInfo: deps.serverInfo,
    async request(asked, exchange) {
      const params = asked.params && withoutOurs(asked.params);
      const request = params === undefined || params === asked.params ? asked : { ...asked, params };
      const { era } = exchange.client;
      const method = methods[era].get(request.method);
      const needed = era === 'modern' ? neededCapability(request.method) : undefined;
      const missing = needed !== undefined && visibility.capabilities(exchange, era)[needed] === undefined;
      if (!method || missing) {
        return { ...errorOutcome(code.methodNotFound, `Method not found: ${request.method}`), unknownMethod: true };
      }
      if (request.method.endsWith('/list')) deps.attend();
      try {
        return await method(request, exchange);
      } catch (thrown) {
        const error = deps.callPath.told(thrown, exchange.trace);
        const data = error.retryable ? { retryable: true, ...error.data } : error.data;
        return { ...errorOutcome(error.rpc, error.message, data), failed: error };
      }
    },
    notification(notification, connection) {
      if (notification.method !== 'notifications/roots/list_changed') return;
      for (const backend of deps.backends()) {
        const lane = backend.lanes.ofSession(connection.id);
        if (lane?.state.state === 'running') lane.state.upstream.notify(notification.method);
      }
    },
    opened(connection: Connection) {
      notices.connections.add(connection);
      deps.attend();
    },
    closed(connection: Connection) {
      for (const release of notices.forget(connection)) void release();
      for (const backend of deps.backends()) backend.lanes.sessionClosed(connection.id);
    },
    async listen(asked) {
      const ours = await watchableOurs(asked);
      // From here on nothing waits: the room that is left must not be given to two at once.
      const honoured = honour(asked, ours);
      const listener = { ...asked, filter: honoured };
      listener.deliver('notifications/subscriptions/acknowledged', { notifications: honoured });
      notices.listen(listener);
      deps.attend();
      const uris = honoured.resourceSubscriptions ?? [];
      const releases = uris.flatMap((uri) => {
        const target = watchable(uri, listener, deps);
        if (!target) return [];
        // A server that is down now is asked when it is back.
        target.backend.subscriptions.add(target.uri).catch(() => {});
        return [() => unwatched(target, deps)];
      });
      const stop = () => {
        notices.unlisten(listener);
        for (const release of releases) void release();
      };
      return { honoured, stop };
    },
    viewProblem({ toolset }) {
      const toolsets = deps.toolsets();
      if (toolset === undefined || Object.hasOwn(toolsets, toolset)) return undefined;
      const known = Object.keys(toolsets);
      return `No toolset ${toolset}. ${known.length > 0 ? `Known: ${known.join(', ')}.` : 'None is configured.'}`;
    },
  };
}

/** The resources that a subscription names, as many as one may. */
function namedIn({ resourceSubscriptions }: SubscriptionFilter): string[] {
  if (!Array.isArray(resourceSubscriptions)) return [];
  const named = [...new Set<unknown>(resourceSubscriptions)].slice(0, MOST_SUBSCRIPTIONS);
  return named.filter((uri): uri is string => typeof uri === 'string' && uri.length <= LONGEST_WATCHED);
}

/** The capability that a 2026 server must declare to answer a method. */
function neededCapability(method: string): string | undefined {
  if (method.startsWith('resources/')) return 'resources';
  if (method.startsWith('prompts/')) return 'prompts';
  return method.startsWith('completion/') ? 'completions' : undefined;
}
