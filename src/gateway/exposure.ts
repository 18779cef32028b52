import { denial } from '../kernel/call.ts';
import { AppError } from '../kernel/errors.ts';
import { globMatcher } from '../kernel/glob.ts';
import type { Principal } from '../kernel/principal.ts';
import type { CallContext, CallParams, Exposure, Json, Outcome, ToolSource } from '../kernel/source.ts';
import type { WireTool } from '../kernel/source.ts';
import { confirmProperty } from '../kernel/tool.ts';
import { isObject } from '../wire/jsonrpc.ts';
import type { View } from '../wire/service.ts';
import { nearestNames } from './names.ts';
import { buildIndex, type RankingIndex } from './ranking.ts';
import type { Registered, Registry } from './registry.ts';
import type { Toolset } from './settings.ts';
import { signature } from './signature.ts';

/** What one client sees: a list, and what each name in it does. */
export interface Projection {
  readonly tools: readonly WireTool[];
  /** The tool under a name, also one that is reached through a wrapper only. */
  find(name: string): Registered | undefined;
  wrapper(name: string): Wrapper | undefined;
  names(): Iterable<string>;
}

export type CallInner = (tool: Registered, params: CallParams, context: CallContext) => Promise<Outcome>;
export type Wrapper = (params: CallParams, context: CallContext, call: CallInner) => Promise<Outcome>;

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Projects the registry onto a view for one principal: flat, compact, or by search. */
export function project(
  registry: Registry,
  view: View,
  toolset: Toolset | undefined,
  principal: Principal,
  fallback: Exposure | undefined,
): Projection {
  const inSet = toolset && toolset.include.length > 0 ? globMatcher(toolset.include) : () => true;
  const outOfSet = globMatcher(toolset?.exclude ?? []);
  const visible = registry.all().filter((tool) => inSet(tool.name) && !outOfSet(tool.name) && !denial(principal, tool));
  const byName = new Map(visible.map((tool) => [tool.name, tool]));
  const tools: WireTool[] = [];
  const wrappers = new Map<string, Wrapper>();
  const searched: Registered[] = [];
  const add = (wire: WireTool, wrapper: Wrapper) => {
    tools.push(wire);
    wrappers.set(wire.name, wrapper);
  };

  for (const source of registry.sources()) {
    const own = visible.filter((tool) => tool.origin === source);
    if (own.length === 0) continue;
    const exposure =
      view.expose ?? toolset?.expose ?? (source.prefix === '' ? source.exposure : (fallback ?? source.exposure));
    if (exposure === 'flat') tools.push(...own.map((tool) => tool.wire));
    else if (exposure === 'compact') addCompact(source, own, add);
    else searched.push(...own);
  }
  if (searched.length > 0) addSearch(searched, add);

  return {
    tools,
    find: (name) => {
      const tool = byName.get(name) ?? registry.find(name);
      return tool && byName.get(tool.name) === tool ? tool : undefined;
    },
    wrapper: (name) => wrappers.get(name),
    names: () => [...tools.map(({ name }) => name), ...byName.keys()],
  };
}

function addCompact(
  source: ToolSource,
  own: readonly Registered[],
  add: (wire: WireTool, wrapper: Wrapper) => void,
): void {
  const short = new Map(own.map((tool) => [tool.entry.tool, tool]));
  const reach = new Map([...short, ...own.map((tool) => [tool.name, tool] as const)]);
  const about = source.description ?? `the tools of ${source.id}`;
  const index = lazyIndex(own);
  add(
    {
      name: `${source.id}_list`,
      title: `List ${source.id}`,
      description: `Lists ${about}, one line each: name, parameters, purpose. With "query", the best matches; with "tool", that tool's full schema.`,
      inputSchema: objectSchema({
        query: { type: 'string', description: 'Plain words to search by' },
        tool: { type: 'string', description: 'A tool whose schema to show' },
      }),
      annotations: { title: `List ${source.id}`, ...readOnly },
    },
    async ({ arguments: args = {} }) => {
      if (typeof args.tool === 'string') return text(describe(resolve(reach, args.tool, source.id), true));
      const chosen =
        typeof args.query === 'string'
          ? index()
              .search(args.query, 20)
              .flatMap(({ id }) => own.find((tool) => tool.name === id) ?? [])
          : own;
      return text({ tools: chosen.map((tool) => signature(tool.entry.tool, tool.wire)) });
    },
  );
  const run = (allowed: readonly Registered[], verb: string): Wrapper => {
    return async ({ arguments: args = {}, ...params }, context, call) => {
      const tool = resolve(reach, args.tool, source.id);
      if (!allowed.includes(tool))
        throw new AppError('forbidden', `${tool.entry.tool} changes things; call it through ${source.id}_call.`);
      return call(tool, inner(tool, args.params, params, verb), innerContext(context, args.confirm));
    };
  };
  const readers = own.filter((tool) => tool.entry.effect === 'read');
  const callSchema = {
    tool: { type: 'string', description: `A name from ${source.id}_list` },
    params: { type: 'object', description: "The tool's arguments" },
  };
  add(
    {
      name: `${source.id}_call`,
      title: `Call ${source.id}`,
      description: `Calls one of ${about}. ${source.id}_list shows the names and, with "tool", the schema of "params".`,
      inputSchema: objectSchema({ ...callSchema, confirm: confirmProperty }, ['tool']),
      annotations: {
        title: `Call ${source.id}`,
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      },
    },
    run(own, 'params'),
  );
  if (readers.length === 0 || readers.length === own.length) return;
  add(
    {
      name: `${source.id}_read`,
      title: `Read ${source.id}`,
      description: `Like ${source.id}_call, for the tools that only read.`,
      inputSchema: objectSchema(callSchema, ['tool']),
      annotations: { title: `Read ${source.id}`, ...readOnly },
    },
    run(readers, 'params'),
  );
}

