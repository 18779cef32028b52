import { z } from 'zod';
import { Cancellation } from '../../kernel/cancellation.ts';
import { AppError, toAppError } from '../../kernel/errors.ts';
import { refuseUnknown } from '../../gateway/exposure/wrapped-call.ts';
import type { Route, RouteRequest } from '../../kernel/route.ts';
import type { CallParams, Json } from '../../kernel/source.ts';
import { type Trace, traceFrom } from '../../kernel/trace.ts';
import { RequestExchange } from '../../wire/exchange.ts';
import { code, errorOutcome, idIn, isObject } from '../../wire/jsonrpc.ts';
import { LATEST_LEGACY } from '../../wire/versions.ts';
import type { RestDeps } from './deps.ts';
import { exchangeOf, type RestExchange } from './exchange.ts';
import { type Invocation, invocationReply, invocationResult } from './invocation.ts';
import { readObject } from './json-body.ts';
import { answer, rpcResult, schemaOf } from './operation.ts';
import { unknownTool, view } from './visible-tools.ts';

const args = z.record(z.string(), z.unknown()).describe("Arguments that match the tool's parameters");
const confirm = z.string().describe('Token of a 409 answer, to confirm the same call');

const plainCall = z.object({ name: z.string(), arguments: args.optional(), confirm: confirm.optional() });
const rpcCall = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.literal('tools/call'),
  params: plainCall.extend({ _meta: z.record(z.string(), z.unknown()).optional() }),
});

/** The requested call. */
interface Wanted {
  readonly params: CallParams;
  readonly confirm?: string;
}

const result = rpcResult(invocationResult);

/** The tool's own report of its failure, or an error if the call did not reach it. */
function failing(description: string): Json {
  const schema = { anyOf: [schemaOf(result), { $ref: '#/components/schemas/Error' }] };
  return { description, content: { 'application/json': { schema } } };
}

const responses = (): Json => ({
  200: answer('The result of the tool; isError says whether it failed', result),
  400: failing('The request or the arguments are invalid'),
  403: failing('The key does not allow it'),
  404: failing('No such tool, or the tool did not find what was requested'),
  409: failing('Confirmation required: repeat the call with the token in result._meta["sluice/error"].confirm'),
  429: failing('Too many requests; Retry-After says when to try again'),
  502: failing('The server of the tool answered with a protocol error'),
  503: failing('The server of the tool is down; try again later'),
  504: failing('The server of the tool took too long'),
  default: failing('Any other error'),
});

/** POST /api/v1/mcp/invoke: calls any tool, by `{ name, arguments }` or a JSON-RPC tools/call. */
export function invoke(deps: RestDeps): Route {
  const call = caller(deps);
  return {
    method: 'POST',
    path: '/api/v1/mcp/invoke',
    scope: 'tools:execute',
    get openapi() {
      const schema = { anyOf: [schemaOf(plainCall, 'input'), schemaOf(rpcCall, 'input')] };
      const example = { name: 'gateway_status', arguments: {} };
      return {
        operationId: 'invoke',
        summary: 'Calls a tool',
        description: 'GET /api/v1/mcp/tools/{name} shows the arguments of a tool.',
        tags: ['tools'],
        requestBody: { required: true, content: { 'application/json': { schema, example } } },
        responses: responses(),
      };
    },
    async handle(asked) {
      const invocation = await call(asked, await readCall(asked.request));
      return invocationReply(invocation, 'wrapped');
    },
  };
}

/** POST /api/v1/mcp/tools/{name}/invoke: calls one tool; the body is its arguments. */
export function invokeNamed(deps: RestDeps): Route {
  const call = caller(deps);
  return {
    method: 'POST',
    path: '/api/v1/mcp/tools/:name/invoke',
    scope: 'tools:execute',
    get openapi() {
      return {
        operationId: 'invokeTool',
        summary: 'Calls the tool of this name; the body is its arguments',
        tags: ['tools'],
        requestBody: { required: true, content: { 'application/json': { schema: schemaOf(args, 'input') } } },
        responses: responses(),
      };
    },
    async handle(asked) {
      const params = { name: asked.params.name ?? '', arguments: await readObject(asked.request) };
      return invocationReply(await call(asked, { params }), 'wrapped');
    },
  };
}

