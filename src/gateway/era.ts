import { AppError } from '../kernel/errors.ts';
import { joined } from '../kernel/large-text.ts';
import type { CallContext, ClientFacts, Json, Outcome, RpcError } from '../kernel/source.ts';
import { type Trace, traceparent } from '../kernel/trace.ts';
import { code, isObject } from '../wire/jsonrpc.ts';
import type { Answer } from '../wire/service.ts';
import type { Handshake } from '../wire/handshake.ts';
import { MODERN, meta } from '../wire/versions.ts';

const envelopeKeys: ReadonlySet<string> = new Set([
  meta.protocolVersion,
  meta.clientInfo,
  meta.clientCapabilities,
  meta.logLevel,
]);

/** The params of a relayed request, in the era of the backend: only `_meta` and the retry fields differ. */
export function paramsFor(
  backend: Handshake,
  params: Json | undefined,
  context: CallContext,
  ownInfo: Json,
  trace: Trace = context.trace,
): Json {
  const { client } = context;
  const given = isObject(params?._meta) ? params._meta : {};
  const passed: Json = {};
  for (const key in given)
    if (client.era === 'legacy' || backend.era === 'modern' || !envelopeKeys.has(key)) passed[key] = given[key];
  passed.traceparent = traceparent(trace);
  if (trace.tracestate !== undefined) passed.tracestate = trace.tracestate;
  if (trace.baggage !== undefined) passed.baggage = trace.baggage;
  if (backend.era === 'modern' && client.era === 'legacy') Object.assign(passed, envelopeOf(client, ownInfo));
  if (backend.era === 'legacy' && client.era === 'modern') {
    const { inputResponses: _, requestState: __, ...rest } = params ?? {};
    return { ...rest, _meta: passed };
  }
  return { ...params, _meta: passed };
}

/** Describes a client the way 2026 requires it in every request. */
export function envelopeOf(client: ClientFacts, ownInfo: Json): Json {
  const { elicitation, sampling, roots, experimental, extensions } = client.capabilities;
  return {
    [meta.protocolVersion]: MODERN,
    [meta.clientInfo]: client.info ?? ownInfo,
    [meta.clientCapabilities]: JSON.parse(JSON.stringify({ elicitation, sampling, roots, experimental, extensions })),
    ...(client.logLevel !== undefined && { [meta.logLevel]: client.logLevel }),
  };
}

/** Results whose caching hints 2026 requires. */
const cacheable: ReadonlySet<string> = new Set([
  'resources/read',
  'tools/list',
  'resources/list',
  'prompts/list',
  'resources/templates/list',
]);

/** What our own sources answer is of no era: the 2025 form, which lacks only what 2026 adds. */
export const ours = { era: 'legacy' } as const;

/** The answer of a backend in the era of the client, unchanged if the eras agree. */
export function answerFor(
  client: ClientFacts,
  backend: Pick<Handshake, 'era'>,
  method: string,
  answer: Answer,
): Answer {
  if (client.era === backend.era)
    return client.era === 'modern' && 'result' in answer && answer.result.resultType === undefined
      ? modernResult(method, answer)
      : answer;
  if ('error' in answer)
    return { error: client.era === 'modern' ? modernError(answer.error) : legacyError(answer.error) };
  return client.era === 'modern' ? modernResult(method, answer) : legacyResult(answer);
}

function modernResult(method: string, answer: { result: Json; json?: string }): Answer {
  const extra: Json = { resultType: 'complete', ...(cacheable.has(method) && { ttlMs: 0, cacheScope: 'private' }) };
  if (answer.json !== undefined && !('resultType' in answer.result)) {
    const head = JSON.stringify(extra);
    return {
      result: answer.result,
      json: answer.json === '{}' ? head : joined(`${head.slice(0, -1)},`, answer.json.slice(1)),
    };
  }
  return { result: { ...extra, ...answer.result } };
}

function legacyResult({ result }: { result: Json }): Answer {
  const { resultType: _, ttlMs: __, cacheScope: ___, ...rest } = result;
  // Before 2026 structured content had to be an object: anything else would break a 2025 client. `content` has it too.
  if (rest.structuredContent !== undefined && !isObject(rest.structuredContent)) delete rest.structuredContent;
  return { result: rest };
}

function modernError(error: RpcError): RpcError {
  return error.code === code.resourceNotFoundLegacy ? { ...error, code: code.invalidParams } : error;
}

function legacyError(error: RpcError): RpcError {
  const only2026: readonly number[] = [code.headerMismatch, code.missingCapability, code.unsupportedVersion];
  return only2026.includes(error.code) ? { ...error, code: code.invalidRequest } : error;
}

/** The capability that a client needs to be asked this. */
const needed: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** Whether a 2025 server could ask this client something. */
export function canBeAsked({ era, session, capabilities }: ClientFacts): boolean {
  if (era !== 'legacy' || session === undefined) return false;
  return isObject(capabilities.elicitation) || isObject(capabilities.sampling) || isObject(capabilities.roots);
}

/** Passes a backend's question to the client, if the client can be asked. */
export async function askClient(
  context: CallContext,
  method: string,
  params: Json | undefined,
  signal?: AbortSignal,
): Promise<Outcome> {
  const capability = needed.get(method);
  if (capability === undefined)
    return { error: { code: code.methodNotFound, message: `The client does not know ${method}.` } };
  if (!isObject(context.client.capabilities[capability])) {
    return { error: { code: code.methodNotFound, message: `The client does not support ${capability}.` } };
  }
  return context.ask(method, params, signal);
}

const MAX_ROUNDS = 10;

/**
 * A 2026 backend answers with questions; a 2025 client must be asked during the call. Each round asks all questions and
 * repeats the request with the answers.
 */
export async function answerRounds(
  first: Answer,
  context: CallContext,
  again: (responses: Json, state: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  let answer = first;
  for (let round = 0; 'result' in answer && answer.result.resultType === 'input_required'; round++) {
    if (round === MAX_ROUNDS)
      throw new AppError(
        'unavailable',
        `The server still asks questions after ${MAX_ROUNDS} rounds; the call was given up.`,
      );
    const asked = Object.entries(isObject(answer.result.inputRequests) ? answer.result.inputRequests : {});
    const state = typeof answer.result.requestState === 'string' ? answer.result.requestState : undefined;
    const responses = new Map<string, Json>();
    for (const [key, request] of asked) {
      if (!isObject(request) || typeof request.method !== 'string')
        throw new AppError('unavailable', 'The server asked a question that is not valid MCP.');
      const outcome = await askClient(
        context,
        request.method,
        legacyQuestion(request.method, isObject(request.params) ? request.params : undefined),
      );
      if ('error' in outcome)
        throw new AppError(
          'unsupported',
          `The server needs an answer that the client did not give: ${outcome.error.message}`,
        );
      responses.set(key, outcome.result);
    }
    answer = await again(Object.fromEntries(responses), state);
  }
  return answer;
}

/** A 2025 request to open a page needs an id; 2026 has none, so make one. */
function legacyQuestion(method: string, params: Json | undefined): Json | undefined {
  if (method !== 'elicitation/create' || params?.mode !== 'url' || params.elicitationId !== undefined) return params;
  return { ...params, elicitationId: crypto.randomUUID() };
}