const FOUND = 10;

function addSearch(searched: readonly Registered[], add: (wire: WireTool, wrapper: Wrapper) => void): void {
  const reach = new Map(searched.map((tool) => [tool.name, tool]));
  for (const tool of searched) reach.set(`${tool.source}:${tool.entry.tool}`, tool);
  const index = lazyIndex(searched);
  add(
    {
      name: 'find_tools',
      title: 'Find tools',
      description: `Finds the right ones among ${searched.length} tools by plain words; one line each. Then describe_tools for schemas and call_tool to call.`,
      inputSchema: objectSchema(
        {
          query: { type: 'string', description: 'What you want to do' },
          limit: { type: 'integer', minimum: 1, maximum: 50, description: `At most this many (${FOUND})` },
        },
        ['query'],
      ),
      annotations: { title: 'Find tools', ...readOnly },
    },
    async ({ arguments: args = {} }) => {
      if (typeof args.query !== 'string')
        throw new AppError('invalid_input', 'find_tools needs "query": say in plain words what you want to do.');
      const limit = typeof args.limit === 'number' ? Math.min(50, Math.max(1, Math.trunc(args.limit))) : FOUND;
      const found = index().search(args.query, limit);
      return text({
        tools: found.flatMap(({ id }) => reach.get(id) ?? []).map((tool) => signature(tool.name, tool.wire)),
      });
    },
  );
  add(
    {
      name: 'describe_tools',
      title: 'Describe tools',
      description: 'The full description and schema of tools that find_tools named.',
      inputSchema: objectSchema({ names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 } }, [
        'names',
      ]),
      annotations: { title: 'Describe tools', ...readOnly },
    },
    async ({ arguments: args = {} }) => {
      if (!Array.isArray(args.names))
        throw new AppError('invalid_input', 'describe_tools needs "names": a list of tool names.');
      return text({ tools: args.names.slice(0, 20).map((name) => describe(resolve(reach, name, undefined), false)) });
    },
  );
  add(
    {
      name: 'call_tool',
      title: 'Call a tool',
      description: 'Calls a tool that find_tools named, with arguments as describe_tools shows them.',
      inputSchema: objectSchema({ name: { type: 'string' }, arguments: { type: 'object' }, confirm: confirmProperty }, [
        'name',
      ]),
      annotations: {
        title: 'Call a tool',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      },
    },
    async ({ arguments: args = {}, ...params }, context, call) => {
      const tool = resolve(reach, args.name, undefined);
      return call(tool, inner(tool, args.arguments, params, 'arguments'), innerContext(context, args.confirm));
    },
  );
}

function lazyIndex(tools: readonly Registered[]): () => RankingIndex {
  let index: RankingIndex | undefined;
  return () =>
    (index ??= buildIndex(
      tools.map(({ name, wire }) => ({
        id: name,
        fields: [
          { text: name, weight: 4 },
          { text: wire.title ?? '', weight: 3 },
          { text: wire.description ?? '', weight: 1 },
          {
            text: Object.keys(isObject(wire.inputSchema.properties) ? wire.inputSchema.properties : {}).join(' '),
            weight: 0.5,
          },
        ],
      })),
    ));
}

function resolve(reach: ReadonlyMap<string, Registered>, name: unknown, source: string | undefined): Registered {
  const where = source === undefined ? 'find_tools' : `${source}_list`;
  if (typeof name !== 'string') throw new AppError('invalid_input', `Say which tool: a name that ${where} shows.`);
  const tool = reach.get(name);
  if (tool) return tool;
  const near = nearestNames(name, reach.keys());
  throw new AppError(
    'not_found',
    `There is no tool ${name}. ${near.length > 0 ? `Did you mean ${near.join(', ')}? ` : ''}${where} shows the names.`,
  );
}

function inner(tool: Registered, args: unknown, params: Omit<CallParams, 'arguments'>, key: string): CallParams {
  if (args !== undefined && !isObject(args))
    throw new AppError('invalid_input', `"${key}" must be an object with the arguments of ${tool.name}.`);
  return { ...params, name: tool.name, arguments: args ?? {} };
}

/**
 * The context of the inner call: with the token that was given to the wrapper, and without the headers, which mirror
 * the wrapper's arguments and know nothing of the inner ones.
 */
function innerContext(context: CallContext, confirm: unknown): CallContext {
  return {
    principal: context.principal,
    signal: context.signal,
    trace: context.trace,
    // A call that was parked comes back with another exchange.
    get client() {
      return context.client;
    },
    ...(typeof confirm === 'string' && { confirmToken: confirm }),
    notify: (method, params) => context.notify(method, params),
    ask: (method, params) => context.ask(method, params),
  };
}

function describe({ name, entry, wire }: Registered, short: boolean): Json {
  return {
    name: short ? entry.tool : name,
    ...(wire.title !== undefined && { title: wire.title }),
    description: wire.description ?? '',
    inputSchema: wire.inputSchema,
    ...(wire.outputSchema && { outputSchema: wire.outputSchema }),
    ...(wire.annotations && { annotations: wire.annotations }),
    ...(entry.guidance !== undefined && { guidance: entry.guidance }),
  };
}

function objectSchema(properties: Json, required: string[] = []): Json {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function text(data: Json): Outcome {
  return { result: { content: [{ type: 'text', text: JSON.stringify(data) }] } };
}
