import { type CallPath, failed } from '../kernel/call.ts';
import { toAppError } from '../kernel/errors.ts';
import { hasScope, type Principal } from '../kernel/principal.ts';
import type { CallParams, Exposure, Json } from '../kernel/source.ts';
import { code, errorOutcome, isObject, type Request } from '../wire/jsonrpc.ts';
import type { Answer, Connection, Exchange, Listener, Service, SubscriptionFilter, View } from '../wire/service.ts';
import { MODERN, meta } from '../wire/versions.ts';
import type { Backend } from './backend.ts';
import { mergeCapabilities, mergeInstructions } from './capabilities.ts';
import { type CacheHint, type ListKind, mergeHints } from './catalogue.ts';
import { type CallInner, type Projection, project } from './exposure.ts';
import { nearestNames } from './names.ts';
import type { createNotices } from './notices.ts';
import type { createParking } from './parking.ts';
import type { createPromptIndex } from './prompts.ts';
import type { Registered, Registry } from './registry.ts';
import type { Relay } from './relay.ts';
import type { createResourceIndex } from './resources.ts';
import { createRouter } from './router.ts';
import type { RouteRule, Toolset } from './settings.ts';
import { type createTaskIndex, makesTasks } from './tasks.ts';

export interface ServiceDeps {
  serverInfo: Json;
  registry: Registry;
  callPath: CallPath;
  relay: Relay;
  resources: ReturnType<typeof createResourceIndex>;
  prompts: ReturnType<typeof createPromptIndex>;
  notices: ReturnType<typeof createNotices>;
  parking: ReturnType<typeof createParking>;
  tasks: ReturnType<typeof createTaskIndex>;
  backends(): readonly Backend[];
  settings(): { toolsets: Record<string, Toolset>; expose?: Exposure; routes: readonly RouteRule[] };
}

type Handler = (request: Request, exchange: Exchange) => Promise<Answer> | Answer;

/** Our own lists change only with a notice. */
const ownHint: CacheHint = { ttlMs: 60_000, cacheScope: 'private' };