/** POST /api/v1/mcp/invoke/internal: the same without the JSON-RPC wrapper. */
export function invokeInternally(deps: RestDeps): Route {
  const call = caller(deps);
  return {
    method: 'POST',
    path: '/api/v1/mcp/invoke/internal',
    scope: 'tools:execute',
    async handle(asked) {
      const invocation = await call(asked, await readCall(asked.request));
      return invocationReply(invocation, 'bare');
    },
  };
}

async function readCall(request: Request): Promise<Wanted> {
  const body = await readObject(request);
  const isRpc = body.method !== undefined || body.jsonrpc !== undefined;
  if (isRpc) exchangeOf(request).answers = idIn(body) ?? exchangeOf(request).id;
  if (isRpc && body.method !== 'tools/call')
    throw new AppError('invalid_input', 'This endpoint supports only tools/call. The rest of MCP is at /mcp.');
  const call = isRpc ? body.params : body;
  if (!isObject(call) || typeof call.name !== 'string')
    throw new AppError('invalid_input', 'Name the tool: {"name": "…", "arguments": {…}}.');
  // A tools/call may carry other MCP fields. The plain body is ours, so refuse unknown keys.
  if (!isRpc) refuseUnknown('This call', call, ['name', 'arguments', 'confirm']);
  if (call.arguments !== undefined && call.arguments !== null && !isObject(call.arguments))
    throw new AppError('invalid_input', '"arguments" must be an object.');
  if (call.confirm !== undefined && typeof call.confirm !== 'string')
    throw new AppError('invalid_input', '"confirm" must be the token of the previous answer.');
  return {
    params: {
      name: call.name,
      arguments: call.arguments ?? {},
      ...(isRpc && isObject(call._meta) && { _meta: call._meta }),
    },
    ...(typeof call.confirm === 'string' && { confirm: call.confirm }),
  };
}

/**
 * REST calls take the same path as calls of MCP clients: permissions, confirmation, routing and recording are the same.
 */
function caller(deps: RestDeps) {
  return async ({ request, principal }: RouteRequest, wanted: Wanted): Promise<Invocation> => {
    const { registry, service } = deps.gateway;
    const exchange = exchangeOf(request);
    const stop = new Cancellation();
    const asked = new RequestExchange({
      principal,
      view,
      stop,
      trace: traceIn(wanted.params, exchange),
      client: restClient,
      ...(wanted.confirm !== undefined && { confirmToken: wanted.confirm }),
      notify() {},
      ask: () => Promise.resolve(errorOutcome(code.methodNotFound, 'A REST client cannot answer questions.')),
    });
    const { name } = wanted.params;
    const tool = registry.find(name)?.name ?? name;
    const onGone = () => stop.abort(gone());
    const onStopping = () => stop.abort(toAppError(deps.stopping?.reason));
    request.signal.addEventListener('abort', onGone, { once: true });
    if (request.signal.aborted) onGone();
    deps.stopping?.addEventListener('abort', onStopping, { once: true });
    const started = performance.now();
    const call = { jsonrpc: '2.0', id: exchange.id, method: 'tools/call', params: wanted.params } as const;
    const outcome = asked.held(await service.request(call, asked));
    outcome.release?.();
    deps.stopping?.removeEventListener('abort', onStopping);
    // Things a tool does not find come as a result. This error means the tool itself was not found.
    if ('error' in outcome && outcome.failed?.code === 'not_found') throw unknownTool(deps, principal, name);
    const ms = Math.round((performance.now() - started) * 100) / 100;
    return { exchange, trace: asked.trace, tool, outcome, ms };
  };
}

/** A REST client has no capabilities, so confirmations use a token. */
const restClient = { era: 'legacy', version: LATEST_LEGACY, capabilities: {} } as const;

const gone = () => new AppError('cancelled', 'The client closed the connection.');

function traceIn({ _meta }: CallParams, exchange: RestExchange): Trace {
  return typeof _meta?.traceparent === 'string' ? traceFrom(_meta) : exchange.trace;
}