/** MCP as the gateway speaks it to clients, whatever wire and era they come by. */
export function createService(
  deps: ServiceDeps,
): Service & { projection(view: View, principal: Principal): Projection } {
  const { registry, notices, resources, prompts, tasks } = deps;
  const projections = new Map<string, Projection>();
  const listTexts = new Map<string, string>();
  registry.onChange(() => {
    projections.clear();
    listTexts.clear();
  });
  const route = createRouter(registry, () => deps.settings().routes);

  const permissions = (principal: Principal) =>
    principal.scopes === 'all' && !principal.tools && !principal.readOnly ? 'all' : principal.id;
  const keyOf = (view: View, principal: Principal) =>
    `${view.toolset ?? ''}|${view.expose ?? ''}|${permissions(principal)}`;

  function projection(view: View, principal: Principal): Projection {
    const key = keyOf(view, principal);
    const known = projections.get(key);
    if (known) return known;
    const { toolsets, expose } = deps.settings();
    const made = project(
      registry,
      view,
      view.toolset === undefined ? undefined : toolsets[view.toolset],
      principal,
      expose,
    );
    projections.set(key, made);
    return made;
  }

  /** The backends whose resources and prompts this client may see. */
  function visible({ view, principal }: Pick<Exchange, 'view' | 'principal'>): Backend[] {
    const allowed = deps.backends().filter(({ name }) => hasScope(principal, `${name}:read`));
    if (view.toolset === undefined) return allowed;
    const { find } = projection(view, principal);
    return allowed.filter(({ name }) =>
      registry.all().some((tool) => tool.source === name && find(tool.name) === tool),
    );
  }

  function listed(exchange: Exchange, field: string, items: readonly Json[], kind: ListKind): Answer {
    if (exchange.client.era === 'legacy') return { result: { [field]: items } };
    const hints = visible(exchange).flatMap(({ catalogue }) => (catalogue ? [catalogue.hints[kind]] : []));
    return { result: { resultType: 'complete', [field]: items, ...mergeHints([ownHint, ...hints]) } };
  }

  /** The whole list in one page: some clients never ask for a second. Its text is built once. */
  function listTools(exchange: Exchange): Answer {
    const key = `${keyOf(exchange.view, exchange.principal)}|${exchange.client.era}`;
    const answer = () =>
      listed(exchange, 'tools', projection(exchange.view, exchange.principal).tools, 'tools') as { result: Json };
    let json = listTexts.get(key);
    if (json === undefined) {
      json = JSON.stringify(answer().result);
      listTexts.set(key, json);
    }
    return { result: {}, json };
  }

  const callInner: CallInner = (tool, params, context) =>
    deps.callPath.call(route(tool, params.arguments), params, context);

  async function callTool(request: Request, exchange: Exchange): Promise<Answer> {
    const params = request.params as CallParams | undefined;
    if (typeof params?.name !== 'string')
      return errorOutcome(code.invalidParams, 'Invalid params: tools/call needs the name of a tool.');
    if (params.arguments !== undefined && !isObject(params.arguments))
      return errorOutcome(code.invalidParams, 'Invalid params: arguments must be an object.');
    const seen = projection(exchange.view, exchange.principal);
    const wrapper = seen.wrapper(params.name);
    const tool: Registered | undefined = wrapper ? undefined : seen.find(params.name);
    if (!wrapper && !tool) {
      const near = nearestNames(params.name, seen.names());
      const hint = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ' tools/list shows the names.';
      return errorOutcome(code.invalidParams, `Unknown tool: ${params.name}.${hint}`);
    }
    const answer = await deps.parking.run(exchange, request, async (context): Promise<Answer> => {
      if (tool) return callInner(tool, params, context);
      try {
        return await (wrapper as NonNullable<typeof wrapper>)(params, context, callInner);
      } catch (error) {
        return failed(toAppError(error));
      }
    });
    return exchange.client.era === 'modern' ? complete(answer) : answer;
  }

  async function readResource(request: Request, exchange: Exchange): Promise<Answer> {
    const uri = request.params?.uri;
    if (typeof uri !== 'string') return errorOutcome(code.invalidParams, 'Invalid params: resources/read needs a uri.');
    const allowed = visible(exchange);
    for (const { backend, uri: own } of resources
      .routes(uri)
      .filter((candidate) => allowed.includes(candidate.backend))) {
      const answer = await deps.parking.run(exchange, request, (context) =>
        deps.relay(
          backend,
          { method: 'resources/read', params: { ...request.params, uri: own }, name: own, idempotent: true },
          context,
        ),
      );
      if (!('error' in answer) || !notFound.has(answer.error.code)) return answer;
    }
    return errorOutcome(
      exchange.client.era === 'modern' ? code.invalidParams : code.resourceNotFoundLegacy,
      `Resource not found: ${uri}`,
      { uri },
    );
  }

  function getPrompt(request: Request, exchange: Exchange): Promise<Answer> | Answer {
    const prompt = typeof request.params?.name === 'string' ? prompts.find(request.params.name) : undefined;
    if (!prompt || !visible(exchange).includes(prompt.backend)) {
      const near = nearestNames(
        String(request.params?.name),
        prompts.all().map(({ name }) => name),
      );
      return errorOutcome(
        code.invalidParams,
        `Unknown prompt: ${String(request.params?.name)}.${near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ''}`,
      );
    }
    const { backend, original } = prompt;
    return deps.parking.run(exchange, request, (context) =>
      deps.relay(
        backend,
        { method: 'prompts/get', params: { ...request.params, name: original }, name: original, idempotent: true },
        context,
      ),
    );
  }

  function completeArgument(request: Request, exchange: Exchange): Promise<Answer> | Answer {
    const ref = request.params?.ref;
    const none = errorOutcome(
      code.invalidParams,
      'Invalid params: ref names no prompt or resource template of this server.',
    );
    if (!isObject(ref)) return none;
    const prompt = ref.type === 'ref/prompt' && typeof ref.name === 'string' ? prompts.find(ref.name) : undefined;
    const template =
      ref.type === 'ref/resource' && typeof ref.uri === 'string' ? resources.template(ref.uri) : undefined;
    const backend = prompt?.backend ?? template?.backend;
    if (!backend || !visible(exchange).includes(backend)) return none;
    const own = prompt ? { ...ref, name: prompt.original } : { ...ref, uri: template?.uri };
    return deps.relay(
      backend,
      { method: 'completion/complete', params: { ...request.params, ref: own }, name: '', idempotent: true },
      exchange,
    );
  }

  async function relayTask(request: Request, exchange: Exchange): Promise<Answer> {
    if (exchange.client.era === 'modern' && !declaresTasks(exchange.client.capabilities)) {
      return errorOutcome(
        code.missingCapability,
        `${request.method} is for clients that declare the tasks extension.`,
        { requiredCapabilities: { extensions: { [TASKS]: {} } } },
      );
    }
    const taskId = request.params?.taskId;
    if (typeof taskId !== 'string')
      return errorOutcome(code.invalidParams, `Invalid params: ${request.method} needs a taskId.`);
    let last: Answer = errorOutcome(code.invalidParams, `Unknown task: ${taskId}`);
    for (const backend of tasks.routes(taskId, visible(exchange))) {
      last = await deps.relay(
        backend,
        { method: request.method, params: request.params as Json, name: taskId, idempotent: false },
        exchange,
      );
      if (!('error' in last)) {
        tasks.made(backend, taskId);
        return last;
      }
    }
    return last;
  }

  async function listTasks(request: Request, exchange: Exchange): Promise<Answer> {
    const found: unknown[] = [];
    for (const backend of visible(exchange).filter(makesTasks)) {
      const answer = await deps.relay(
        backend,
        { method: 'tasks/list', params: { ...request.params }, name: '', idempotent: true },
        exchange,
      );
      if ('result' in answer && Array.isArray(answer.result.tasks)) found.push(...answer.result.tasks);
    }
    return { result: { tasks: found } };
  }

  async function subscribe(request: Request, exchange: Exchange): Promise<Answer> {
    const uri = request.params?.uri;
    if (typeof uri !== 'string' || !exchange.connection)
      return errorOutcome(code.invalidParams, 'Invalid params: a uri is needed.');
    const target = resources.routes(uri).find(({ backend }) => visible(exchange).includes(backend));
    if (!target) return errorOutcome(code.resourceNotFoundLegacy, `Resource not found: ${uri}`, { uri });
    if (request.method === 'resources/subscribe') {
      if (notices.watch(exchange.connection, uri)) await target.backend.subscriptions.add(target.uri);
    } else if (notices.unwatch(exchange.connection, uri)) await target.backend.subscriptions.remove(target.uri);
    return { result: {} };
  }

  async function setLevel(request: Request, exchange: Exchange): Promise<Answer> {
    const level = request.params?.level;
    if (typeof level !== 'string' || !levels.includes(level))
      return errorOutcome(code.invalidParams, `Invalid params: level must be one of ${levels.join(', ')}.`);
    if (exchange.connection) exchange.connection.client = { ...exchange.connection.client, logLevel: level };
    await Promise.all(visible(exchange).map((backend) => backend.raiseLogLevel(level)));
    return { result: {} };
  }

  function discover(exchange: Exchange): Answer {
    const backends = visible(exchange);
    return {
      result: {
        resultType: 'complete',
        supportedVersions: [MODERN],
        capabilities: mergeCapabilities(backends, 'modern'),
        instructions: mergeInstructions(backends),
        ttlMs: 0,
        cacheScope: 'private',
        _meta: { [meta.serverInfo]: deps.serverInfo },
      },
    };
  }

  function initialize(exchange: Exchange): Answer {
    const backends = visible(exchange);
    return {
      result: {
        protocolVersion: exchange.client.version,
        capabilities: mergeCapabilities(backends, 'legacy'),
        serverInfo: deps.serverInfo,
        instructions: mergeInstructions(backends),
      },
    };
  }

  const ofVisible = (items: readonly { owner: Backend; item: Json }[], exchange: Exchange): Json[] => {
    const allowed = visible(exchange);
    return items.filter(({ owner }) => allowed.includes(owner)).map(({ item }) => item);
  };

  const both: Record<string, Handler> = {
    'tools/list': (request, exchange) => noCursor(request) ?? listTools(exchange),
    'tools/call': callTool,
    'resources/list': (request, exchange) =>
      noCursor(request) ?? listed(exchange, 'resources', ofVisible(resources.resources(), exchange), 'resources'),
    'resources/templates/list': (request, exchange) =>
      noCursor(request) ??
      listed(exchange, 'resourceTemplates', ofVisible(resources.templates(), exchange), 'templates'),
    'resources/read': readResource,
    'prompts/list': (request, exchange) => {
      const allowed = visible(exchange);
      return (
        noCursor(request) ??
        listed(
          exchange,
          'prompts',
          prompts
            .all()
            .filter(({ backend }) => allowed.includes(backend))
            .map(({ wire }) => wire),
          'prompts',
        )
      );
    },
    'prompts/get': getPrompt,
    'completion/complete': completeArgument,
    'tasks/get': relayTask,
    'tasks/cancel': relayTask,
  };
  const handlers: Record<'legacy' | 'modern', Record<string, Handler>> = {
    legacy: {
      ...both,
      initialize: (_, exchange) => initialize(exchange),
      ping: () => ({ result: {} }),
      'logging/setLevel': setLevel,
      'resources/subscribe': subscribe,
      'resources/unsubscribe': subscribe,
      'tasks/result': relayTask,
      'tasks/list': listTasks,
    },
    modern: { ...both, 'server/discover': (_, exchange) => discover(exchange), 'tasks/update': relayTask },
  };

  return {
    serverInfo: deps.serverInfo,
    projection,
    async request(request, exchange) {
      const { era } = exchange.client;
      const handler = Object.hasOwn(handlers[era], request.method) ? handlers[era][request.method] : undefined;
      const missing = era === 'modern' ? neededCapability(request.method) : undefined;
      if (!handler || (missing !== undefined && mergeCapabilities(visible(exchange), era)[missing] === undefined)) {
        return errorOutcome(code.methodNotFound, `Method not found: ${request.method}`);
      }
      try {
        return await handler(request, exchange);
      } catch (thrown) {
        const error = toAppError(thrown);
        return errorOutcome(
          error.rpc,
          error.message,
          error.retryable ? { retryable: true, ...error.data } : error.data,
        );
      }
    },
    notification(notification, connection) {
      if (notification.method !== 'notifications/roots/list_changed') return;
      for (const backend of deps.backends()) {
        const lane = backend.sessionLane(connection.id);
        if (lane?.state.state === 'running') lane.state.upstream.notify(notification.method);
      }
    },
    opened: (connection: Connection) => void notices.connections.add(connection),
    closed(connection: Connection) {
      for (const uri of notices.forget(connection)) {
        const target = resources.routes(uri)[0];
        void target?.backend.subscriptions.remove(target.uri);
      }
      for (const backend of deps.backends()) backend.sessionClosed(connection.id);
    },
    honour(listener: Listener): SubscriptionFilter {
      const can = mergeCapabilities(visible(listener), 'modern') as Record<string, Json | undefined>;
      const { filter } = listener;
      return {
        ...(filter.toolsListChanged && { toolsListChanged: true }),
        ...(filter.promptsListChanged && can.prompts && { promptsListChanged: true }),
        ...(filter.resourcesListChanged && can.resources && { resourcesListChanged: true }),
        ...(Array.isArray(filter.resourceSubscriptions) &&
          can.resources?.subscribe === true && {
            resourceSubscriptions: filter.resourceSubscriptions.filter((uri) => typeof uri === 'string'),
          }),
      };
    },
    listen(listener) {
      notices.listeners.add(listener);
      const targets = (listener.filter.resourceSubscriptions ?? []).flatMap((uri) => resources.routes(uri).slice(0, 1));
      for (const { backend, uri } of targets) backend.subscriptions.add(uri).catch(() => {});
      return () => {
        notices.listeners.delete(listener);
        for (const { backend, uri } of targets) void backend.subscriptions.remove(uri);
      };
    },
    viewProblem(view) {
      if (view.expose?.startsWith('unknown:'))
        return `Unknown exposure ${view.expose.slice('unknown:'.length)}: use flat, compact or search.`;
      const { toolsets } = deps.settings();
      if (view.toolset === undefined || Object.hasOwn(toolsets, view.toolset)) return undefined;
      const known = Object.keys(toolsets);
      return `There is no toolset ${view.toolset}. ${known.length > 0 ? `Known: ${known.join(', ')}.` : 'None is configured.'}`;
    },
  };
}

const TASKS = 'io.modelcontextprotocol/tasks';
const declaresTasks = ({ extensions }: Json): boolean => isObject(extensions) && isObject(extensions[TASKS]);

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const notFound: ReadonlySet<number> = new Set([code.resourceNotFoundLegacy, code.invalidParams, code.methodNotFound]);

/** The capability without which a 2026 server does not know a method. */
function neededCapability(method: string): string | undefined {
  if (method.startsWith('resources/')) return 'resources';
  if (method.startsWith('prompts/')) return 'prompts';
  return method.startsWith('completion/') ? 'completions' : undefined;
}

function noCursor(request: Request): Answer | undefined {
  return request.params?.cursor === undefined
    ? undefined
    : errorOutcome(code.invalidParams, 'Invalid params: the list has one page, and this cursor is not of it.');
}

/** A 2026 result says that it is complete; one of our own tools does not know about eras. */
function complete(answer: Answer): Answer {
  if ('error' in answer || answer.result.resultType !== undefined || answer.json !== undefined) return answer;
  const { result } = answer;
  return { result: { resultType: 'complete', ...result } };
}
